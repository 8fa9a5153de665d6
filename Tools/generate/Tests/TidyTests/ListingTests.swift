import Foundation
import Testing

/// Listings in the documentation that are files of the examples.
@Suite struct ListingTests {
  private static let page = "Sources/Retrace/Retrace.docc/BesideTCA.md"
  private static let source = "Sources/Examples/Form/App/Contacts.swift"

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

  /// Returns the code blocks of the page.
  private func listings() throws -> [String] {
    let text = try #require(tree.files[Self.page])
    return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }
}
