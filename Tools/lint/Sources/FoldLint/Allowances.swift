internal import Foundation

/// The lines of the sources that a comment allows, with the reason.
///
/// The comment `// lint:allow REASON` is on the line itself, or on lines of its own above it.
struct Allowances {
  struct Allowance: Hashable {
    var file: String
    /// The line of the comment.
    var line: Int
  }

  static let mark = "// lint:allow"

  /// The allowance of each line, by file and line of code.
  private var byPlace: [LineTable.Place: Allowance] = [:]
  /// Comments without a reason.
  private(set) var withoutReason: [Allowance] = []

  subscript(place: LineTable.Place) -> Allowance? { byPlace[place] }

  /// Reads the allowances of a source file.
  mutating func read(_ file: String) {
    guard let data = FileManager.default.contents(atPath: file),
      data.firstRange(of: Data(Self.mark.utf8)) != nil
    else { return }
    let lines = String(decoding: data, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let mark = line.firstRange(of: Self.mark) else { continue }
      let allowance = Allowance(file: file, line: index + 1)
      let reason = line[mark.upperBound...].drop { $0 == " " }
      if reason.isEmpty { withoutReason.append(allowance) }
      var code = index
      if line[..<mark.lowerBound].allSatisfy({ $0 == " " }) {
        repeat { code += 1 } while code < lines.count && Self.isBeforeCode(lines[code])
      }
      byPlace[LineTable.Place(file: file, line: code + 1)] = allowance
    }
  }

  /// Returns whether a line is a comment, or an attribute of the declaration below.
  private static func isBeforeCode(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    return text.hasPrefix("//") || text.hasPrefix("@")
  }
}
