import Foundation
import RetraceFixtures
import RetraceRandom
import RetraceTesting
import Testing
import ToolTestSupport

/// `track app` on a terminal of its own: raw keys, screens, and the terminal as it was afterwards.
@Suite struct TerminalAppTests {
  @Test("Keys of a terminal are recorded, screens are drawn, and ctrl-c restores the terminal")
  func session() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store, "--now", "2026-03-02T09:00:00Z"],
        steps: [
          .expect("Welcome"), .send("u"), .expect("Who is tracking time?"),
          .send("ada"), .expect("ada"), .send("\r"),
          .expect("Timer of ada"), .send("n"), .expect("New entry"),
          .send("caf\u{E9} 日本"), .expect("日本"), .send("\u{1B}[D"),
          .send("\u{1B}[200~pas\rted\u{1B}[201~"), .expect("pas ted"), .resize(50, 12),
          .expect("New entry"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil)
      #expect(session.status == 0)
      #expect(session.restored)
      #expect(session.leftCleanly)

      let piped = try app(store, as: "ada", lines: ["screen"])
      #expect(piped.contains { $0.contains("café 日pas ted本") })
    }
  }

  @Test func `a store without users is entered with one key, and is not welcomed again [M16]`()
    throws
  {
    try withStore { store in
      for steps: [TerminalScript.Step] in [
        [.expect("Welcome"), .send("\r"), .expect("Timer of"), .send("\u{3}")],
        [.expect("Timer of"), .send("\u{3}")],
      ] {
        let session = try TerminalScript(arguments: ["app", "--store", store], steps: steps).run()
        #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      }
      let other = store + "-other"
      try expectFine(["track", "start", "from the shell", "--user", "zoe", "--store", other])
      let session = try TerminalScript(
        arguments: ["app", "--store", other],
        steps: [.expect("Who is tracking time?"), .send("\u{3}")]
      ).run()
      #expect(session.missing == nil && !session.output.contains("Welcome"))
    }
  }

  @Test func `the app goes on as the user of the command line`() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["RETRACE_USER": "zoe"],
        steps: [.expect("Timer of zoe"), .send("q")]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      #expect(try expectFine(["track", "users", "--store", store]) == "zoe\n")
    }
    try withStore { store in
      try expectFine(["track", "start", "from the shell", "--store", store])
      for expected in ["Timer of ", "from the shell"] {
        let session = try TerminalScript(
          arguments: ["app", "--store", store], steps: [.expect(expected), .send("\u{3}")]
        ).run()
        #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      }
    }
  }

  @Test("An entry that another process starts is shown without a key")
  func foreignStart() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store],
        steps: [
          .expect("Welcome"), .send("u"), .expect("Who is tracking time?"),
          .send("ada\r"), .expect("Timer of ada"),
          .run(["start", "from elsewhere", "--user", "ada", "--store", store]),
          .expect("from elsewhere"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil)
      #expect(session.status == 0)
      #expect(session.leftCleanly)
      let piped = try app(store, as: "ada", lines: ["screen"])
      #expect(piped.contains { $0.contains("from elsewhere") })
    }
  }

  @Test("A signal that ends the app restores the terminal first", arguments: [SIGTERM, SIGHUP])
  func signal(number: Int32) throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store],
        steps: [
          .expect("Welcome"), .send("u"), .expect("Who is tracking time?"), .send("zoe"),
          .expect("zoe"), .signal(number),
        ]
      ).run()
      #expect(session.missing == nil)
      #expect(session.restored)
      #expect(session.leftCleanly)
      // What was typed before is there.
      let piped = try app(store, lines: ["screen"])
      #expect(piped.contains { $0.contains("Name: zoe") })
    }
  }

  @Test func `ctrl-z suspends the app, which goes on in the new size of the terminal`() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store],
        environment: ["RETRACE_USER": "zoe"],
        steps: [
          .expect("Timer of zoe"), .send("n"), .expect("New entry"), .send("abc\u{1A}"), .stopped,
          .resize(47, 11), .continue, .expect("New entry"), .expect("abc"), .send("d"),
          .expect("abcd"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0)
      #expect(session.restored && session.leftCleanly)
      #expect(session.stops.map(\.restored) == [true])
      #expect(session.stops.map { ModeTracker($0.output) } == [ModeTracker()])
      #expect(ModeTracker(session.output) == ModeTracker())
    }
  }

  @Test func `ctrl-l draws the whole screen again`() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["RETRACE_USER": "zoe"],
        steps: [
          .expect("Timer of zoe"), .send("n"), .expect("New entry"), .send("\u{C}"),
          .expect("New entry"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0)
      #expect(!session.output.contains("does nothing here"))
    }
  }

  @Test func `clicks and the wheel of a terminal are recorded as keys are`() throws {
    try withStore { store in
      for text in ["alpha", "beta", "gamma"] {
        try expectFine(["track", "start", text, "--user", "zoe", "--store", store])
      }
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["RETRACE_USER": "zoe"],
        steps: [
          .expect("Timer of zoe"),
          // The first row of the list, by its place on the screen of 60 by 16 cells.
          .send("\u{1B}[<0;30;7M\u{1B}[<0;30;7m"), .expect("› "), .send("\u{1B}[<65;30;8M"),
          // The second hint of the last row, and then the text of the form.
          .send("\u{1B}[<0;18;16M\u{1B}[<0;18;16m"), .expect("New entry"), .send("abd"),
          .expect("abd"), .send("\u{1B}[<0;17;3M\u{1B}[<0;17;3m"), .send("c"), .expect("abcd"),
          .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.restored)
      #expect(session.output.contains("\u{1B}[?1002h\u{1B}[?1006h"))
      #expect(ModeTracker(session.output) == ModeTracker())
    }
  }

  @Test func `a terminal keeps its mouse if a setting says so`() throws {
    try withStore { store in
      let folder = URL(filePath: store).deletingLastPathComponent().path
      let environment = ["RETRACE_USER": "zoe", "XDG_CONFIG_HOME": folder]
      try expectFine(["track", "config", "set", "mouse", "off"], environment: environment)
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: environment,
        steps: [.expect("Timer of zoe"), .send("n"), .expect("New entry"), .send("\u{3}")]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      #expect(!session.output.contains("\u{1B}[?1002h"))
    }
  }

  @Test(arguments: [
    ["TERM": "dumb"], ["TERM": ""], ["option": "--lines"], ["setting": "lines"],
  ])
  func `A terminal without control sequences shows lines`(how: [String: String]) throws {
    try withStore { store in
      let folder = URL(filePath: store).deletingLastPathComponent().path
      var environment = ["RETRACE_USER": "zoe", "XDG_CONFIG_HOME": folder]
      if let term = how["TERM"] { environment["TERM"] = term }
      if let value = how["setting"] {
        try expectFine(["track", "config", "set", "screens", value], environment: environment)
      }
      let session = try TerminalScript(
        arguments: ["app", "--store", store] + (how["option"].map { [$0] } ?? []),
        environment: environment,
        steps: [
          .expect("Who is tracking time?"), .send("text:n\n"), .expect("ok "), .expect("Name: n"),
          .send("text:abc\n"), .expect("ok "), .expect("Name: nabc"),
          // Return alone shows the screen again.
          .send("\n"), .expect("Name: nabc"), .send("ctrl-c\n"),
        ]
      ).run()
      #expect(!session.output.contains("error "), "\(session.output)")
      #expect(session.missing == nil && session.status == 0 && session.restored)
      #expect(!session.output.contains("\u{1B}"))
    }
  }

  @Test("Escape on its own is a key, and NO_COLOR is honored")
  func escape() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["NO_COLOR": "1"],
        steps: [
          .expect("Welcome"), .send("u"), .expect("Who is tracking time?"),
          .send("eve\r"), .expect("Timer of eve"), .send("n"),
          .expect("New entry"), .send("\u{1B}"), .expect("Timer of eve"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil)
      #expect(session.restored)
      // Colors are the styles from 30 up.
      #expect(!session.output.contains(/\x{1B}\[(\d+;)*[349]\dm/))
      #expect(session.output.contains("\u{1B}[0;1;4m"))
    }
  }

  @Test("Text of other people cannot reach the terminal as control characters")
  func hostileText() throws {
    try withStore { store in
      // Over a pipe any text can be typed; the screen on the terminal shows it as escapes.
      let hostile = "x\u{1B}]52;c;aGk=\u{7}\u{202E}y"
      _ = try app(store, lines: ["text:mallory", "enter", "text:n", "text:\(hostile)"])
      let session = try TerminalScript(
        arguments: ["app", "--store", store], steps: [.expect("New entry"), .send("\u{3}")]
      ).run()
      #expect(session.missing == nil)
      #expect(!session.output.contains("\u{1B}]52"))
      #expect(!session.output.contains("\u{7}"))
      #expect(session.output.contains("\\u{202E}y"))
      let screen = try app(store, lines: ["screen"]).joined(separator: "\n")
      #expect(!screen.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
  }

  @Test func `a calendar file brings no control sequence to the terminal [M13]`() throws {
    var random = withSeed { $0 }
    let hostile = HostileCalendar(&random, on: "20260302")
    let plain = """
      BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260302T091000Z\r
      DURATION:PT45M\r\nSUMMARY:a title\r\nEND:VEVENT\r\nEND:VCALENDAR\r

      """
    let known = try Self.sequences(calendarOutput(plain))
    for calendar in [hostile.text, hostile.unescapedText] {
      let output = try calendarOutput(calendar)
      #expect(Self.sequences(output).subtracting(known) == [])
      for text in HostileText.short where text.unicodeScalars.contains(where: Self.isObeyed) {
        #expect(Data(output.utf8).range(of: Data(text.utf8)) == nil, "\(Array(text.utf8))")
      }
    }
  }

  /// Returns what a terminal gets of a session with the events of a calendar file: in a day and a
  /// week, with the menu of one, and in the timer as an entry and a suggestion.
  private func calendarOutput(_ calendar: String) throws -> String {
    var output = ""
    try withStore { store in
      let folder = URL(filePath: store).deletingLastPathComponent().path
      let environment = ["RETRACE_USER": "zoe", "XDG_CONFIG_HOME": folder]
      let file = "\(folder)/events.ics"
      try Data(calendar.utf8).write(to: URL(filePath: file))
      try expectFine(["track", "config", "set", "calendars", file], environment: environment)
      let session = try TerminalScript(
        arguments: ["app", "--store", store, "--now", "2026-03-02T09:00:00Z"],
        environment: environment,
        steps: [
          .expect("Timer of zoe"), .send("f"), .send("c"), .expect("Calendar of zoe"),
          .expect("◇"), .send("w"), .expect("Mon 2"), .send("w"), .send("\t"), .send("m"),
          .expect("Start from event"), .send("\u{1B}[27u"), .send("a"), .send("q"),
          .expect("Timer of zoe"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      let bytes = session.output.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      output = String(decoding: bytes, as: UTF8.self)
    }
    return output
  }

  /// Returns the kinds of the control sequences and of the other control characters of an output.
  private static func sequences(_ output: String) -> Set<String> {
    var kinds: Set<String> = []
    var rest = Array(output.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      guard isObeyed(scalar) else { continue }
      guard scalar == "\u{1B}", let opener = rest.popFirst() else {
        kinds.insert("control \(scalar.value)")
        continue
      }
      // A sequence has parameters and a final letter; a string has a number and other parts.
      let parameters = rest.prefix { opener == "[" ? $0.value < 0x40 : ("0"..."9").contains($0) }
      rest = rest.dropFirst(opener == "[" || opener == "]" ? parameters.count : 0)
      switch opener {
      case "[":
        let mark = parameters.first.map { $0.value >= 0x3C ? String($0) : "" } ?? ""
        kinds.insert("[\(mark)\(rest.popFirst() ?? " ")")
      case "]": kinds.insert("]\(parameters.map { String($0) }.joined())")
      default: kinds.insert("\(opener)")
      }
    }
    return kinds
  }

  /// Whether a terminal may obey a character: it is a control character, or reorders a line.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test func `a terminal that answers gets the kitty keyboard protocol, and loses it at the end`()
    throws
  {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["RETRACE_USER": "eve"],
        steps: [
          .expect("\u{1B}[c"), .expect("Timer of eve"),
          .send("\u{1B}[?2048;2$y\u{1B}[?0u\u{1B}]11;rgb:0/0/0\u{1B}\\\u{1B}[?62;5"),
          .send("2c"), .expect("\u{1B}[>5u"), .expect("\u{1B}[?2048h"),
          .send("n"), .expect("New entry"), .send("\u{1B}[48;12;50;0;0t"), .expect("New entry"),
          .send("\u{1B}[27u"), .expect("Timer of eve"),
          // Answers without a question, and keys that are not bound.
          .send("\u{1B}[?2026;1$y\u{1B}[?62c\u{1B}[<0;3;3M\u{1B}[I\u{1B}[100;5:3u"),
          .send("\u{1B}[110;3u"), .expect("alt-n does nothing here."), .send("\u{1B}[99;5u"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.restored)
      #expect(ModeTracker(session.output) == ModeTracker())
      // What the terminal answered in time is recorded once.
      let records = try expectFine(["replay", "show", "--store", store, "--json"])
        .split(separator: "\n")
      // The size is recorded with the scene, and with the first key after it changed. The focus,
      // which came, is no change.
      let sizes = records.filter { $0.contains("\"columns\":") }
      #expect(
        sizes.count == 2 && sizes.last?.contains("\"columns\":50,\"rows\":12,") == true, "\(sizes)")
      let settled = records.filter { $0.contains("terminalSettled") }
      #expect(settled.count == 1)
      for field in ["hasAnswered", "hasKittyKeys", "hasSizeReports", "hasClipboard"] {
        #expect(settled.first?.contains("\"\(field)\":true") == true, "\(field)")
      }
      #expect(settled.first?.contains("\"hasSynchronizedOutput\":false") == true)
    }
  }

  @Test func `a terminal that cannot answer is asked nothing`() throws {
    try withStore { store in
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["TERM": "linux"],
        steps: [.expect("Welcome"), .send("\r"), .expect("Timer of"), .send("\u{3}")]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      for text in ["\u{1B}[c", "$p", "\u{1B}]", "\u{1B}[<u"] {
        #expect(!session.output.contains(text))
      }
    }
  }

  @Test func `a paste of many characters is one action, and one that is too long is refused`()
    throws
  {
    try withStore { store in
      let half = String(repeating: "pq", count: 2_000)
      let long = String(repeating: "x", count: 70_000)
      let session = try TerminalScript(
        arguments: ["app", "--store", store], environment: ["RETRACE_USER": "eve"],
        steps: [
          .expect("Timer of eve"), .send("\u{1B}[200~d\u{1B}[201~"),
          .expect("paste does nothing here."), .send("n"), .expect("New entry"),
          .send("\u{1B}[200~" + half), .run(["users", "--store", store]),
          .send(half + "\u{1B}[201~"), .expect("pqpq"),
          .send("\u{1B}[200~" + long + "\u{1B}[201~"),
          .expect("The pasted text is longer than 65536 bytes"), .send("\u{3}"),
        ]
      ).run()
      #expect(session.missing == nil && session.status == 0 && session.leftCleanly)
      let records = try expectFine(["replay", "show", "--store", store, "--json"])
        .split(separator: "\n")
      #expect(records.count { $0.contains(half + half) } == 1)
      #expect(!records.contains { $0.contains("xxxx") })
    }
  }

  private func withStore(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "store").path)
  }

  /// Plays lines against the app on a pipe and returns what it printed.
  private func app(_ store: String, as user: String? = nil, lines: [String]) throws -> [String] {
    let result = try runProgram(
      TerminalScript.tool.path,
      ["app", "--store", store, "--now", "2026-03-02T09:00:00Z"]
        + (user.map { ["--user", $0] } ?? []),
      input: Data((lines + [""]).joined(separator: "\n").utf8))
    #expect(result.status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }
}

/// What a person does at a terminal, played by `Python/terminal.py`.
struct TerminalScript {
  enum Step {
    case expect(String)
    case send(String)
    case resize(Int, Int)
    case signal(Int32)
    /// Another call of the tool.
    case run([String])
    /// Another program with its arguments.
    case runProgram([String])
    /// Waits until the program is stopped; the shell has the terminal then.
    case stopped
    /// Changes the shell's settings of the terminal.
    case settings
    /// Continues the program in the foreground.
    case `continue`
    /// Continues the program in the background.
    case background

    var json: [Any] {
      switch self {
      case .expect(let text): ["expect", text]
      case .send(let text): ["send", text]
      case .resize(let columns, let rows): ["resize", columns, rows]
      case .signal(let number): ["signal", Int(number)]
      case .run(let arguments): ["run", [TerminalScript.tool.path] + arguments]
      case .runProgram(let words): ["run", words]
      case .stopped: ["stopped"]
      case .settings: ["settings"]
      case .continue: ["continue"]
      case .background: ["background"]
      }
    }
  }

  struct Session {
    /// What was written, byte by byte.
    var output: String
    /// The status of `waitpid`: 0 for an exit with code 0.
    var status: Int
    /// Whether the terminal's settings are those of the shell.
    var restored: Bool
    /// The stops: what was written until then, and whether the settings were those of the shell.
    var stops: [(output: String, restored: Bool)]
    /// What was expected and did not come.
    var missing: String?

    /// Whether the output enters the alternate screen, and switches off all that it switched on.
    var leftCleanly: Bool {
      output.contains("\u{1B}[?1049h") && ModeTracker(output) == ModeTracker()
    }
  }

  var program = TerminalScript.tool.path
  var arguments: [String]
  var environment: [String: String] = [:]
  /// The signals that the program ignores from its start.
  var ignored: [Int32] = []
  var steps: [Step]
  var columns = 60

  /// The release tool of `RETRACE_BIN`, else the one that was built with the tests.
  static var tool: URL {
    if let folder = ProcessInfo.processInfo.environment["RETRACE_BIN"] {
      return URL(filePath: folder).appending(path: "track")
    }
    return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "track")
  }

  func run() throws -> Session {
    let variables = ["TERM": "xterm", "TZ": "UTC", "LANG": "C.UTF-8"]
      .merging(Tools.shiftedClock) { $1 }.merging(environment) { $1 }
    let request: [String: Any] = [
      "argv": [program] + arguments, "environment": variables, "columns": columns,
      "rows": 16, "ignored": ignored.map(Int.init), "steps": steps.map(\.json),
    ]
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Python/terminal.py").path
    let python = ProcessInfo.processInfo.environment["RETRACE_PYTHON"] ?? "python3"
    let data = try runProgram(
      "/usr/bin/env", [python, script],
      input: try JSONSerialization.data(withJSONObject: request)
    ).outputBytes
    let answer = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let output = answer["output"] as? String ?? ""
    let stops = answer["stops"] as? [[Any]] ?? []
    return Session(
      output: output, status: answer["status"] as? Int ?? -1,
      restored: answer["restored"] as? Bool ?? false,
      stops: stops.map { stop in
        (
          String(String.UnicodeScalarView(output.unicodeScalars.prefix(stop[0] as? Int ?? 0))),
          stop[1] as? Bool ?? false
        )
      },
      missing: answer["missing"] as? String)
  }
}
