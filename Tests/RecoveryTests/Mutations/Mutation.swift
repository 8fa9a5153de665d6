import Foundation
import RetraceTesting

/// A random corruption of a data file.
struct Mutation: CustomStringConvertible {
  /// What is done to the file.
  enum Kind: String, CaseIterable {
    case flippedBits, garbage, swappedPages, zeroedPage, duplicatedPage, cutOff, lowerCommit
  }

  let kind: Kind
  let description: String
  /// The bytes of the file afterwards.
  let bytes: Data

  private static let page = 4096

  /// Makes one change of a random kind.
  ///
  /// - Parameter structural: The meta, branch and leaf pages that are in use.
  static func random(
    of whole: Data, structural: [Int], using random: inout SeededGenerator
  ) -> Mutation {
    let kind = Kind.allCases.randomElement(using: &random) ?? .flippedBits
    var bytes = whole
    let one = pick(whole, structural, using: &random)
    let other = pick(whole, structural, using: &random)
    var detail = "page \(one)"
    switch kind {
    case .flippedBits:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = place(in: one, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        detail += ", byte \(place)"
      }
    case .garbage:
      let place = place(in: one, using: &random)
      let count = min(Int.random(in: 1...64, using: &random), (one + 1) * page - place)
      for index in place..<place + count {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      detail += ", \(count) bytes at \(place)"
    case .swappedPages:
      bytes.replaceSubrange(range(one), with: whole[range(other)])
      bytes.replaceSubrange(range(other), with: whole[range(one)])
      detail += " and \(other)"
    case .zeroedPage:
      bytes.replaceSubrange(range(one), with: Data(count: page))
    case .duplicatedPage:
      bytes.replaceSubrange(range(other), with: whole[range(one)])
      detail += " over \(other)"
    case .cutOff:
      let count =
        Bool.random(using: &random) ? one * page : Int.random(in: 0..<whole.count, using: &random)
      bytes.removeLast(whole.count - count)
      detail = "at \(count)"
    case .lowerCommit:
      // The lowest byte of a commit's number, in either meta page.
      let place = Int.random(in: 0...1, using: &random) * page + 144
      bytes[place] &-= UInt8.random(in: 1...6, using: &random)
      detail = "byte \(place)"
    }
    return Mutation(kind: kind, description: "\(kind), \(detail)", bytes: bytes)
  }

  private static func range(_ number: Int) -> Range<Int> { number * page..<(number + 1) * page }

  /// Returns a random page; every other time one of the structural pages, which are few.
  private static func pick(
    _ whole: Data, _ structural: [Int], using random: inout SeededGenerator
  ) -> Int {
    guard Bool.random(using: &random), let page = structural.randomElement(using: &random) else {
      return Int.random(in: 0..<whole.count / page, using: &random)
    }
    return page
  }

  /// Returns a random byte of a page; every other time in its header or its first node offsets.
  private static func place(in number: Int, using random: inout SeededGenerator) -> Int {
    number * page + Int.random(in: 0..<(Bool.random(using: &random) ? 160 : page), using: &random)
  }
}
