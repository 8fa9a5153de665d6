import Testing
import ToolTestSupport

/// The help of every command: what it is, examples, options with their meanings, on 80 columns.
@Suite struct HelpTests {
  static let commands: [[String]] =
    [
      "start", "stop", "switch", "continue", "cancel", "add", "edit", "delete", "annotate", "tag",
      "untag", "move", "lengthen", "shorten", "split", "join", "fill", "undo", "redo",
      "restore", "status", "log",
      "day", "week", "month", "report", "gaps", "close", "reopen", "projects", "clients", "tags",
      "route", "app",
      "import", "extension", "config", "tasks", "workspaces", "users", "goals", "preferences",
      "pause", "resume", "search",
      "history", "batch", "demo", "bugreport", "schema", "completions", "man",
    ].map { ["track", $0] }
    + [
      "sessions", "show", "state", "route", "screen", "step", "history", "verify", "compare",
      "bench", "export", "bundle", "page", "ci", "worker", "open",
      "test", "backup", "salvage", "migrate", "doctor", "schema",
    ].map { ["replay", $0] }
    + ["verify", "list", "history", "blame", "schemas", "export"].map { ["audit", $0] }

  /// The commands that read no store; the output of `worker` is JSON always.
  static let storeless = ["replay ci", "replay worker", "replay test", "replay open"]

  /// The options of each command beyond the common ones.
  static let promised: [String: [String]] = [
    "track start": [
      "--user", "--project", "--task", "--tag", "--note", "--policy", "--at", "--after-last",
      "--yes",
      "--dry-run",
    ],
    "track add": ["--from", "--to", "--for"], "track edit": ["--start", "--end", "--untag"],
    "track projects": ["--client", "--rate", "--all"],
    "track stop": ["--user", "--policy", "--tz"], "track continue": ["--user", "--policy"],
    "track status": ["--user", "--format"], "track gaps": ["--least", "--seconds"],
    "track log": [
      "--totals", "--user", "--limit", "--wide", "--color", "--no-pager", "--tz", "--csv",
      "--seconds", "--exact",
    ],
    "track day": ["--by", "--user", "--project", "--tag", "--billable", "--not-billable"],
    "track week": ["--by", "--user"], "track month": ["--by", "--user"],
    "track report": [
      "--by", "--round", "--round-mode", "--round-level", "--project", "--tag", "--billable",
      "--not-billable", "--user", "--csv", "--goals", "--seconds",
    ],
    "track app": ["--now", "--size", "--scene", "--at"], "track extension": ["--now", "--user"],
    "track import": [
      "--format", "--source", "--column", "--date-format", "--duration-unit", "--zone", "--strict",
      "--cancel", "--acknowledge",
    ],
    "replay state": ["--at"], "replay route": ["--at"],
    "replay screen": ["--at", "--size", "--format", "--theme"],
    "replay step": ["--at", "--lines", "--follow", "--limit"],
    "replay show": ["--at", "--mentions", "--action", "--each"], "replay compare": ["--with"],
    "replay bench": ["--baseline", "--with", "--rounds", "--at", "--seed"],
    "replay page": ["--output", "--module", "--through", "--allow", "--plain"],
    "replay open": ["--at", "--scene", "--size", "--json"],
    "replay ci": ["--jobs", "--junit", "--declare", "--timeout", "--json"],
    "replay worker": ["--timeout"], "replay test": ["--output", "--json"],
    "replay export": ["--changes", "--format", "--exact"],
    "audit export": ["--output", "--flat", "--format", "--exact", "--through"],
    "replay verify": ["--every", "--no-invariants", "--decide"],
    "audit list": [
      "--last", "--mentions", "--action", "--session", "--kind", "--since", "--until",
      "--salvage",
    ],
  ]

  @Test(arguments: HelpTests.commands)
  func `help tells options and examples`(command: [String]) throws {
    let help = try expectFine(command + ["--help"])
    let name = command.joined(separator: " ")
    #expect(help.contains("USAGE: \(name)"), "\(help)")
    #expect(help.contains("EXAMPLE"), "\(help)")
    #expect(help.occurrences(of: "\n  \(name)") > 0, "no example of \(name): \(help)")
    let common = Self.storeless.contains(name) ? [] : ["--store", "--json"]
    for option in common + ["--help"] + Self.promised[name, default: []] {
      #expect(help.contains(option), "no \(option): \(help)")
    }
    // The summary of options is one line, however long.
    for line in help.lines where !line.hasPrefix("USAGE: ") {
      #expect(line.count <= 80, "\(line)")
    }
    expectMeanings(help)
    // The other way to ask gives the same.
    #expect(try expectFine([command[0], "help"] + command.dropFirst()) == help)
  }

  @Test(arguments: ["track", "replay", "audit"])
  func `the overview names every command and the exit codes`(tool: String) throws {
    let help = try expectFine([tool, "--help"])
    for command in Self.commands where command[0] == tool {
      #expect(help.contains("\n  \(command[1]) "), "no \(command[1]): \(help)")
    }
    #expect(help.contains("EXAMPLES\n  \(tool) "), "\(help)")
    #expect(help.contains("EXIT CODES") && help.contains("64 usage"), "\(help)")
    for line in help.lines { #expect(line.count <= 80, "\(line)") }
    #expect(try expectFine([tool, "--version"]).contains(/retrace [0-9.]+, log format 3\n/))
    // Without a command, the tools print the overview, or the status and how to get the overview.
    if tool == "track" {
      let lines = try withTemporaryDirectory { folder in
        try expectFine([tool], environment: ["RETRACE_STORE": "\(folder)/missing"]).lines
      }
      #expect(lines.count == 2 && lines[1] == "`track help` lists the commands.")
    } else {
      #expect(try expectFine([tool]) == help)
    }
  }

  /// Each option in the list of options has its meaning beside it or below.
  private func expectMeanings(_ help: String) {
    guard let list = help.firstRange(of: "OPTIONS:\n") else {
      Issue.record("no options: \(help)")
      return
    }
    let lines = String(help[list.upperBound...]).lines
    for (index, line) in lines.enumerated() where line.hasPrefix("  -") {
      let isBeside = line.contains(/^  -[-\w]+(, -[-\w]+)*( <[^>]+>)? +[A-Z]/)
      let isBelow = index + 1 < lines.count && lines[index + 1].hasPrefix("      ")
      #expect(isBeside || isBelow, "no meaning: \(line)")
    }
  }
}
