import RetraceCommandLine
import RetraceTestSupport
import Testing

/// The part of TOML 1.0 that is read, by the examples of its specification.
@Suite struct TOMLDocumentTests {
  private func document(_ text: String) throws -> TOMLDocument {
    try TOMLDocument(Array(text.utf8))
  }

  /// The settings as paths with bars between the names, and values.
  private func settings(_ text: String) throws -> [String: TOMLValue] {
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
      try settings("\u{FEFF}# first\r\n\r\n  a = 1 # one\n\tb=2\n#\n c  =\t\"# no\" #\n# last") == [
        "a": .integer(1), "b": .integer(2), "c": .string("# no"),
      ])
    #expect(try settings("") == [:])
    #expect(try settings("\n \t \n") == [:])
  }

  @Test func `keys are bare, quoted and dotted`() throws {
    #expect(
      try settings(
        """
        key = 1
        bare_key-2 = 2
        1234 = 3
        "127.0.0.1" = 4
        'quoted "key"' = 5
        "" = 6
        a . "b.c" .'d' = 7
        3.14159 = 8
        "\\u00e9" = 9
        """) == [
          "key": .integer(1), "bare_key-2": .integer(2), "1234": .integer(3),
          "127.0.0.1": .integer(4), "quoted \"key\"": .integer(5), "": .integer(6),
          "a|b.c|d": .integer(7), "3|14159": .integer(8), "\u{e9}": .integer(9),
        ])
    // Two texts that Unicode calls equal are two keys.
    #expect(try document("\"\u{e9}\" = 1\n\"e\u{301}\" = 2").settings.count == 2)
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
          "basic": .string("I'm a string. \"Quote\". Name\tJosé\nSF 😀 \\ \u{8}\u{c}\r"),
          "empty": .string(""), "path": .string("C:\\Users\\nodejs"),
          "regex": .string("<\\i\\c*\\s*>"), "none": .string(""),
        ])
  }

  @Test(
    arguments: [
      ("+99", 99), ("42", 42), ("0", 0), ("-17", -17), ("+0", 0), ("-0", 0), ("1_000", 1_000),
      ("5_349_221", 5_349_221), ("1_2_3_4_5", 12_345), ("0xDEADBEEF", 0xdead_beef),
      ("0xdead_beef", 0xdead_beef), ("0o01234567", 0o1234567), ("0b11010110", 0b1101_0110),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func `whole numbers are read`(text: String, number: Int64) throws {
    #expect(try settings("a = \(text)") == ["a": .integer(number)])
  }

  @Test func `truth values and arrays are read`() throws {
    #expect(
      try settings(
        """
        yes = true
        no = false
        integers = [ 1, 2, 3 ]
        nested = [ [ 1, 2 ], ["a", 'b'], [] ]
        lines = [
          1, # one

          2,
          # the end
        ]
        after = 3
        """) == [
          "yes": .boolean(true), "no": .boolean(false),
          "integers": .array([.integer(1), .integer(2), .integer(3)]),
          "nested": .array([
            .array([.integer(1), .integer(2)]), .array([.string("a"), .string("b")]), .array([]),
          ]),
          "lines": .array([.integer(1), .integer(2)]), "after": .integer(3),
        ])
  }

  @Test func `tables give paths, and each setting has its line`() throws {
    let found = try document(
      """
      a = 1
      # comment
      [table-1]
      key = [
        1
      ]
        other.name = 3
      [ j . "ʞ" . 'l' ]
      x = 4
      [table-1.sub]
      y = 5
      """)
    #expect(
      found.settings.map { $0.path.joined(separator: "|") } == [
        "a", "table-1|key", "table-1|other|name", "j|ʞ|l|x", "table-1|sub|y",
      ])
    #expect(found.settings.map(\.position.line) == [1, 4, 7, 9, 11])
    #expect(found.settings.map(\.position.column) == [1, 1, 3, 1, 1])
    #expect(found.tables.map(\.position.line) == [3, 8, 10])
  }

  @Test(arguments: [
    // Keys and tables twice.
    "a = 1\na = 2", "a = 1\n\"a\" = 2", "[a]\n[a]", "[a]\nb = 1\n[a.b]", "a.b = 1\n[a]",
    "[fruit]\napple.color = 1\n[fruit.apple]", "a = 1\na.b = 2", "a.b = 1\na.b.c = 2",
    "[a.b]\nx = 1\n[a]\nb.y = 2", "[a.b.c]\nz = 9\n[a]\nb.c.t = 1", "a.b = 1\na = 2",
    "[a]\nb = 1\n[a]\nc = 2", "[a.b]\n[a]\nb = 1",
    // Keys.
    "= 1", "a b = 1", "a", "a =", "a = # none", "a. = 1", ".a = 1", "a..b = 1", "é = 1",
    "\"a\nb\" = 1",
    // Tables.
    "[]", "[a", "[a]]", "[a] b = 1", "[a.]", "[a b]", "[a]x",
    // Values.
    "a = b", "a = 1 2", "a = True", "a = 01", "a = 1__0", "a = _1", "a = 1_", "a = 0x",
    "a = 0xg", "a = +0x1", "a = 0b2", "a = --1", "a = 9223372036854775808", "a = \"x", "a = 'x",
    "a = \"x\ny\"", "a = \"\\x\"", "a = \"\\u12\"", "a = \"\\ud800\"", "a = \"\\U00110000\"",
    "a = \"x\" \"y\"", "a = 'x'y", "a = [1", "a = [1 2]", "a = [,]", "a = [1,,2]", "a = [1]]",
    "a = 1, ", "a = 1 b = 2",
    // Control characters.
    "a = \"\u{1}\"", "a = 'x\u{7f}'", "# \u{0}", "a = 1\rb = 2", "a = \"x\r\"", "\u{b}",
  ])
  func `what is not TOML is an error`(text: String) throws {
    let error = try #require(failure(text))
    if case .unsupported = error.reason { Issue.record("\(text): \(error)") }
    #expect("\(error)".last == ".")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect((1...lines).contains(error.position.line) && error.position.column >= 1)
  }

  @Test(
    arguments: [
      ("a = 1.5", .float), ("a = 1e6", .float), ("a = -inf", .float), ("a = nan", .float),
      ("a = 1979-05-27", .date), ("a = 1979-05-27T07:32:00Z", .date), ("a = 07:32:00", .date),
      ("a = \"\"\"x\"\"\"", .multilineText), ("a = '''x'''", .multilineText),
      ("a = { b = 1 }", .inlineTable), ("a = [{}]", .inlineTable), ("[[a]]", .tableArray),
    ] as [(String, TOMLError.Unsupported)])
  func `what is not read says so`(text: String, what: TOMLError.Unsupported) {
    #expect(failure(text)?.reason == .unsupported(what))
    #expect(failure("# x\n" + text)?.position.line == 2)
  }

  @Test func `an error has its line and its column in characters`() throws {
    func place(_ text: String) -> [Int]? {
      failure(text).map { [$0.position.line, $0.position.column] }
    }
    #expect(place("a = 1\nb = x") == [2, 5])
    #expect(place("\"é😀\" = x") == [1, 8])
    #expect(place("a = [\n  1,\n  x\n]") == [3, 3])
    #expect(place("a = [\n\n") == [1, 5])
    #expect(place("a = 'x\n") == [1, 5])
    #expect(place("[a]\nb = 1\n  b = 2") == [3, 3])
    let bytes: [UInt8] = Array("a = 1\nb = \"".utf8) + [0xff] + Array("\"".utf8)
    let error = #expect(throws: TOMLError.self) { try TOMLDocument(bytes) }
    #expect(error?.reason == .notUTF8)
    #expect(error?.position == TOMLPosition(line: 2, column: 6))
  }

  @Test func `sizes are bounded`() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(failure("a = " + deep)?.reason == .tooDeep)
    let names = Array(repeating: "a", count: 33).joined(separator: ".")
    #expect(failure("\(names) = 1")?.reason == .tooDeep)
    let long = "#" + String(repeating: "x", count: TOMLDocument.bytesMax)
    #expect(failure(long)?.reason == .tooLong(bytes: TOMLDocument.bytesMax + 1))
    // Many settings take no quadratic time.
    let many = (0..<40_000).map { "k\($0) = \($0)\n" }.joined()
    #expect(try document(many).settings.count == 40_000)
  }

  @Test func `no bytes trap, and errors lie in the file`() throws {
    let pieces = [
      "a", "b.c", "\"é\"", "'l'", "=", " ", "\n", "\r\n", "[", "]", "[[", ",", "#", "\"", "'", "\\",
      "\\u00e9", "1", "-", "_", "0x", "1.5", "true", "{", "}", "\u{0}", "\u{FEFF}", ".", "\t",
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

  /// Each value can be replaced, and nothing else changes.
  private func expectEditable(_ document: TOMLDocument, _ bytes: [UInt8]) throws {
    for setting in document.settings {
      #expect(setting.lineBytes.contains(setting.valueBytes.lowerBound))
      let edited = try TOMLDocument.setting(setting.path, to: "new", in: bytes)
      let changed = try TOMLDocument(edited)
      #expect(changed.settings.map(\.path) == document.settings.map(\.path), "\(bytes)")
      let isChanged = zip(changed.settings, document.settings).map { $0.value != $1.value }
      #expect(isChanged.count { $0 } <= 1, "\(bytes)")
      #expect(changed.settings.map(\.value).contains(.string("new")), "\(bytes)")
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
    #expect(try set("a", "x", in: "a = [\n1,\n2] # z") == "a = \"x\" # z")
  }

  @Test func `a new setting goes after the last one of its table`() throws {
    #expect(try set("user", "anna", in: "") == "user = \"anna\"\n")
    #expect(try set("b", "2", in: "a = 1") == "a = 1\nb = \"2\"\n")
    #expect(
      try set("b", "2", in: "a = 1\n\n[t]\nc = 3\n") == "a = 1\nb = \"2\"\n\n[t]\nc = 3\n")
    #expect(try set("b", "2", in: "# x\n[t]\nc = 3\n") == "b = \"2\"\n\n# x\n[t]\nc = 3\n")
    #expect(
      try set("t|d", "4", in: "[t]\nc = 3\n# end\n[u]\ne = 5\n")
        == "[t]\nc = 3\nd = \"4\"\n# end\n[u]\ne = 5\n")
    #expect(try set("t|d", "4", in: "[t]") == "[t]\nd = \"4\"\n")
    #expect(try set("t|a b", "4", in: "a = 1") == "a = 1\n\n[t]\n\"a b\" = \"4\"\n")
    #expect(throws: TOMLError.self) { try set("t", "x", in: "[t]\n") }
    #expect(throws: TOMLError.self) { try set("a|b", "x", in: "a = 1\n") }
  }

  @Test func `a setting is removed with its line`() throws {
    #expect(try remove("b", from: "a = 1\n b = [\n2] # two\nc = 3") == "a = 1\nc = 3")
    #expect(try remove("t|d", from: "[t]\nd = 1\n") == "[t]\n")
    #expect(try remove("x", from: "a = 1\n") == nil)
  }
}
