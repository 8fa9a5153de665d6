import Foundation
import Testing

/// Listings in the documentation that are files of the examples.
@Suite struct ListingTests {
  private static let page = "Sources/Retrace/Retrace.docc/BesideTCA.md"
  private static let source = "Sources/Examples/Form/App/Contacts.swift"
  private static let tests = "Sources/Examples/Form/Tests/ContactsTests.swift"

  private let tree: SourceTree

  init() throws { tree = try SourceTree.package.get() }

  @Test func `the listing of a feature is the file that is compiled`() throws {
    let listings = try listings()
    #expect(listings.first == tree.files[Self.source])
  }

  @Test func `a feature has no more lines than in TCA, and nothing that is generated`() throws {
    let listings = try listings()
    try #require(listings.count == 2)
    let counts = listings.map { text in
      text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.count
    }
    #expect(counts[0] > 50 && counts[0] <= counts[1], "\(counts)")
    for word in ["extract", "embed", "schema", "recordedName", "StatePart", "EnumCase"] {
      #expect(!listings[0].contains(word))
    }
  }

  @Test func `what the table of tests says of this library is in the tests of the example`() throws
  {
    let page = try #require(tree.files[Self.page])
    let tests = try #require(tree.files[Self.tests])
    let table = try #require(page.components(separatedBy: "## Its tests").last)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count > 10)
    for row in rows {
      let cells = row.components(separatedBy: " | ")
      let code = cells.count == 3 ? cells[1].trimmingCharacters(in: ["`"]) : ""
      #expect(!code.isEmpty && tests.contains(code), "\(row)")
    }
  }

  /// Returns the code blocks of the page.
  private func listings() throws -> [String] {
    let text = try #require(tree.files[Self.page])
    return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }
}
