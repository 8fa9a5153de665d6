import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Commands that work beside one another, and the exit codes of those that cannot.
@Suite struct SharingTests {
  @Test func `readers work beside the app, and see what it acknowledged`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      let app = try PipedApp("\(folder)/s")
      for line in ["text:anna", "enter", "text:n", "text:draft"] { try app.press(line) }
      let last = try app.press("text:s")
      let readers: [[String]] = [
        ["track", "log"], ["track", "status"], ["track", "route"], ["replay", "sessions"],
        ["replay", "show"], ["replay", "state"], ["replay", "route"], ["replay", "screen"],
        ["replay", "verify"], ["audit", "verify"], ["audit", "list"],
        ["audit", "export", "--output", "\(folder)/x.avro"],
      ]
      for reader in readers { try expectFine(reader + store) }
      let screen = try app.screen()
      let replayed = try expectFine(["replay", "screen", "--size", "72x20"] + store)
      #expect(replayed.lines == screen)
      let verified = try object(expectFine(["replay", "verify", "--json"] + store))
      #expect(verified["records"] as? Int == last)
      // The readers did not disturb the writer.
      #expect(try app.press("text:!") == last + 1)
      app.end()
    }
  }

  @Test func `a writer that does not share is named, and excludes every other writer`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "a", "--user", "anna"] + store)
      try Data("a,b\n1/2/2020,5\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let other = try ByteRangeLock.open("\(folder)/s/owner.lock")
      #expect(try other.tryExclusive(at: 1 << 62))
      for writer in Self.writers(folder) {
        try expectFailure(
          writer + store, exit: 5, mentions: ["process \(ThisProcess.identifier)", "\(folder)/s"])
      }
      try other.release(at: 1 << 62)
      try expectFine(["track", "stop", "--user", "anna"] + store)
      #expect(try expectFine(["track", "log"] + store).entryLines.count == 1)
    }
  }

  @Test func `commands write beside an open app, which goes on from what they did`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "a", "--user", "anna"] + store)
      try Data("a,b\n1/2/2020,5\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let app = try PipedApp("\(folder)/s")
      var last = try app.press("down")
      for writer in Self.writers(folder).dropLast() {
        try expectFine(writer + store)
        let next = try app.press("up")
        #expect(next > last + 1)
        last = next
      }
      app.end()
      #expect(try expectFine(["track", "log"] + store).entryLines.count == 4)
      try expectFine(["replay", "verify"] + store)
    }
  }

  /// Every command that writes, the app last.
  private static func writers(_ folder: String) -> [[String]] {
    [
      ["track", "start", "b", "--user", "anna"], ["track", "stop", "--user", "anna"],
      ["track", "continue", "--user", "anna"],
      [
        "track", "import", "\(folder)/f.csv", "--column", "start=a", "--column", "duration=b",
        "--date-format", "M/d/yyyy", "--duration-unit", "minutes",
      ],
      ["track", "app"],
    ]
  }

  @Test func `a killed writer blocks no other`() throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      try app.press("text:anna")
      #expect(app.process.kill())
      try expectFine(["track", "start", "a", "--store", "\(folder)/s"])
      let sessions = try sessions("\(folder)/s")
      #expect(sessions.map { $0["end"] as? String } == ["found dead", "closed"])
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal that asks the app to end is in the last record`(signal: Int32) throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      try app.press("text:anna")
      #expect(app.process.kill(signal))
      let sessions = try sessions("\(folder)/s")
      #expect(sessions.map { $0["end"] as? String } == ["signal \(signal)"])
      #expect(try sessions.element(0)["closed"] as? Bool == true)
      #expect(try attemptedSessions(in: "\(folder)/s") == [])
      #expect(try marksInUse(of: "\(folder)/s").isEmpty)
    }
  }

  @Test func `a session records its user, host and process, and whether its clock is fixed`() throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try expectFine(["track", "start", "a", "--store", store])
      try expectFine(
        ["track", "start", "b", "--user", "bo", "--store", store, "--now", "2126-03-02T09:00:00Z"])
      let origins = try sessions(store).compactMap { $0["origin"] as? [String: Any] }
      #expect(origins.map { $0["isClockFixed"] as? Bool } == [false, true])
      #expect(Set(origins.compactMap { $0["process"] as? Int }).count == 2)
      let user = ProcessInfo.processInfo.userName
      let host = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8).lines
        .element(0)
      #expect(origins.compactMap { $0["login"] as? String } == [user, user])
      #expect(origins.compactMap { $0["host"] as? String } == [host, host])
    }
  }

  private func sessions(_ store: String) throws -> [[String: Any]] {
    let output = try expectFine(["replay", "sessions", "--json", "--store", store])
    return try #require(try json(output) as? [[String: Any]])
  }

  @Test func `a command line that is not understood exits with 64`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      for (command, word) in [
        (["track", "strat"], "strat"), (["track", "move"], "id"),
        (["track", "cancel", "a"], "a"), (["track", "log", "--color"], "--color"),
        (["track", "log", "--limit", "x"], "--limit"), (["track", "log", "--limit=-1"], "--limit"),
        (["track", "status", "--now", "noon"], "--now"),
        (["track", "app", "--size", "big"], "--size"),
        (["track", "app", "--size", "0x0"], "--size"),
        // Options that a command would ignore.
        (["track", "log", "--totals", "--limit", "1"], "--limit"),
        (["track", "log", "--totals", "--csv"], "--csv"),
        (["replay", "state", "--at", "first"], "--at"), (["audit", "export"], "--output"),
      ] {
        try expectFailure(command + store, exit: 64, mentions: [word])
      }
      // Each sentence ends once, and the commands are those that help shows.
      for words in [["track", "strat"], ["track", "log", "--jsn"]] {
        let errors = try run(words[0], Array(words.dropFirst())).errors
        #expect(!errors.contains("try-fold") && !errors.contains("?."), "\(errors)")
      }
      for tool in ["track log", "replay verify", "audit verify"] {
        let words = tool.split(separator: " ").map(String.init)
        try expectFailure(words + ["--store", ""], exit: 64, mentions: ["--store is empty"])
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/s"))
    }
  }

  @Test func `a path without a store, or where none can be, exits with 6`() throws {
    try withTemporaryDirectory { folder in
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
      for tool in [["replay", "verify"], ["audit", "verify"], ["replay", "sessions"]] {
        try expectFailure(
          tool + ["--store", "\(folder)/none"], exit: 6, mentions: ["no such directory"])
      }
      for command in [["track", "start", "a"], ["track", "log"], ["audit", "list"]] {
        try expectFailure(command + ["--store", "\(folder)/file"], exit: 6)
        try expectFailure(command + ["--store", folder], exit: 6, mentions: [folder])
      }
      try expectFailure(
        ["track", "start", "a", "--store", "/proc/none"], exit: 6, mentions: ["/proc/none"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func `a progress bar is for terminals`() throws {
    try withTemporaryDirectory { folder in
      var rows = "a,b\n"
      for row in 0..<5_000 { rows += "1/\(row % 28 + 1)/2020,\(row)\n" }
      try Data(rows.utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let command = """
        track import "$1/f.csv" --column start=a --column duration=b --date-format M/d/yyyy \
        --duration-unit minutes --store "$1/
        """
      let piped = try shell(command + "piped\"", [folder])
      #expect(piped.status == 0 && piped.errors == "", "\(piped.errors)")
      let terminal = try shell(
        "export TERM=xterm; script -qec '\(command)terminal\"' /dev/null".replacing(
          "$1", with: folder))
      #expect(terminal.status == 0)
      #expect(terminal.output.contains("importing"), "\(terminal.output)")
      #expect(terminal.output.contains("created         5000"))
    }
  }
}
