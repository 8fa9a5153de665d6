import RetraceCommandLine
import RetraceTesting
import Testing

/// The part of TOML 1.0 that is read, by the examples of its specification.
@Suite struct TOMLDocumentTests {
  private func document(_ text: String) throws -> TOMLDocument {
    try TOMLDocument(Array(text.utf8))
  }

  /// The settings as paths with bars between the names, and values.
  private func settings(_ text: String) throws -> [String: String] {
    let found = try document(text).settings
    return Dictionary(
      uniqueKeysWithValues: found.map { ($0.path.joined(separator: "|"), $0.value) })
  }

  /// The reason and the place of the error of a text.
  private func failure(_ text: String) -> TOMLError? {
    do throws(TOMLError) {
      _ = try TOMLDocument(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func `comments, blanks and both ends of lines are allowed`() throws {
    #expect(
      try settings(
        "\u{FEFF}# first\r\n\r\n  a = '1' # one\n\tb='2'\n#\n c  =\t\"# no\" #\n[ t ] # t\n# last")
        == ["a": "1", "b": "2", "c": "# no"])
    #expect(try settings("") == [:])
    #expect(try settings("\n \t \n") == [:])
  }

  @Test func `keys are bare, quoted and dotted`() throws {
    #expect(
      try settings(
        """
        key = '1'
        bare_key-2 = '2'
        1234 = '3'
        "127.0.0.1" = '4'
        'quoted "key"' = '5'
        "" = '6'
        a . "b.c" = '7'
        3.14159 = '8'
        "\\u00e9" = '9'
        """) == [
          "key": "1", "bare_key-2": "2", "1234": "3", "127.0.0.1": "4", "quoted \"key\"": "5",
          "": "6", "a|b.c": "7", "3|14159": "8", "\u{e9}": "9",
        ])
    // Two texts that Unicode calls equal are two keys.
    #expect(try document("\"\u{e9}\" = '1'\n\"e\u{301}\" = '2'").settings.count == 2)
  }

  @Test func `texts are basic or literal`() throws {
    #expect(
      try settings(
        #"""
        basic = "I'm a string. \"Quote\". Name\tJos\u00E9\nSF \U0001F600 \\ \b\f\r"
        empty = ""
        path = 'C:\Users\nodejs'
        regex = '<\i\c*\s*>'
        none = ''
        """#) == [
          "basic": "I'm a string. \"Quote\". Name\tJosé\nSF 😀 \\ \u{8}\u{c}\r",
          "empty": "", "path": "C:\\Users\\nodejs", "regex": "<\\i\\c*\\s*>", "none": "",
        ])
  }

  @Test func `tables give paths, and each setting has its line`() throws {
    let found = try document(
      """
      a = "1"
      b.c = "2"
      # comment
      [table-1]
      key = "3"
        other = '4'
      [ "ʞ.x" ]
      x = "5"
      """)
    #expect(
      found.settings.map { $0.path.joined(separator: "|") } == [
        "a", "b|c", "table-1|key", "table-1|other", "ʞ.x|x",
      ])
    #expect(found.settings.map(\.position.line) == [1, 2, 5, 6, 8])
    #expect(found.settings.map(\.position.column) == [1, 1, 1, 3, 1])
    #expect(found.tables.map(\.name) == ["table-1", "ʞ.x"])
    #expect(found.tables.map(\.position.line) == [4, 7])
    #expect(found.tables.map(\.position.column) == [2, 3])
  }

  @Test(
    arguments: [
      ("a = '1'\na = '2'", .twice("a")), ("a = '1'\n\"a\" = '2'", .twice("a")),
      ("[a]\n[a]", .twice("a")), ("a.b = '1'\na.b = '2'", .twice("a.b")),
      ("[t]\nb = '1'\nb = '2'", .twice("t.b")), ("a.b = '1'\n[a]", .twice("a")),
      ("a.b = '1'\na = '2'", .twice("a")), ("['a b']\n[\"a b\"]", .twice("\"a b\"")),
      ("a = '1'\na.b = '2'", .notATable("a")), ("a = '1'\n[a]", .notATable("a")),
    ] as [(String, TOMLError.Reason)])
  func `a name that is given twice is an error`(text: String, reason: TOMLError.Reason) {
    #expect(failure(text)?.reason == reason)
  }

  @Test(arguments: [
    // Keys.
    "= '1'", "a b = '1'", "a", "a. = '1'", ".a = '1'", "a..b = '1'", "é = '1'", "\"a\nb\" = '1'",
    // Tables.
    "[]", "[a", "[a]]", "[a] b = '1'", "[a.]", "[a b]", "[a]x",
    // Texts.
    "a = \"x", "a = 'x", "a = \"x\ny\"", "a = \"\\x\"", "a = \"\\é\"", "a = \"\\u12\"",
    "a = \"\\u+123\"", "a = \"\\ud800\"", "a = \"\\U00110000\"", "a = \"x\" \"y\"", "a = 'x'y",
    "a = 'x', ", "a = '1' b = '2'",
    // Control characters.
    "a = \"\u{1}\"", "a = 'x\u{7f}'", "# \u{0}", "a = '1'\rb = '2'", "a = \"x\r\"", "\u{b}",
  ])
  func `text that is not TOML is an error`(text: String) throws {
    let error = try #require(failure(text))
    #expect(error.reason != .unsupported)
    #expect("\(error)".last == ".")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect((1...lines).contains(error.position.line) && error.position.column >= 1)
  }

  @Test(arguments: [
    "a = ", "a = # none", "a = b", "a = 42", "a = 1.5", "a = true", "a = 1979-05-27",
    "a = \"\"\"x\"\"\"", "a = '''x'''", "a = ''''''", "a = ['b']", "a = [", "a = { b = 'c' }",
    "[[a]]", "[a.b]", "a.b.c = 'd'", "[a]\nb.c = 'd'",
  ])
  func `TOML that the reader does not support is one error, which says what it supports`(
    text: String
  ) throws {
    let error = try #require(failure(text))
    #expect(error.reason == .unsupported)
    #expect("\(error)".contains("a text in quotes on one line"))
    #expect(failure("# x\n" + text)?.position.line == error.position.line + 1)
  }

  @Test func `an error has its line and its column in characters`() throws {
    func place(_ text: String) -> [Int]? {
      failure(text).map { [$0.position.line, $0.position.column] }
    }
    #expect(place("a = '1'\nb = x") == [2, 5])
    #expect(place("\"é😀\" = x") == [1, 8])
    #expect(place("a = 'x\n") == [1, 5])
    #expect(place("[a]\nb = '1'\n  b = '2'") == [3, 3])
    #expect(place("\u{FEFF}a = x") == [1, 5])
    let bytes: [UInt8] = Array("a = '1'\nb = \"".utf8) + [0xff] + Array("\"".utf8)
    let error = #expect(throws: TOMLError.self) { try TOMLDocument(bytes) }
    #expect(error?.reason == .notUTF8)
    #expect(error?.position == TOMLPosition(line: 2, column: 6))
  }

  @Test func `sizes are bounded`() throws {
    let names = Array(repeating: "a", count: 100_000).joined(separator: ".")
    #expect(failure("\(names) = '1'")?.reason == .unsupported)
    let long = "#" + String(repeating: "x", count: TOMLDocument.bytesMax)
    #expect(failure(long)?.reason == .tooLong(bytes: TOMLDocument.bytesMax + 1))
    // Many settings take no quadratic time.
    let many = (0..<40_000).map { "k\($0) = '\($0)'\n" }.joined()
    #expect(try document(many).settings.count == 40_000)
  }

  @Test func `no bytes trap, and errors lie in the file`() throws {
    let pieces = [
      "a", "b.c", "\"é\"", "'l'", "=", " ", "\n", "\r\n", "[", "]", "[[", "#", "\"", "'", "\\",
      "\\u00e9", "1", "a='b'", "b.a=\"c\"\n", "[t]\n", "\"\"\"", "\u{0}", "\u{FEFF}", ".", "\t",
    ].map { Array($0.utf8) }
    try withSeed { generator in
      for _ in 0..<repetitions(200_000, few: 20_000) {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<24, using: &generator) {
          if Int.random(in: 0..<12, using: &generator) == 0 {
            bytes.append(UInt8.random(in: 0...255, using: &generator))
          } else {
            bytes += try #require(pieces.randomElement(using: &generator))
          }
        }
        switch Result(catching: { () throws(TOMLError) in try TOMLDocument(bytes) }) {
        case .success(let document): try expectEditable(document, bytes)
        case .failure(let error):
          let lines = bytes.count { $0 == 0x0a } + 1
          #expect((1...lines).contains(error.position.line), "\(bytes)")
          #expect((1...bytes.count + 1).contains(error.position.column), "\(bytes)")
        }
      }
    }
  }

  /// Each value can be replaced, and settings can be added and removed; nothing else changes.
  private func expectEditable(_ document: TOMLDocument, _ bytes: [UInt8]) throws {
    func values(_ document: TOMLDocument) -> [[String]] {
      document.settings.map { $0.path + [$0.value] }
    }
    for (index, setting) in document.settings.enumerated() {
      #expect(setting.lineBytes.contains(setting.valueBytes.lowerBound))
      let edited = try TOMLDocument.setting(setting.path, to: "new", in: bytes)
      var expected = values(document)
      expected[index] = setting.path + ["new"]
      #expect(values(try TOMLDocument(edited)) == expected, "\(bytes)")
      let rest = try #require(try TOMLDocument.removing(setting.path, from: bytes))
      expected.remove(at: index)
      #expect(values(try TOMLDocument(rest)) == expected, "\(bytes)")
    }
    // A key of no table, of one that a setting may name by a dot, and of a new one.
    for path in [["key"], ["b", "key"], ["key", "key"]]
    where !document.settings.contains(where: { $0.path == [path[0]] }) {
      let added = try TOMLDocument(TOMLDocument.setting(path, to: "x", in: bytes))
      #expect(added.settings.count { $0.path == path && $0.value == "x" } == 1, "\(bytes)")
      #expect(added.settings.count == document.settings.count + 1, "\(bytes)")
    }
  }
}

/// Changes of single settings, which keep the rest of the file.
@Suite struct TOMLEditTests {
  private func set(_ path: String, _ text: String, in file: String) throws -> String {
    let bytes = try TOMLDocument.setting(
      path.split(separator: "|").map(String.init), to: text, in: Array(file.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func remove(_ path: String, from file: String) throws -> String? {
    try TOMLDocument.removing(
      path.split(separator: "|").map(String.init), from: Array(file.utf8)
    ).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a value is replaced and comments stay`() throws {
    let file = "# mine\nuser  =  'anna' # me\n\n[filters] # saved\nwork = \"@a\"\n"
    #expect(
      try set("user", "b\"\\\u{1}", in: file)
        == file.replacing("'anna'", with: #""b\"\\\u0001""#))
    #expect(try set("filters|work", "#x", in: file) == file.replacing("@a", with: "#x"))
  }

  @Test func `a new setting goes after the last one of its table`() throws {
    #expect(try set("user", "anna", in: "") == "user = \"anna\"\n")
    #expect(try set("b", "2", in: "a = '1'") == "a = '1'\nb = \"2\"\n")
    #expect(
      try set("b", "2", in: "a = '1'\n\n[t]\nc = '3'\n")
        == "a = '1'\nb = \"2\"\n\n[t]\nc = '3'\n")
    #expect(try set("b", "2", in: "# x\n[t]\nc = '3'\n") == "b = \"2\"\n\n# x\n[t]\nc = '3'\n")
    #expect(
      try set("t|d", "4", in: "[t]\nc = '3'\n# end\n[u]\ne = '5'\n")
        == "[t]\nc = '3'\nd = \"4\"\n# end\n[u]\ne = '5'\n")
    #expect(try set("t|d", "4", in: "[t]") == "[t]\nd = \"4\"\n")
    #expect(try set("t|a b", "4", in: "a = '1'") == "a = '1'\n\n[t]\n\"a b\" = \"4\"\n")
    // A table that is named by dots gets no brackets.
    #expect(
      try set("t|d", "4", in: "t.c = '3'\n[u]\n") == "t.c = '3'\nt.d = \"4\"\n[u]\n")
    #expect(throws: TOMLError.self) { try set("t", "x", in: "[t]\n") }
    #expect(throws: TOMLError.self) { try set("a|b", "x", in: "a = '1'\n") }
  }

  @Test func `a setting is removed with its line`() throws {
    #expect(try remove("b", from: "a = '1'\n b = '2' # two\nc = '3'") == "a = '1'\nc = '3'")
    #expect(try remove("t|d", from: "[t]\nd = '1'\n") == "[t]\n")
    #expect(try remove("x", from: "a = '1'\n") == nil)
  }
}
