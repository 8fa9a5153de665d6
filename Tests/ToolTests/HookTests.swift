import Foundation
import Testing
import ToolTestSupport

/// Programs of the user that run after changes of entries.
@Suite struct HookTests {
  /// A store and a folder of hooks in a temporary directory.
  struct Desk {
    let folder: String
    var store: String { "\(folder)/s" }
    /// Where the hooks log what they read.
    var told: String { "\(folder)/told" }
    var environment: [String: String] { ["XDG_CONFIG_HOME": "\(folder)/config"] }

    init(_ folder: String) throws {
      self.folder = folder
      try FileManager.default.createDirectory(
        atPath: "\(folder)/config/retrace/hooks", withIntermediateDirectories: true)
    }

    /// Writes a hook.
    func install(_ name: String, _ script: String, mode: String = "755") throws {
      let path = "\(folder)/config/retrace/hooks/\(name)"
      // Another process writes it: a program that is open for writing, in a process that another
      // test starts meanwhile too, cannot be executed.
      let written = try runProgram(
        "/bin/sh", ["-c", "cat > '\(path)' && chmod \(mode) '\(path)'"], input: Data(script.utf8))
      try #require(written.status == 0, "\(written.errors)")
    }

    /// Installs all hooks; each logs what it reads.
    func installAll() throws {
      for name in ["on-start", "on-stop", "on-edit"] {
        try install(
          name, "#!/bin/sh\nprintf '%s ' \"$RETRACE_HOOK\" >> '\(told)'\ncat >> '\(told)'\n")
      }
    }

    /// Runs a command on 2 March 2026 at a time of the day in UTC.
    func command(_ words: String, _ time: String = "12:00") -> [String] {
      let words = words.split(separator: " ").map(String.init)
      return [
        "track", words[0], "--store", store, "--now",
        "2026-03-02T\(time.count < 5 ? "0" : "")\(time):00Z",
      ]
        + words.dropFirst()
    }

    func run(_ words: String, _ time: String = "12:00") throws -> ToolResult {
      let command = command(words, time)
      return try ToolTestSupport.run(
        command[0], Array(command.dropFirst()), environment: environment)
    }

    /// Runs a command that succeeds and whose hooks do.
    @discardableResult
    func fine(_ words: String, _ time: String = "12:00") throws -> String {
      try expectFine(command(words, time), environment: environment)
    }

    /// Returns the calls of hooks since the last call: the name of the hook and its object.
    func takeTold() throws -> [(name: String, object: [String: Any])] {
      guard FileManager.default.fileExists(atPath: told) else { return [] }
      defer { try? FileManager.default.removeItem(atPath: told) }
      return try String(contentsOfFile: told, encoding: .utf8).lines.map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        let object = try #require(try json(String(parts.element(1))) as? [String: Any])
        #expect(try object["event"] as? String == String(parts.element(0)))
        return try (String(parts.element(0)), object)
      }
    }

