import Foundation
import Testing
import ToolTestSupport

/// No command of a tool leaves a trace of its process in the store.
@Suite struct ClosedStoreTests {
  /// Each command with its arguments; `DIR` is an empty folder.
  private static let commands: [[String]] = [
    ["replay", "sessions"], ["replay", "show"], ["replay", "state"], ["replay", "route"],
    ["replay", "screen"], ["replay", "step", "next", "diff"], ["replay", "history", "TimeEntry=0"],
    ["replay", "verify"], ["replay", "compare"], ["replay", "bench", "--rounds", "3"],
    ["replay", "export", "--changes"], ["replay", "backup", "DIR/backup"],
    ["replay", "salvage", "DIR/salvaged"], ["replay", "migrate", "DIR/migrated"],
    ["replay", "doctor"], ["replay", "schema", "--stored"],
    ["replay", "bundle", "--output", "DIR/log.bundle"],
    ["replay", "page", "--module", "DIR/s/FORMAT", "--output", "DIR/log.html"],
    ["audit", "verify"], ["audit", "list"], ["audit", "history", "UserID=0"],
    ["audit", "blame", "UserID=0"], ["audit", "schemas"],
    ["audit", "export", "--output", "DIR/records.avro"],
  ]

  /// The commands that take no option for a store.
  private static let ofBundles = ["ci", "open", "test", "worker"]

  /// Command lines that fail after they have opened the store, with their exit codes.
  private static let failing: [([String], Int32)] = [
    (["replay", "state", "--at", "99"], 7), (["replay", "screen", "--at", "0"], 7),
    (["replay", "route", "--scene", "9"], 7), (["replay", "history", "TimeEntry=9"], 7),
    (["replay", "show", "--at", "99"], 7), (["replay", "show", "--action", "none"], 64),
    (["replay", "step", "goto", "99"], 7), (["audit", "history", "UserID=9"], 7),
    (["audit", "list", "--mentions", "None=1"], 64), (["audit", "schemas", "--number", "9"], 7),
  ]

  private func withStore(_ body: (_ folder: String, _ store: String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      try app.press("text:anna")
      app.end()
      try expectFine(["track", "start", "a", "--user", "anna", "--store", "\(folder)/s"])
      try body(folder, "\(folder)/s")
    }
  }

  private func expectClosed(_ store: String, after command: [String]) throws {
    #expect(try marksInUse(of: store).isEmpty, "\(command)")
    let doctor = try object(expectFine(["replay", "doctor", "--json", "--store", store]))
    #expect((doctor["uncleanEnds"] as? [Any])?.isEmpty == true, "\(command)")
  }

  @Test func `the list has every command of replay and audit`() throws {
    for tool in ["replay", "audit"] {
      let help = try expectFine([tool, "--help"]).lines
      let start = try #require(help.firstIndex { $0.hasPrefix("SUBCOMMANDS:") })
      let names = help[start...].dropFirst().prefix { !$0.isEmpty }
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .map { String($0.dropFirst(2).prefix { $0 != " " }) }
      #expect(names.count > 5)
      let listed = Self.commands.filter { $0[0] == tool }.map { $0[1] }
      #expect(
        Set(names) == Set(listed + (tool == "replay" ? Self.ofBundles : [])), "\(tool)")
    }
  }

  @Test func `after a command succeeds, no file and no mark of its process is left`() throws {
    try withStore { folder, store in
      for command in Self.commands {
        let words = command.map { $0.replacing("DIR", with: folder) } + ["--store", store]
        let result = try run(words[0], Array(words.dropFirst()))
        // The store has the current format.
        let isRefused = command[1] == "migrate"
        #expect(isRefused || result.status == 0, "\(command): \(result.errors)")
        try expectClosed(store, after: command)
      }
    }
  }

  @Test func `after a command fails, no file and no mark of its process is left`() throws {
    try withStore { _, store in
      for (command, code) in Self.failing {
        let result = try run(command[0], Array(command.dropFirst()) + ["--store", store])
        #expect(result.status == code, "\(command): \(result.errors)")
        try expectClosed(store, after: command)
      }
    }
  }
}
