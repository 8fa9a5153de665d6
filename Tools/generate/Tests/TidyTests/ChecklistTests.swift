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
    ("N", Array(1...11)), ("L", Array(1...15)), ("S", Array(1...13)),
    ("V", Array(1...9)), ("O", Array(1...8)), ("D", Array(1...9)), ("W", Array(1...3)),
    ("P", [1, 2]), ("X", Array(1...3)),
    ("i", [1, 2, 3, 4, 5, 7, 8, 10, 11]), ("a", [1, 2, 3, 5]),
    ("H", Array(1...11) + Array(13...17)),
    ("M", Array(1...15) + Array(19...21)),
    ("M", Array(1...14) + Array(16...21)),
  ]

  @Test func `each line of the checklist has a test with its id`() throws {
    let found = try Set(Self.tests().flatMap(\.ids))
    let required = Self.required.flatMap { line in line.numbers.map { "\(line.letter)\($0)" } }
    #expect(required.filter { !found.contains($0) } == [])
  }

  /// The page words each line of the architecture and of time tracking, and names one of its tests.
  @Test func `the page of the checklist has the lines, each with a test that has its id`() throws {
    let page = "Sources/Retrace/Retrace.docc/WhatTheTestsProve.md"
    let text = try #require(try SourceTree.package.get().files[page])
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let lines = Self.required.filter { "SVROETNLDWPMX".contains($0.letter) }
      .flatMap { line in line.numbers.map { "\(line.letter)\($0)" } }
    #expect(Set(rows.map { $0[0] }).symmetricDifference(lines).subtracting(["L11", "L12"]) == [])
    #expect(rows.count == Set(rows.map { $0[0] }).count)
    let tests = try Self.tests()
    for row in rows {
      #expect(row.count == 3 && !row[1].isEmpty, "\(row)")
      let isThere = tests.contains { $0.name == row[2] && $0.ids.contains(row[0]) }
      #expect(isThere, "no test of \(row[0]) is named: \(row[2])")
    }
  }

  @Test func `ids are read from the end of a name only`() {
    let text = """
      @Test func `a pop [X1] never removes the root [N3]`() {}
        @Test("Two groups [X2] of ids [R4, H17] [i1]", arguments: 1...2)
        // A test of [E3] in a comment
        let name = `a value [E9]`
      """
    let tests = Self.tests(in: [text])
    #expect(Set(tests.flatMap(\.ids)) == ["N3", "i1", "R4", "H17"])
    #expect(tests.map(\.name) == ["a pop [X1] never removes the root", "Two groups [X2] of ids"])
  }

  /// The tests of the package and of the examples.
  private static func tests() throws -> [(name: String, ids: [String])] {
    let tree = try SourceTree.package.get()
    let files = tree.files.filter { $0.key.contains("Tests/") && $0.key.hasSuffix(".swift") }
    return tests(in: files.values)
  }

  /// Returns the names of tests without the ids at their ends, and these.
  private static func tests(in texts: some Sequence<String>) -> [(name: String, ids: [String])] {
    texts.flatMap { $0.split(separator: "\n") }.compactMap { line in
      guard var name = name(ofTestIn: line) else { return nil }
      var ids: [String] = []
      while name.hasSuffix("]"), let start = name.lastIndex(of: "[") {
        let group = name[name.index(after: start)...].dropLast()
        ids += group.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        name = name[..<start].trimmingSuffix(" ")
      }
      return (String(name), ids)
    }
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