    /// Returns what the hooks were told as the name, and the description and the end of the entry
    /// before and after.
    func takeEvents() throws -> [String] {
      func text(_ value: Any?) -> String {
        guard let entry = value as? [String: Any] else { return "none" }
        let deleted = entry["deleted"] as? Bool == true ? " deleted" : ""
        return "\(entry["description"] ?? "") \(entry["end"] as? String ?? "now")\(deleted)"
          .replacing("2026-03-02T", with: "")
      }
      return try takeTold().map { name, object in
        name == "on-edit"
          ? "\(name) \(text(object["before"])) > \(text(object["after"]))"
          : "\(name) \(text(object["entry"]))"
      }
    }
  }

  private func withDesk(_ body: (Desk) throws -> Void) throws {
    try withTemporaryDirectory { folder in try body(Desk(folder)) }
  }

  @Test func `one hook runs for each change of an entry`() throws {
    try withDesk { desk in
      try desk.installAll()
      try desk.fine("start 9:00 a", "9:00")
      #expect(try desk.takeEvents() == ["on-start a now"])
      try desk.fine("switch b", "10:00")
      #expect(try desk.takeEvents() == ["on-stop a 10:00:00Z", "on-start b now"])
      try desk.fine("stop", "11:00")
      #expect(try desk.takeEvents() == ["on-stop b 11:00:00Z"])
      try desk.fine("continue 0")
      #expect(try desk.takeEvents() == ["on-start a now"])
      try desk.fine("cancel")
      #expect(try desk.takeEvents() == ["on-edit a now > a now deleted"])
      try desk.fine("add 8:00 - 8:30 c")
      #expect(try desk.takeEvents() == ["on-edit none > c 08:30:00Z"])
      try desk.fine("edit 1 d")
      #expect(try desk.takeEvents() == ["on-edit b 11:00:00Z > d 11:00:00Z"])
      try desk.fine("undo 2")
      #expect(
        try desk.takeEvents() == [
          "on-edit d 11:00:00Z > b 11:00:00Z", "on-edit c 08:30:00Z > c 08:30:00Z deleted",
        ])
      try desk.fine("redo")
      #expect(try desk.takeEvents() == ["on-edit c 08:30:00Z deleted > c 08:30:00Z"])
      try desk.fine("split 1 10:30")
      #expect(
        try desk.takeEvents() == [
          "on-edit b 11:00:00Z > b 10:30:00Z", "on-edit none > b 11:00:00Z",
        ])
      // A command that changes no entry runs no hook.
      for words in ["log", "status", "delete 1 --dry-run", "projects create p", "tags", "report"] {
        try desk.fine(words)
      }
      #expect(try desk.run("stop").status == 1)
      #expect(try desk.takeEvents() == [])
    }
  }

  @Test func `a hook reads the entry as the command prints it`() throws {
    try withDesk { desk in
      try desk.installAll()
      let printed = try json(desk.fine("start 9:00 write @p +t --note n --json", "9:30"))
      let object = try #require(printed as? [String: Any])
      let told = try #require(try desk.takeTold().first?.object)
      #expect(Set(told.keys) == ["event", "store", "sequence", "entry"])
      #expect((told["entry"] as? NSDictionary) == (object["entry"] as? NSDictionary))
      #expect((told["sequence"] as? Int) == (object["sequence"] as? Int))
      #expect(told["store"] as? String == desk.store)
      try desk.fine("annotate 0 more", "10:00")
      let edit = try #require(try desk.takeTold().first?.object)
      #expect(Set(edit.keys) == ["event", "store", "sequence", "before", "after"])
      let (before, after) = (edit["before"] as? [String: Any], edit["after"] as? [String: Any])
      #expect(before?["annotations"] as? [String] == ["n"])
      #expect(after?["annotations"] as? [String] == ["n", "more"])
    }
  }

  @Test func `the hooks of a batch run after its last line, also after one that fails`() throws {
    try withDesk { desk in
      try desk.installAll()
      let lines = "start 9:00 a\nswitch 9:30 b\nstart nothing @a @b\nstop 10:00\n"
      let result = try runProgram(
        Tools.url("track").path,
        ["batch", "--store", desk.store, "--now", "2026-03-02T12:00:00Z"],
        input: Data(lines.utf8),
        environment: ProcessInfo.processInfo.environment
          .merging(desk.environment.merging(["TZ": "UTC"]) { _, new in new }) { _, new in new })
      #expect(result.status == 64)
      #expect(
        try desk.takeEvents() == ["on-start a now", "on-stop a 09:30:00Z", "on-start b now"])
    }
  }

  @Test func `a hook can change the store, which runs no further hooks`() throws {
    try withDesk { desk in
      let track = Tools.url("track").path
      try desk.install(
        "on-stop",
        """
        #!/bin/sh
        cat > /dev/null
        '\(track)' tag --store '\(desk.store)' -1 hooked >> '\(desk.told)' 2>&1
        '\(track)' start --store '\(desk.store)' next >> '\(desk.told)' 2>&1
        """)
      try desk.install("on-start", "#!/bin/sh\nexit 9\n")
      try desk.install("on-edit", "#!/bin/sh\nexit 9\n")
      _ = try desk.run("start 9:00 a", "9:00")
      try desk.fine("stop", "10:00")
      let told = try String(contentsOfFile: desk.told, encoding: .utf8)
      #expect(told.contains("hooked") && told.contains("started"), "\(told)")
      let log = try desk.fine("log --json")
      #expect(log.contains("\"hooked\"") && log.contains("\"next\""))
    }
  }

  @Test func `a hook that fails is one line on standard error, and the command succeeds`() throws {
    try withDesk { desk in
      let hooks = "\(desk.folder)/config/retrace/hooks"
      try desk.install("on-start", "#!/bin/sh\necho said\necho warned >&2\nexit 3\n")
      let result = try desk.run("start 9:00 a --json", "9:00")
      #expect(result.status == 0)
      // The output of the command is its own.
      #expect(try json(result.output) is [String: Any])
      #expect(
        result.errors == "said\nwarned\n"
          + "track: The hook on-start failed with exit code 3: \(hooks)/on-start\n")
      try desk.install("on-stop", "#!/bin/sh\nkill -9 $$\n")
      #expect(
        try desk.run("stop", "10:00").errors
          == "track: The hook on-stop was ended by signal 9: \(hooks)/on-stop\n")
      try desk.install("on-edit", "#!/bin/sh\n", mode: "644")
      let edit = try desk.run("edit 0 b")
      #expect(
        edit.status == 0
          && edit.errors == "track: The hook on-edit is no executable file: \(hooks)/on-edit\n")
      try desk.install("on-edit", "#!/nonexistent/program\n", mode: "755")
      let lost = try desk.run("edit 0 c")
      #expect(lost.status == 0 && lost.errors.hasPrefix("track: The hook on-edit was not run, "))
      #expect(lost.errors.lines.count == 1)
      // A script without a first line runs in the shell; it need not read its input.
      try desk.install("on-edit", "exec <&-\n")
      try desk.fine("edit 0 d")
    }
  }

  @Test func `a hook that fails several times is reported in one line`() throws {
    try withDesk { desk in
      for hour in 8...10 { try desk.fine("add \(hour):00 - \(hour):30 a") }
      try desk.install("on-edit", "#!/bin/sh\ncat > /dev/null\nexit 3\n")
      let hook = "\(desk.folder)/config/retrace/hooks/on-edit"
      #expect(
        try desk.run("undo 3").errors
          == "track: The hook on-edit failed with exit code 3, 3 times: \(hook)\n")
      // Each failure has a line of its own.
      try desk.install(
        "on-edit",
        "#!/bin/sh\ncat > /dev/null\nmkdir '\(desk.folder)/d' 2>/dev/null && exit 4\nexit 3\n")
      #expect(
        try desk.run("redo 3").errors
          == "track: The hook on-edit failed with exit code 4: \(hook)\n"
          + "track: The hook on-edit failed with exit code 3, 2 times: \(hook)\n")
    }
  }

  @Test func `a hook that does not end is killed with the processes that it started`() throws {
    try withDesk { desk in
      let note = String(repeating: "x", count: 60_000)
      let hooks = "\(desk.folder)/config/retrace/hooks"
      // It reads nothing of an input that is larger than a pipe holds.
      try desk.install("on-edit", "#!/bin/sh\nsleep 600 &\necho $! > '\(desk.told)'\nwait\n")
      let command = desk.command("add 8:00 - 9:00 a --note \(note)")
      let result = try run(
        command[0], Array(command.dropFirst()), environment: desk.environment)
      #expect(result.status == 0 && result.output.hasPrefix("added"))
      #expect(
        result.errors
          == "track: The hook on-edit was ended after 10 seconds: \(hooks)/on-edit\n")
      let sleeper = try String(contentsOfFile: desk.told, encoding: .utf8).lines.element(0)
      let state = try? String(contentsOfFile: "/proc/\(sleeper)/stat", encoding: .utf8)
      // The process has ended; its parent may not have waited for it yet.
      #expect(state?.contains(") Z ") ?? true)
    }
  }

  @Test func `no file of the store is open in a hook or in an extension`() throws {
    try withDesk { desk in
      let list = "#!/bin/sh\nls -l /proc/self/fd > '\(desk.told)'\ncat > /dev/null\n"
      for name in ["on-start", "on-stop"] { try desk.install(name, list) }
      for words in ["start 9:00 a", "stop"] {
        try desk.fine(words, "10:00")
        let files = try String(contentsOfFile: desk.told, encoding: .utf8)
        #expect(files.contains(" 0 -> ") && !files.contains(desk.store), "\(files)")
      }
      try FileManager.default.moveItem(
        atPath: "\(desk.folder)/config/retrace/hooks",
        toPath: "\(desk.folder)/config/retrace/extensions")
      try desk.fine("extension on-start")
      let files = try String(contentsOfFile: desk.told, encoding: .utf8)
      #expect(files.contains(" 0 -> ") && !files.contains(desk.store), "\(files)")
    }
  }

  /// The app on a pipe, at 12:00.
  private struct App {
    let process: RunningTool

    init(_ desk: Desk) throws {
      process = try RunningTool(
        "track",
        ["app", "--store", desk.store, "--size", "72x12", "--now", "2026-03-02T12:00:00Z"],
        environment: desk.environment)
    }

    /// Sends lines and awaits their answers; returns what is shown if the last one asks for it.
    @discardableResult
    func send(_ lines: String...) throws -> [String] {
      var shown: [String] = []
      for line in lines {
        process.send(line)
        shown = []
        while let answer = process.readLine(), !answer.hasPrefix("ok ") { shown.append(answer) }
      }
      return shown
    }

    /// Asks for the screen until it has a line.
    func awaitLine(_ line: String) throws {
      for _ in 0..<2_000 {
        if try send("screen").contains(line) { return }
        usleep(10_000)
      }
      Issue.record("no line \(line): \(try send("screen"))")
    }

    func end() {
      let result = process.finish()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
  }

  @Test func `a change in the app runs the hooks of the command line`() throws {
    try withDesk { desk in
      try desk.installAll()
      let app = try App(desk)
      try app.send("text:anna", "enter", "text:n", "text:plan", "enter", "text:s")
      try app.send("down", "text:e", "text:s", "enter", "up", "down", "text:d", "text:z", "text:z")
      // The app ends after its hooks.
      app.end()
      #expect(
        try desk.takeEvents() == [
          "on-start plan now", "on-stop plan 12:00:00Z",
          "on-edit plan 12:00:00Z > plans 12:00:00Z",
          "on-edit plans 12:00:00Z > plans 12:00:00Z deleted",
          "on-edit plans 12:00:00Z deleted > plans 12:00:00Z",
          "on-edit plans 12:00:00Z > plan 12:00:00Z",
        ])
    }
  }

  @Test func `no key of the app waits for a hook, whose output and failure are a notice`() throws {
    try withDesk { desk in
      try desk.installAll()
      let go = "\(desk.folder)/go"
      let wait = "while [ ! -e '\(go)' ]; do sleep 0.02; done"
      try desk.install(
        "on-start", "#!/bin/sh\ncat >/dev/null\n\(wait)\nprintf 'told\\033[2J us\\n'\n")
      try desk.install("on-edit", "#!/bin/sh\necho why >&2\nexit 3\n")
      let app = try App(desk)
      try app.send("text:anna", "enter", "text:n", "text:plan", "enter")
      // The hook has not ended, and the app goes on.
      try app.send("text:?", "escape", "down", "up")
      #expect(try !app.send("screen").contains { $0.contains("told") })
      try Data().write(to: URL(fileURLWithPath: go))
      // A control character is shown, not sent.
      try app.awaitLine("told\\u{1B}[2J us")
      let replayed = try expectFine([
        "replay", "screen", "--store", desk.store, "--size", "72x12",
      ])
      #expect(replayed.contains("told\\u{1B}[2J us"))
      try app.send("down", "text:s", "down", "text:d")
      let hooks = "\(desk.folder)/config/retrace/hooks"
      for _ in 0..<2_000 {
        if try app.send("screen").joined().contains("The hook on-edit failed") { break }
        usleep(10_000)
      }
      let screen = try app.send("screen").joined(separator: " ")
      #expect(screen.contains("! The hook on-edit failed with exit code 3"), "\(hooks): \(screen)")
      app.end()
      #expect(try desk.takeEvents() == ["on-stop plan 12:00:00Z"])
    }
  }

  @Test func `a hook that uses track in the app is seen in it, and runs no hooks`() throws {
    try withDesk { desk in
      let track = Tools.url("track").path
      try desk.install(
        "on-start",
        "#!/bin/sh\ncat >/dev/null\n'\(track)' add --store '\(desk.store)' --user anna "
          + "--now 2026-03-02T12:00:00Z 8:00 - 9:00 'from the hook' >/dev/null\n")
      let app = try App(desk)
      try app.send("text:anna", "enter", "text:n", "text:plan", "enter")
      for _ in 0..<2_000 {
        if try app.send("screen").joined().contains("from the hook") { break }
        usleep(10_000)
      }
      #expect(try app.send("screen").joined().contains("from the hook"))
      app.end()
    }
  }

  @Test func `the folder of hooks is looked up once, and only by changes`() throws {
    try withDesk { desk in
      try FileManager.default.removeItem(atPath: "\(desk.folder)/config/retrace")
      func lookups(_ words: String) throws -> Int {
        let command = desk.command(words)
        let trace = "\(desk.folder)/trace"
        let result = try runProgram(
          "/usr/bin/strace",
          ["-f", "-e", "trace=%file", "-o", trace, Tools.url("track").path]
            + command.dropFirst(),
          environment: ProcessInfo.processInfo.environment
            .merging(Tools.withoutSettings) { $1 }.merging(desk.environment) { $1 })
        #expect(result.status == 0, "\(result.errors)")
        return try String(contentsOfFile: trace, encoding: .utf8).occurrences(of: "/hooks")
      }
      #expect(try lookups("start 9:00 a") == 1)
      #expect(try lookups("switch b") == 1)
      for words in ["status", "log", "report", "stop --dry-run", "projects"] {
        #expect(try lookups(words) == 0, "\(words)")
      }
    }
  }
}
