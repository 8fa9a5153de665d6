import Foundation
import RetraceScreen
import Testing
import ToolTestSupport

/// The app over a pipe: one line is one batch, and what is answered is durable.
@Suite struct AppPipeTests {
  private func records(_ store: String, from first: Int, to last: Int) throws -> [[String: Any]] {
    try objects(
      expectFine([
        "replay", "show", "--store", store, "--json", "--from", "\(first)", "--to", "\(last)",
      ]))
  }

  private func text(of record: [String: Any]) -> String? {
    var value: Any? = record["payload"]
    for name in [
      "scenes", "_0", "scene", "_1", "screen", "_1", "entryEditor", "_0", "edited", "_1", "text",
    ] {
      value = (value as? [String: Any])?[name]
    }
    return value as? String
  }

  @Test func `text of several graphemes is one action`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      try app.press("text:anna")
      try app.press("enter")
      let before = try app.press("text:n")
      // A family, a flag, a letter with two marks, a Hangul syllable of three jamo.
      let graphemes = ["a", "👨‍👩‍👧‍👦", "🇨🇭", "e\u{301}\u{302}", "\u{1112}\u{1161}\u{11AB}", " ", "写"]
      let after = try app.press("text:" + graphemes.joined())
      #expect(after == before + 1)
      for left in graphemes.indices.reversed() {
        try app.press("backspace")
        let rest = graphemes[..<left].joined().trimmingCharacters(in: .whitespaces)
        #expect(try app.screen().element(2).hasPrefix("› Description " + rest))
      }
      #expect(try app.screen().last == "cursor 2 14")
      app.end()
      let records = try records(store, from: after, to: after)
      #expect(records.map { text(of: $0) } == [graphemes.joined()])
    }
  }

  @Test func `typed letters are one line of the list of records, and each is on demand`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      for line in ["text:anna", "enter", "text:n"] { try app.press(line) }
      let first = try app.press("text:w")
      var last = first
      for letter in "rite \"it\"" { last = try app.press("text:\(letter)") }
      try app.press("backspace")
      let end = try app.press("text:!")
      app.end()
      #expect(last == first + 9 && end == last + 2)
      func lines(_ options: String...) throws -> [String] {
        try expectFine(
          ["replay", "show", "--store", store, "--from", "\(first)", "--to", "\(end)"] + options
        ).lines
      }
      let shown = try lines()
      try #require(shown.count == 3, "\(shown)")
      #expect(shown[0].hasPrefix("\(first)-\(last)  2"), "\(shown)")
      #expect(shown[0].contains(#""text":"write \"it\"","cursor":10"#), "\(shown)")
      // Letters that are not typed one after the other are not one text.
      #expect(shown[1].hasPrefix("\(last + 1)  ") && shown[2].hasPrefix("\(end)  "), "\(shown)")
      #expect(try lines("--each").count == end - first + 1)
      #expect(try lines("--json").count == end - first + 1)
    }
  }

  @Test func `a mark that begins a text is typed, not joined to the colon`() throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      let before = try app.press("text:a")
      #expect(try app.press("text:\u{301}") == before + 1)
      #expect(try app.screen().contains("Name: a\u{301}"))
      app.end()
    }
  }

  @Test func `a key that cannot be used says so on the screen, and the screen writes nothing`()
    throws
  {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      let start = try app.press("left")
      for (number, line) in ["ctrl-x", "up", "page-down", "tab"].enumerated() {
        #expect(try app.press(line) == start + number + 1, "\(line)")
        #expect(try app.screen().contains { $0.hasPrefix("! ") }, "\(line)")
      }
      #expect(try app.lines("screen").last == "ok \(start + 4)")
      try app.press("text:a")
      #expect(try !app.screen().contains { $0.hasPrefix("! ") })
      app.end()
    }
  }

  @Test func `a line that names no key is an error, and the app goes on`() throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      let start = try app.press("text:an")
      for line in [
        "entre", "", " ", "ENTER", "Screen", "\u{1B}[A", "text", "text:", "error", "ctrl-",
      ] {
        let answer = try app.lines(line)
        #expect(answer.count == 1 && answer[0].hasPrefix("error "), "\(line): \(answer)")
        #expect(try !answer.element(0).unicodeScalars.contains { $0.value < 0x20 })
      }
      // A line over the limit is answered and skipped, and the next line works as usual.
      let long = try app.lines("text:" + String(repeating: "x", count: 3 << 20))
      #expect(long == ["error the line is longer than 65536 bytes; nothing was done"])
      #expect(try app.press("text:na") == start + 1)
      #expect(try app.screen().contains("Name: anna"))
      // The exit code reports the errors too, after all lines are answered.
      app.end(afterRefusal: true)
    }
  }

  @Test func `lines may end as on Windows, and have to be UTF-8`() throws {
    try withTemporaryDirectory { folder in
      let result = try shell(
        #"printf 'text:an\xffna\ntext:anna\r\nenter\r\nscreen\r\n' | track app --store "$1""#,
        ["\(folder)/s"])
      #expect(result.status == 64, "\(result.errors)")
      #expect(result.output.lines.first == "error the line is not UTF-8; nothing was done")
      #expect(result.output.lines.contains { $0.hasPrefix("Timer of anna ") })
    }
  }

  @Test func `with --json each answer is an object`() throws {
    try withTemporaryDirectory { folder in
      let result = try shell(
        #"printf 'text:anna\nbogus\nscreen\n' | track app --json --size 40x10 --store "$1""#,
        ["\(folder)/s"])
      let answers = try objects(result.output)
      #expect(answers.map { Set($0.keys) } == [["sequence"], ["error"], ["sequence", "screen"]])
      #expect(try (answers.element(2)["screen"] as? [String])?.contains("Name: anna") == true)
      #expect(try answers.element(0)["sequence"] as? Int == answers.element(2)["sequence"] as? Int)
      #expect(result.status == 64)
      let told = try PrintedFailure(json: result.errors)
      #expect(told.why.contains("bogus") && told.exitCode == 64)
    }
  }

  @Test func `the question mark lists the keys of each screen`() throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s", size: "100x60")
      for (lines, keys) in [
        ([], ["enter", "text", "ctrl-u"]),
        (["text:anna", "enter"], ["n", "s ", "e ", "d", "z "]),
        (["n"], ["tab", "left, right", "enter", "escape", "ctrl-u"]),
      ] {
        for line in lines { try app.press(line) }
        let before = try app.screen()
        #expect(before.contains { $0.contains("?: keys") })
        try app.press("?")
        let help = try app.screen()
        // A list of many keys has no indentation. The last lines are the hints and the cursor.
        let listed = help.dropLast(2).map { line in line.drop { $0 == " " } }
        for key in keys + ["?", "ctrl-c"] {
          #expect(listed.contains { $0.hasPrefix(key) }, "no \(key): \(help)")
        }
        try app.press("?")
        #expect(try app.screen() == before)
      }
      app.end()
    }
  }

  @Test func `the app opens again where it was left, by its end or by SIGKILL`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      var app = try PipedApp(store)
      let script = ["text:anna", "enter", "text:n", "text:plan 写作 @the", "left", "left", "tab"]
      for line in script { try app.press(line) }
      try app.press("text:pro")
      let screen = try app.screen()
      let route = try expectFine(["replay", "route", "--store", store, "--json"])
      app.end()
      app = try PipedApp(store)
      #expect(try app.screen() == screen)
      try app.press("text:j")
      let last = try app.screen()
      #expect(app.process.kill())
      app = try PipedApp(store)
      #expect(try app.screen() == last)
      try app.press("backspace")
      #expect(try app.screen() == screen)
      app.end()
      let after = try object(expectFine(["replay", "route", "--store", store, "--json"]))
      let before = try object(route)
      #expect(
        NSDictionary(dictionary: ["a": try #require(after["stack"])])
          == NSDictionary(dictionary: ["a": try #require(before["stack"])]))
      #expect(after["path"] as? String == before["path"] as? String)
      #expect(try expectFine(["track", "route", "--store", store]) == "\(after["path"] ?? "")\n")
    }
  }
}
