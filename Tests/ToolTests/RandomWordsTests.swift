import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Commands of random words: each succeeds, or fails with an error of four parts.
@Suite struct RandomWordsTests {
  private static let times = [
    "9:00", "8:00 - 9:00", "9am", "yesterday 17:30", "10min ago", "-30m", "1h30", "1.5h", "monday",
    ":week", ":all", "25:00", "2026-02-30", "2026-10-25 02:30", "99999h", "24:00", "12:00 - 11:00",
    "2026-03-02", "1e99", "tomorrow", "2026-W10", "1969-01-01", "9999-12-31 23:59",
    "0001-01-01 0:00",
  ]
  private static let names = [
    "@web", "#a", "+b", "@acme/web", "text", "\\#x", "\"q", "@", "#", "", "é", "\u{202e}",
    "\u{1b}[31m", String(repeating: "a", count: 300), "web", "a", "project:none", "not",
    "and", "(", ")", "x:y", "duration>1h", "month:13", "saved:x", "EUR", "kind:command",
    "mentions:TimeEntry=0", "TimeEntry=0", "fact",
  ]
  private static let numbers = [
    "0", "1", "2", "-1", "@1", "0-3", "1,2", "100", "1e5", "99999999999999999999",
    "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "18446744073709551615",
    "-0", "4294967296", "0.1", "1/0", "nan",
  ]
  private static let options = [
    "--at", "--for", "--from", "--to", "--yes", "--policy", "allow", "adjust", "--dry-run",
    "--json", "--project", "--tag", "--note", "--billable", "--filter", "--user", "--tz",
    "Mars/X", "--limit", "--by", "day", "project", "--round", "15m", "--rate", "--start", "--end",
    "--csv", "--totals", "--reason", "--format", "--explain", "--all", "--client", "--workspace",
    "--estimate", "--currency", "--", "-", "create", "rename", "merge", "set", "delete", "--last",
    "--kind", "--mentions", "--session", "--since",
  ]
  /// The beginnings of commands that are understood.
  private static let beginnings = [
    "start a @web", "stop", "add 8:00 - 9:00 x @acme/web +a", "edit 0", "tag 0", "report :all",
    "log :all", "undo", "redo", "history", "projects set web", "week", "status", "pause",
    "continue", "split 0", "move 0", "lengthen 0", "shorten 0", "join 0 1", "gaps", "fill 0",
    "delete 0", "annotate 0", "tasks create t --project web", "projects merge web", "goals create",
  ]

  @Test func `random words never crash track, and every failure says what to do`() throws {
    let verbs = try self.verbs().filter { !["app", "batch"].contains($0) }
    try withDesk { desk in
      try withSeed("RandomWordsTests of track") { random in
        for number in 0..<repetitions(5_000, few: 200) {
          var words = [verbs.randomElement(using: &random) ?? "log"]
          if Bool.random(using: &random),
            let beginning = Self.beginnings.randomElement(using: &random)
          {
            words = beginning.split(separator: " ").map(String.init)
          }
          words += Self.words(&random)
          var clock = ["--now", Desk.now("\(8 + number % 14):\(10 + number % 50)")]
          // These commands read no clock.
          if ["config", "schema", "route", "man", "completions"].contains(words[0]) { clock = [] }
          words.insert(contentsOf: ["--store", desk.store] + clock, at: 1)
          let editor = ["EDITOR": "true", "VISUAL": ""]
          try check("track", words, desk.environment.merging(editor) { $1 })
        }
      }
      try expectFine(["replay", "verify", "--decide", "--store", desk.store])
      try expectFine(["audit", "verify", "--store", desk.store])
    }
  }

  @Test func `random words never crash replay and audit`() throws {
    try withDesk { desk in
      for words in ["add 8:00 - 9:00 x @web +a", "start a @web", "stop", "edit 0 y", "undo"] {
        try desk.fine(words)
      }
      try withSeed("RandomWordsTests of replay and audit") { random in
        let commands = [
          (
            "replay",
            ["sessions", "show", "state", "route", "screen", "history", "verify", "schema"]
          ),
          ("audit", ["list", "history", "blame", "schemas", "verify"]),
        ]
        for _ in 0..<repetitions(1_000, few: 60) {
          let (tool, verbs) = commands[Int.random(in: 0...1, using: &random)]
          let verb = verbs.randomElement(using: &random) ?? "verify"
          try check(tool, [verb, "--store", desk.store] + Self.words(&random), desk.environment)
        }
      }
    }
  }

  /// Returns the verbs, as the help lists them.
  private func verbs() throws -> [String] {
    let help = try expectFine(["track", "help"])
    let list = try #require(help.components(separatedBy: "COMMANDS:\n").last)
    return list.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /[ ]{2}([a-z]+)( |$)/).map { String($0.output.1) }
    }
  }

  private static func words(_ random: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let list = [times, names, numbers, options][Int.random(in: 0...3, using: &random)]
      return list.randomElement(using: &random) ?? ""
    }
  }

  /// Runs a command, which has to succeed or to fail with an error of four parts.
  private func check(
    _ tool: String, _ words: [String], _ environment: [String: String]
  ) throws {
    let result = try run(tool, words, environment: environment)
    let shown = "\(tool) \(words)\n\(result.errors)"
    #expect(result.signal == nil, "\(shown)")
    for text in [result.output, result.errors] {
      let isClean = text.unicodeScalars.allSatisfy { $0 != "\u{1b}" && $0 != "\u{202e}" }
      #expect(isClean, "\(shown)")
    }
    guard result.status != 0, result.signal == nil else { return }
    #expect([1, 2, 6, 7, 64].contains(result.status), "\(shown)")
    guard !words.contains("--json") else { return }
    let told = try PrintedFailure(text: result.errors, of: tool)
    #expect(told.exitCode == result.status, "\(shown)")
  }
}
