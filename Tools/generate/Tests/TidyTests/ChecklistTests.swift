import Foundation
import Testing

/// The lines of the checklist that the tests prove, each by a test that ends with its id.
///
/// The checklist lists what the programs that this project learns from do, and where they failed:
/// N3 is a line about navigation, M3 about time tracking, i3 and a3 are weak points, H3 is a
/// hazard for replay.
@Suite struct ChecklistTests {
  /// The ids of a letter, without those that belong to screens that the tracker does not have.
  private static let required: [(letter: String, numbers: [Int])] = [
    ("R", Array(1...9)), ("E", Array(1...11)), ("T", Array(1...5)),
    ("N", Array(1...11)), ("L", Array(1...9) + [11, 12]), ("S", [6, 7, 8, 9, 10, 11, 12]),
    ("i", [1, 2, 3, 4, 5, 7, 8, 10, 11]), ("a", [1, 2, 3]),
    ("H", Array(1...11) + Array(13...17)),
    ("M", Array(1...5) + Array(10...14) + Array(19...21)), ("X", [1]),
  ]

  @Test func `each line of the checklist has a test with its id`() throws {
    let tree = try SourceTree.package.get()
    let tests = tree.files.filter { $0.key.contains("Tests/") && $0.key.hasSuffix(".swift") }
    let found = Self.ids(in: tests.values)
    let required = Self.required.flatMap { line in line.numbers.map { "\(line.letter)\($0)" } }
    #expect(required.filter { !found.contains($0) } == [])
  }

  @Test func `ids are read from the end of a name only`() {
    let text = """
      @Test func `a pop [X1] never removes the root [N3]`() {}
        @Test("Two groups [X2] of ids [R4, H17] [i1]", arguments: 1...2)
        // A test of [E3] in a comment
        let name = `a value [E9]`
      """
    #expect(Self.ids(in: [text]) == ["N3", "i1", "R4", "H17"])
  }

  /// Returns the ids at the ends of the names of tests.
  private static func ids(in texts: some Sequence<String>) -> Set<String> {
    var ids: Set<String> = []
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      guard var name = name(ofTestIn: line) else { continue }
      while name.hasSuffix("]"), let start = name.lastIndex(of: "[") {
        let group = name[name.index(after: start)...].dropLast()
        ids.formUnion(group.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        name = name[..<start].trimmingSuffix(" ")
      }
    }
    return ids
  }

  /// Returns the name of the test that a line declares; `nil` if it declares none.
  private static func name(ofTestIn line: Substring) -> Substring? {
    for (begin, end) in [("func `", "`" as Character), ("@Test(\"", "\"")] {
      guard let start = line.range(of: begin)?.upperBound,
        let last = line[start...].lastIndex(of: end)
      else { continue }
      return line[start..<last]
    }
    return nil
  }
}

extension Substring {
  /// Returns the text without the spaces at its end.
  fileprivate func trimmingSuffix(_ space: Character) -> Substring {
    var text = self
    while text.last == space { text.removeLast() }
    return text
  }
}
