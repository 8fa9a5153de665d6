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

  @Test(arguments: CounterpartPage.names)
  func `a counterpart of a listing is compiled code`(page: String) throws {
    let page = try CounterpartPage(named: page, in: tree)
    #expect(page.counterparts.count >= 5)
    let code = ListedCode(of: tree)
    for counterpart in page.counterparts {
      for block in counterpart.blocks {
        #expect(code.contains(block), "\(counterpart.title)\n\(block)")
      }
    }
  }

  @Test(arguments: CounterpartPage.names)
  func `a counterpart has no more lines than its listing`(page: String) throws {
    let page = try CounterpartPage(named: page, in: tree)
    #expect(Set(page.rows.keys) == Set(page.counterparts.map(\.title)))
    for counterpart in page.counterparts {
      let numbers = try #require(page.rows[counterpart.title])
      let lines = counterpart.blocks.reduce(0) { $0 + ListedCode.countedLines(of: $1) }
      let listing = try #require(numbers.dropLast().min())
      #expect(numbers.last == lines && lines <= listing, "\(counterpart.title): \(lines)")
    }
  }

  @Test(arguments: [
    "Retrace.docc/Commands", "Retrace.docc/Effects", "Retrace.docc/Evolution",
    "Retrace.docc/FromTCA", "Retrace.docc/Performance", "Retrace.docc/Testing",
    "CivilTime.docc/Expressions",
  ])
  func `the code of an article is compiled code`(page: String) throws {
    let module = page.prefix { $0 != "." }
    let text = try #require(tree.files["Sources/\(module)/\(page).md"])
    let code = ListedCode(of: tree)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    #expect(blocks.count >= 2)
    for block in blocks { #expect(code.contains(block), "\(block)") }
  }

  @Test func `the code in tables of equivalents is compiled code`() throws {
    let page = try #require(tree.files["Sources/Retrace/Retrace.docc/Equivalents.md"])
    let code = ListedCode(of: tree)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst() }
      .filter { $0.count > 2 && !$0[2].contains(/^ (?:here|---) $/) }
    #expect(rows.count > 100)
    for row in rows {
      let spans = row[2].matches(of: /`([^`]+)`/).map { String($0.1) }
      #expect(!spans.isEmpty || row[2] == " none ", "\(row[1])")
      for span in spans { #expect(code.containsPart(span), "\(span)") }
    }
  }

  @Test func `code is found with its indentation, and parts may be left out`() {
    let code = ListedCode(of: [
      """
      struct A {
        func b() {
          c()
          d()
        }
      }
      """
    ])
    #expect(code.contains("func b() {\n  c()\n  d()\n}"))
    #expect(code.contains("func b() {\n  c()\n  // …\n}"))
    #expect(!code.contains("func b() {\n  d()\n}"))
    #expect(!code.contains("func b() {\n    c()"))
    #expect(!code.contains("struct A {\n  // …\n  c()"))
    #expect(code.containsPart("c() d()") && !code.containsPart("d() c()"))
    #expect(ListedCode.countedLines(of: "import A\n\n// b\nc(\n  d\n)\n// …\n}") == 2)
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
