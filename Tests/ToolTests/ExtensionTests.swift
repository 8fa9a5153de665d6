import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Report extensions of timewarrior, run by `track`.
@Suite struct ExtensionTests {
  /// A store and a folder of timewarrior in a temporary directory, in the zone of Berlin.
  struct Desk {
    let folder: String
    var store: String { "\(folder)/s" }
    var timewarrior: String { "\(folder)/tw" }
    /// Where the extension `save` saves what it reads.
    var saved: String { "\(folder)/saved" }

    var environment: [String: String] {
      [
        "TZ": "Europe/Berlin", "TIMEWARRIORDB": timewarrior, "HOME": "\(folder)/home",
        "XDG_CONFIG_HOME": "\(folder)/config",
      ]
    }

    init(_ folder: String) throws {
      self.folder = folder
      for name in ["tw/data", "tw/extensions", "config/retrace/extensions", "home"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      try install("save", "#!/bin/sh\ncat > '\(saved)'\n")
    }

    /// Writes an extension into the folder of timewarrior, or into another one.
    func install(_ name: String, _ script: String, in place: String = "tw", mode: String = "755")
      throws
    {
      let path = "\(folder)/\(place)/extensions/\(name)"
      // Another process writes it: a program that is open for writing, in a process that another
      // test starts meanwhile too, cannot be executed.
      let written = try runProgram(
        "/bin/sh", ["-c", "cat > '\(path)' && chmod \(mode) '\(path)'"], input: Data(script.utf8))
      try #require(written.status == 0, "\(written.errors)")
    }

    func track(_ words: [String]) throws -> ToolResult {
      try run("track", words, environment: environment.merging(["RETRACE_STORE": store]) { $1 })
    }

    /// Runs a command that has to succeed.
    @discardableResult
    func fine(_ words: [String]) throws -> String {
      let result = try track(words)
      try #require(result.status == 0 && result.errors.isEmpty, "\(words) \(result.errors)")
      return result.output
    }

    /// What the extension `save` reads from timewarrior.
    func fromTimewarrior(_ words: [String]) throws -> String {
      let environment = ProcessInfo.processInfo.environment
        .merging(self.environment) { _, new in new }
      let result = try runProgram(
        "/usr/bin/timew", ["save"] + words, environment: environment, in: folder)
      try #require(result.status == 0, "timew \(words): \(result.output)\(result.errors)")
      return try takeSaved()
    }

    /// What the extension `save` reads from `track`.
    func fromTrack(_ words: [String]) throws -> String {
      try fine(["extension", "save"] + words)
      return try takeSaved()
    }

    private func takeSaved() throws -> String {
      defer { try? FileManager.default.removeItem(atPath: saved) }
      return String(decoding: try Data(contentsOf: URL(fileURLWithPath: saved)), as: UTF8.self)
    }

    /// Expects that the extension reads the same from both, but for the ids; returns the number of
    /// intervals.
    @discardableResult
    func expectSame(_ words: [String], _ note: Comment = "") throws -> Int {
      for _ in 0..<50 {
        let first = try fromTimewarrior(words)
        let ours = try fromTrack(words)
        // The clock may have moved on between the two.
        guard try fromTimewarrior(words) == first else { continue }
        let (expected, found) = (Self.withoutIDs(first), Self.withoutIDs(ours))
        for (line, (one, other)) in zip(expected.lines, found.lines).enumerated() {
          #expect(one == other, "line \(line) of \(words), \(note)")
        }
        #expect(expected == found, "\(words), \(note)")
        return found.occurrences(of: "\n{\"id\":N")
      }
      Issue.record("the clock does not stand still for \(words)")
      return 0
    }

    private static func withoutIDs(_ text: String) -> String {
      text.replacing(#/\n\{"id":\d+/#) { _ in "\n{\"id\":N" }
    }

    /// Writes intervals as timewarrior stores them, and records them with `track`.
    func record(_ intervals: [Interval]) throws {
      var months: [String: String] = [:]
      for interval in intervals {
        months["\(interval.start.prefix(7))", default: ""] += interval.line + "\n"
        var words = ["add", "--policy", "allow", "--from", interval.start]
        if let end = interval.end {
          words += ["--to", end]
        } else {
          words = ["start", "--policy", "allow", "--at", interval.start]
        }
        for tag in interval.tags { words += ["--tag", tag] }
        if !interval.annotation.isEmpty { words += ["--note", interval.annotation] }
        try fine(words + ["--", ""])
      }
      for (month, lines) in months {
        try lines.write(
          toFile: "\(timewarrior)/data/\(month).data", atomically: true, encoding: .utf8)
      }
    }
  }

  /// An interval with its times in UTC.
  struct Interval {
    var start: String
    var end: String?
    var tags: [String] = []
    var annotation = ""

    /// The line of timewarrior's data.
    var line: String {
      func stamp(_ time: String) -> String { time.filter { $0 != "-" && $0 != ":" } }
      func quoted(_ text: String) -> String {
        "\""
          + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      }
      var line = "inc \(stamp(start))" + (end.map { " - \(stamp($0))" } ?? "")
      let sorted = tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      if !tags.isEmpty { line += " # " + sorted.map(quoted).joined(separator: " ") }
      if !annotation.isEmpty { line += (tags.isEmpty ? " #" : "") + " # \(quoted(annotation))" }
      return line
    }

    /// Makes random intervals in order from 1 September 2026 on; the last one is open.
    static func random(_ count: Int, _ random: inout some RandomNumberGenerator) -> [Interval] {
      let tags = [
        "focus", "a b", "x\"y", "back\\slash", "ü", "c/d", "+plus", "Z", "日 本", "a-b", "50%",
        "@at", "q'q", "1", "()",
      ]
      let notes = [
        "", "", "note", "q \"quoted\" / \\ slash", "ünï 日本 🎉", "it's", "#hash", "two  blanks",
      ]
      var second = 1_788_220_800
      func stamp(_ second: Int) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
      }
      return (0..<count).map { number in
        second += [0, 1, 59, 3_600, 90_000].randomElement(using: &random) ?? 0
        let start = second
        second += [1, 60, 3_599, 7_200, 43_000].randomElement(using: &random) ?? 0
        return Interval(
          start: stamp(start), end: number == count - 1 ? nil : stamp(second),
          tags: Array(tags.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))),
          annotation: notes.randomElement(using: &random) ?? "")
      }
    }
  }

  @Test func `an extension reads what timewarrior gives it, but for the ids`() throws {
    try withSeed { random in
      try withTemporaryDirectory { folder in
        let desk = try Desk(folder)
        try desk.expectSame([], "no data")
        try desk.record(Interval.random(24, &random))
        #expect(try desk.expectSame([]) == 24)
        var found = 0
        for words in [
          ":all", "focus", "c/d", "+plus", "@at", "1", "nosuch", "2026-09-03", "monday",
          "9:00", "30min", ":day", ":week", ":month", ":quarter", ":year", ":yesterday",
          ":lastweek", ":lastmonth", ":lastquarter", ":lastyear", ":fortnight", ":monday", ":ids",
        ].map({ [$0] }) + [
          ["a b", "x\"y"], ["focus", "50%", "()", "a b", "q'q"], ["2026-09-01", "-", "2026-09-05"],
          ["from", "2026-09-05"], ["from", "2026-09-05", "to", "2026-09-08", "ü"],
          ["focus", "2026-09-02T09:00", "-", "2026-09-08T10:00"],
          ["20260902T070000Z", "-", "20260903T100000Z"], ["2026-09-03", "for", "2h"],
          ["2h", "before", "12:00"], ["2h", "after", "12:00"], ["2h", "ago"], ["for", "30min"],
          ["9:00", "-", "10:00"], ["rc.a.b=c d", ":quiet", "rc.verbose:x"], [":color", ":yes"],
        ] {
          found += try desk.expectSame(words)
        }
        #expect(found > 24)
      }
    }
  }

  @Test func `the settings are those of timewarrior's file`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      let shared = "\(folder)/a/b/c/shared.cfg"
      try FileManager.default.createDirectory(
        atPath: "\(folder)/a/b/c", withIntermediateDirectories: true)
      try "shared.one = 1\nno setting\nshared.two = 2\n"
        .write(toFile: shared, atomically: true, encoding: .utf8)
      for text in [
        "a.b = c d\nverbose=off\n  x =  y # comment\n\nempty =\nquoted = \"q r\"\n",
        "ü.ö = ä / \\ \"\n",
        "color = on\ntemp.db = x\nreports.day.hours = auto\n", "a = b\nno setting\nc = d\n",
        "a: b\nc = d\n", "a = b\r\nc = d\r\n", "2026-03-02 = x\na-b = c\nd = e\n",
        """
        define holidays:
          en-US:
            2026_01_01 = New Year
            2026_07_04 = Independence Day
        define tags:
          focus:
            color = "red on blue"
        last = 1
        define unknown:
          a = b
        never = 1
        """, "define exclusions:\n  monday = <8:00 12:00-12:45 >17:30\n", "define x\ny = z\n",
        "define tags:\n   a:\n  b = 1\nc = d\n", "import \(shared)\nafter = 1\n",
        "import \(folder)/a/b/c/missing.cfg\nafter = 1\n", "import shared.cfg\nafter = 1\n",
        "import /usr/share/doc/timewarrior/doc/holidays/holidays.en-US\nz = 1\n",
      ] {
        try text.write(
          toFile: "\(desk.timewarrior)/timewarrior.cfg", atomically: true, encoding: .utf8)
        try desk.expectSame([], "\(text)")
      }
    }
  }

  @Test func `random lines of settings are read as timewarrior does`() throws {
    let pieces = [
      "a", "b.c", "tags", "define ", "reports:", "tags:", "x:", "=", " = ", " = ", " ", "  ",
      "\n", "\n", "\n  ", "\n    ", "#c", "\"q r\"", "'s'", "-", "/", "1", "2026-03-02", ":", "\t",
      "\r\n", "(", "==", "a=b", "import ", "/a/b/c/d", "holidays:", "2026_01_01",
    ]
    try withSeed { random in
      try withTemporaryDirectory { folder in
        let desk = try Desk(folder)
        for _ in 0..<cycles(300) {
          let count = Int.random(in: 1...25, using: &random)
          let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
          try text.write(
            toFile: "\(desk.timewarrior)/timewarrior.cfg", atomically: true, encoding: .utf8)
          try desk.expectSame([], "\(text.debugDescription)")
        }
      }
    }
  }

  @Test func `a project, a task and a description have a place in the interval`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      try desk.fine([
        "add", "--from", "2026-03-02T09:00:00Z", "--to", "2026-03-02T10:00:00Z", "--project", "p q",
        "--tag", "z", "--note", "one", "--note", "two", "--", "write",
      ])
      try desk.fine(["extension", "save", ":all", "@p q"])
      let text = try String(contentsOfFile: desk.saved, encoding: .utf8)
      #expect(
        text.hasSuffix(
          """
          [
          {"id":0,"start":"20260302T090000Z","end":"20260302T100000Z","tags":["p q","z"],\
          "annotation":"write; one; two"}
          ]

          """), "\(text)")
      #expect(text.contains("\ntemp.report.tags: p q\n"))
      // The names of periods are tags.
      for tag in ["march", "week"] {
        try desk.fine(["extension", "save", ":all", tag])
        let text = try String(contentsOfFile: desk.saved, encoding: .utf8)
        #expect(text.contains("\ntemp.report.tags: \(tag)\n"))
      }
    }
  }

  @Test func `a range of an extension is in the given zone`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      try desk.fine(["add", "--from", "2026-03-02T09:00:00Z", "--to", "2026-03-02T10:00:00Z", "x"])
      for (zone, start) in [("Asia/Tokyo", "20260302T150000Z"), ("UTC", "20260303T000000Z")] {
        let text = try desk.fromTrack(["--tz", zone, "2026-03-03"])
        #expect(text.contains("\ntemp.report.start: \(start)\n"), "\(text)")
      }
    }
  }

  @Test func `an extension is found by its name, and listed with its folder`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      try desk.install("both.sh", "#!/bin/sh\necho theirs\n")
      try desk.install("both.sh", "#!/bin/sh\necho ours\n", in: "config/retrace")
      try desk.install("plain", "echo shell $1\n")
      try desk.install("closed", "#!/bin/sh\n", mode: "644")
      try desk.install("start", "#!/bin/sh\necho hidden by the command\n")
      let own = "\(folder)/config/retrace/extensions"
      #expect(
        try desk.fine(["extension"]).lines == [
          "\(own)/both.sh", "\(desk.timewarrior)/extensions/closed  (not executable)",
        ] + ["plain", "save", "start"].map { "\(desk.timewarrior)/extensions/\($0)" })
      let listed = try json(desk.fine(["extension", "--json"])) as? [[String: Any]]
      #expect(listed?.count == 5)
      #expect(listed?[1]["executable"] as? Bool == false)
      for name in ["both.sh", "both", "bo"] {
        #expect(try desk.fine(["extension", name]) == "ours\n")
      }
      // Without the word `extension`, a prefix of a name is not enough.
      #expect(try desk.fine(["both", ":week"]) == "ours\n")
      #expect(try desk.fine(["both.sh"]) == "ours\n")
      #expect(try desk.fine(["plain"]) == "shell\n")
      #expect(!(try desk.fine(["start", "x"]).contains("hidden")))
      try expectFailure(
        ["track", "bot"], exit: 64, mentions: ["no command bot"],
        environment: desk.environment)
      try expectFailure(
        ["track", "strat"], exit: 64, mentions: ["Did you mean start"],
        environment: desk.environment)
      try expectFailure(
        ["track", "extension", "plian"], exit: 64, mentions: ["Did you mean plain"],
        environment: desk.environment)
      try expectFailure(
        ["track", "extension", "s"], exit: 64, mentions: ["save, start"],
        environment: desk.environment)
      try expectFailure(
        ["track", "extension", "closed"], exit: 6, mentions: ["chmod +x"],
        environment: desk.environment)
      try expectFailure(
        ["track", "extension", "save", "2026-09-05", "-", "2026-09-01"], exit: 64,
        mentions: ["before its start"], environment: desk.environment)
      try desk.install("lost", "#!/nonexistent/interpreter\n")
      try expectFailure(
        ["track", "extension", "lost"], exit: 6, mentions: ["interpreter"],
        environment: desk.environment)
      var environment = desk.environment
      environment["TIMEWARRIORDB"] = "\(folder)/none"
      environment["XDG_CONFIG_HOME"] = "\(folder)/none"
      #expect(
        try expectFine(["track", "extension"], environment: environment)
          == "There are no extensions in \(folder)/none/retrace/extensions or "
          + "\(folder)/none/extensions.\n")
    }
  }

  @Test func `timewarrior's folder is that of its variable, else that of the home`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      let script = "#!/bin/sh\ngrep '^temp.db'\n"
      for place in ["home/.timewarrior", "config/timewarrior", "other"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(place)/extensions", withIntermediateDirectories: true)
        try desk.install("where", script, in: place)
      }
      var environment = desk.environment
      func database(_ path: String?) throws -> String {
        environment["TIMEWARRIORDB"] = path ?? ""
        return try expectFine(["track", "where"], environment: environment)
      }
      #expect(try database("\(folder)/other") == "temp.db: \(folder)/other\n")
      #expect(try database("~/.timewarrior") == "temp.db: \(folder)/home/.timewarrior\n")
      #expect(try database(nil) == "temp.db: \(folder)/home/.timewarrior\n")
      try FileManager.default.removeItem(atPath: "\(folder)/home/.timewarrior")
      environment["XDG_DATA_HOME"] = "\(folder)/data"
      #expect(try database(nil) == "temp.db: \(folder)/data/timewarrior\n")
    }
  }

  @Test func `the exit code and both outputs are the extension's, whatever it reads`() throws {
    try withTemporaryDirectory { folder in
      let desk = try Desk(folder)
      // More than a pipe holds.
      let note = String(repeating: "x", count: 50_000)
      for hour in 1...8 {
        try desk.fine([
          "add", "--from", "2026-03-02T0\(hour):00:00Z", "--to", "2026-03-02T0\(hour):30:00Z",
          "--note", note,
        ])
      }
      try desk.install("count", "#!/bin/sh\nwc -c\necho warned >&2\nexit 7\n")
      try desk.install("deaf", "#!/bin/sh\nexec <&-\nsleep 0.2\necho said\n")
      try desk.install("brief", "#!/bin/sh\nhead -c 10 >/dev/null\nexit 3\n")
      // It writes much before it reads anything.
      try desk.install("loud", "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' y\ncat >/dev/null\n")
      try desk.install("killed", "#!/bin/sh\nkill -TERM $$\n")
      try desk.install("lines", "#!/bin/sh\nyes\n")
      let counted = try desk.track(["extension", "count"])
      #expect(counted.status == 7 && counted.errors == "warned\n")
      let bytes = try #require(Int(counted.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(bytes > 8 * 50_000)
      #expect(try desk.fine(["deaf"]) == "said\n")
      #expect(try desk.track(["brief"]).status == 3)
      #expect(try desk.fine(["loud"]).utf8.count == 300_000)
      #expect(try desk.track(["killed"]).status == 143)
      let batch = try runProgram(
        Tools.url("track").path, ["batch", "--store", desk.store],
        input: Data("extension deaf\n".utf8),
        environment: ProcessInfo.processInfo.environment
          .merging(desk.environment) { _, new in new })
      #expect(batch.status == 64 && batch.errors.contains("cannot be part of a batch"))
      let shell = try runProgram(
        "/bin/sh", ["-c", "'\(Tools.url("track").path)' lines | head -n 1"],
        environment: ProcessInfo.processInfo.environment
          .merging(desk.environment) { _, new in new })
      #expect(shell.status == 0 && shell.output == "y\n" && shell.errors == "")
    }
  }
}
