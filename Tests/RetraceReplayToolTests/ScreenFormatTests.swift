import Foundation
import FoundationXML
import Testing
import ToolTestSupport

/// `replay screen --format`: the text, the picture and the page show the same cells.
@Suite struct ScreenFormatTests {
  /// Texts that would be markup, a control sequence or another direction if they were not escaped.
  private static let notes = [
    "plain text of an entry", "</text></g></svg><script>alert(1)</script>",
    "</span></pre><img src=x onerror=alert(1)>", "\" onload=\"alert(1)\" x='&lt;&amp;]]>",
    "red \u{1B}[31m, back \u{202E}txt", "日本 and 👩‍👩‍👧 and e\u{301}", "───│──█",
  ]

  private func withNotes(_ body: (_ store: String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let sender = try RunningTool("testapp", ["send", "--store", store])
      _ = sender.readLine()
      for note in Self.notes {
        sender.send("note \(note)")
        #expect(sender.readLine()?.hasPrefix("ok ") == true)
      }
      #expect(sender.finish().status == 0)
      try body(store)
    }
  }

  private func printed(_ store: String, _ options: [String]) throws -> String {
    let result = try run("testapp", ["screen", "--store", store, "--size", "60x9"] + options)
    #expect(result.status == 0 && result.errors == "", "\(options): \(result.errors)")
    return result.output
  }

  @Test(arguments: ["light", "dark"])
  func `each format shows the same cells and refers to nothing outside`(theme: String) throws {
    try withNotes { (store) throws in
      var lines = try printed(store, []).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      #expect(lines.count == Self.notes.count + 2)
      #expect(lines[lines.count - 2] == "cursor none" && lines[0] == Self.notes[0])
      lines.removeLast(2)
      #expect(try printed(store, ["--format", "text"]) == printed(store, []))
      for format in ["svg", "html"] {
        let text = try printed(store, ["--format", format, "--theme", theme])
        let markup = try Markup(text)
        #expect(markup.rows() == lines, "\(format)")
        let names: Set = ["svg", "g", "rect", "circle", "text"]
        let ofPage: Set = ["html", "head", "meta", "title", "body", "pre", "span"]
        #expect(markup.names.isSubset(of: format == "svg" ? names : ofPage))
        #expect(!text.contains("url(") && !text.contains("href"))
        #expect(text.components(separatedBy: "//").count == 2, "only the name of the format")
        #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0 == "\u{202E}" })
        #expect(text.contains(theme == "light" ? "#ffffff" : "#16181d"))
      }
      let light = try printed(store, ["--format", "svg", "--theme", "light"])
      #expect(try printed(store, ["--format", "svg"]) == light)
      #expect(light.contains(">testapp</text>"))
    }
  }

  @Test func `options that contradict each other are refused`() throws {
    try withNotes { (store) throws in
      let cases = [
        (["--json", "--format", "svg"], "--json and --format svg contradict each other."),
        (["--json", "--format", "html"], "--json and --format html contradict each other."),
        (["--theme", "dark"], "--theme is about colors, which text has not."),
      ]
      for (options, why) in cases {
        let result = try run("testapp", ["screen", "--store", store] + options)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains(why), "\(result.errors)")
      }
      let lines = try run("testapp", ["screen", "--store", store, "--json", "--format", "text"])
      #expect(try lines.json()["lines"] as? [String] == Self.notes.map(shown) + ["cursor none"])
    }
  }

  /// Returns a note as a screen shows it.
  private func shown(_ note: String) -> String {
    note.replacing("\u{1B}", with: #"\u{1B}"#).replacing("\u{202E}", with: #"\u{202E}"#)
  }
}

/// What a picture or a page shows, as a reader of XML finds it.
private final class Markup: NSObject, XMLParserDelegate {
  private(set) var names: Set<String> = []
  /// The text of `pre`.
  private var pre = ""
  /// The pieces of a picture that have a place: row, column, text.
  private var pieces: [(row: Int, column: Int, text: String)] = []
  private var open: [String] = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw NotWellFormed(line: parser.lineNumber, why: "\(parser.parserError as Any)")
    }
  }

  struct NotWellFormed: Error {
    var line: Int
    var why: String
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.insert(name)
    open.append(name)
    guard name == "text", attributes["textLength"] != nil, let x = attributes["x"],
      let y = attributes["y"], let left = Double(x), let base = Double(y)
    else { return }
    pieces.append((Int(base / 16.4), Int((left / 8.4).rounded()), ""))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if open.contains("pre") { pre += text }
    if open.last == "text", !pieces.isEmpty { pieces[pieces.count - 1].text += text }
  }

  /// Returns the rows that are shown, without blanks at their ends and empty rows at the end.
  func rows() -> [String] {
    var rows = pre.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for piece in pieces {
      while rows.count <= piece.row { rows.append("") }
      // A wide character has two cells and is one of the text.
      let missing = piece.column - cells(rows[piece.row])
      rows[piece.row] += String(repeating: " ", count: max(0, missing)) + piece.text
    }
    rows = rows.map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  private func cells(_ text: String) -> Int {
    text.reduce(0) { $0 + ("日本👩‍👩‍👧".contains($1) ? 2 : 1) }
  }
}
