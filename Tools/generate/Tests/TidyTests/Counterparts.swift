import Foundation
import Testing

/// A page with counterparts of the listings of another architecture's documents.
struct CounterpartPage {
  /// The names of the pages.
  static let names = ["FromToggl", "FromCoachTimer", "FromPoke"]

  /// The code under a heading of the third level.
  struct Counterpart {
    var title: String
    var blocks: [String] = []
  }

  /// The counterparts, in their order.
  private(set) var counterparts: [Counterpart] = []
  /// The numbers in the table, by the title of the counterpart: lines of the listings, and here.
  private(set) var rows: [String: [Int]] = [:]

  init(named name: String, in tree: SourceTree) throws {
    let text = try #require(tree.files["Sources/Retrace/Retrace.docc/\(name).md"])
    var block: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let code = block {
        block = line == "```" ? nil : code + [line]
        if block == nil, !counterparts.isEmpty {
          counterparts[counterparts.count - 1].blocks.append(code.joined(separator: "\n"))
        }
      } else if line == "```swift" {
        block = []
      } else if line.hasPrefix("### ") {
        counterparts.append(Counterpart(title: String(line.dropFirst(4))))
      } else if line.hasPrefix("| ") {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let numbers = cells.dropFirst().compactMap { Int($0) }
        if !numbers.isEmpty { rows[cells[0]] = numbers }
      }
    }
  }
}

/// The code of the listings of the examples, which is compiled and tested.
struct ListedCode {
  private let files: [[Substring]]
  /// The same code with one blank in place of all blanks and ends of lines.
  private let flat: String

  /// Takes the hand-written code of the listings.
  init(of tree: SourceTree) {
    self.init(
      of: tree.files.sorted { $0.key < $1.key }.filter { path, _ in
        path.hasPrefix("Sources/Examples/Listings/") && path.hasSuffix(".swift")
          && !path.contains("/Generated/")
      }.map(\.value))
  }

  init(of texts: [String]) {
    files = texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    flat = texts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .joined(separator: " ")
  }

  /// Returns whether the code has a part, whatever blanks are between its words.
  func containsPart(_ part: String) -> Bool { flat.contains(part) }

  /// Returns whether a file has the lines of a block, all indented by the same number of blanks.
  ///
  /// A line `// …` of the block stands for any lines.
  func contains(_ block: String) -> Bool {
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    let pieces = lines.split { Self.isElision($0) }.map(Array.init)
    guard let first = pieces.first?.first else { return false }
    return files.contains { file in
      file.indices.contains { start in
        let indent = Self.indent(of: file[start]) - Self.indent(of: first)
        guard indent >= 0 else { return false }
        var position = start
        for (index, piece) in pieces.enumerated() {
          let wanted = piece.map { $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0 }
          let starts = index == 0 ? position..<position + 1 : position..<file.count
          let found = starts.first { file[$0...].starts(with: wanted, by: { $0 == $1 }) }
          guard let found else { return false }
          position = found + wanted.count
        }
        return true
      }
    }
  }

  /// Returns the number of lines that count: no blanks, imports, comments, or brackets alone.
  static func countedLines(of block: String) -> Int {
    block.split(separator: "\n").filter { line in
      let text = line.drop { $0 == " " }
      return !text.isEmpty && !text.hasPrefix("import ") && !text.hasPrefix("//")
        && !text.allSatisfy { "(){}[],;".contains($0) }
    }.count
  }

  private static func isElision(_ line: Substring) -> Bool { line.drop { $0 == " " } == "// …" }

  private static func indent(of line: Substring) -> Int { line.prefix { $0 == " " }.count }
}
