import Foundation
import Testing
import ToolTestSupport

/// Long texts are taken whole, or refused in words with nothing written.
@Suite struct LongTextTests {
  @Test func `the end of a long text and the cursor are seen while it is typed`() throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s", size: "40x12")
      func cursor() throws -> (row: Int, column: Int) {
        let words = try #require(try app.screen().last).split(separator: " ").compactMap { Int($0) }
        try #require(words.count == 2, "no cursor")
        return (words[0], words[1])
      }
      try app.press("text:anna" + String(repeating: "a", count: 100))
      #expect(try cursor().row == 2)
      try app.press("enter")
      try app.press("text:n")
      for text in ["begin", String(repeating: "0123456789", count: 8), "写作写作写作", "end"] {
        try app.press("text:" + text)
        #expect(try cursor().column < 40)
        #expect(try app.screen().element(2).hasSuffix(text.suffix(3)))
      }
      let line = try app.screen().element(2)
      #expect(line.hasPrefix("› Description …"), "\(line)")
      for _ in 0..<30 {
        try app.press("left")
        #expect(try cursor().column < 40)
      }
      try app.press("home")
      #expect(try app.screen().element(2).hasPrefix("› Description begin0123"))
      #expect(try cursor().column == 14)
      // A field without the cursor shows its beginning.
      try app.press("tab")
      #expect(try app.screen().element(2).hasPrefix("  Description begin0123"))
      app.end()
    }
  }

  @Test func `a text that is too long to import is rejected, its neighbors are not`() throws {
    try withTemporaryDirectory { folder in
      let fits = String(repeating: "é", count: 32 << 10)
      let long = fits + "x"
      let huge = String(repeating: "y", count: (1 << 20) + 1)
      let rows = ["short", fits, long, huge, "last"].map { "1/2/2020,5,\($0)\n" }
      try Data(("a,b,c\n" + rows.joined()).utf8)
        .write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let command = [
        "track", "import", "\(folder)/f.csv", "--store", "\(folder)/s", "--column", "start=a",
        "--column", "duration=b", "--column", "description=c", "--date-format", "M/d/yyyy",
        "--duration-unit", "minutes",
      ]
      try expectFailure(command + ["--strict"], exit: 1, mentions: ["2 rows", "65536 bytes"])
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/s"))
      let answer = try object(expectFine(command + ["--json"]))
      #expect(answer["created"] as? Int == 3)
      let rejected = try #require(answer["rejected"] as? [[String: Any]])
      #expect(rejected.map { $0["line"] as? Int } == [4, 5])
      #expect(try rejected.element(0)["column"] as? String == "c")
      #expect(try rejected.element(0)["reason"] as? String == "longer than 65536 bytes")
      #expect(
        try rejected.element(1)["reason"] as? String == "the row is longer than 1048576 bytes")
      // A rejected value is shown by its beginning.
      #expect(rejected.allSatisfy { ($0["value"] as? String ?? "").count <= 200 })
      let log = try json(expectFine(["track", "log", "--json", "--store", "\(folder)/s"]))
      let texts = (log as? [[String: Any]])?.map { $0["description"] as? String ?? "" }
      #expect(texts == ["short", fits, "last"])
    }
  }

  @Test func `a line that is too long for the app writes nothing`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      let before = try app.press("text:a")
      let answer = try app.lines("text:" + String(repeating: "x", count: (1 << 20) + 1))
      #expect(answer == ["error the line is longer than 65536 bytes; nothing was done"])
      let records = try object(expectFine(["replay", "verify", "--json", "--store", store]))
      #expect(records["records"] as? Int == before)
      #expect(try app.screen().contains("Name: a"))
      app.end(afterRefusal: true)
    }
  }
}
