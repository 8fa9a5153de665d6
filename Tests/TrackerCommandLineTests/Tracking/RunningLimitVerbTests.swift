import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Verbs that would make an entry run since more than 12 hours ago.
@Suite struct RunningLimitVerbTests {
  /// The commands before at 10:00, the verb, and the local start of the entry that would run.
  private static let ways = [
    (["start 9:00 b"], "edit -1 --start 'yesterday 10:00'", "2026-03-01 10:00"),
    (["add yesterday 9:00 - 10:00 a"], "edit 0 --end ''", "2026-03-01 09:00"),
    (["start 9:00 b"], "move 0 yesterday 10:00", "2026-03-01 10:00"),
    (["add yesterday 9:00 - 10:00 a", "start 9:00 b"], "join 0 1", "2026-03-01 09:00"),
    (["add yesterday 9:00 - 10:00 a", "start yesterday 23:00 b"], "fill 1", "2026-03-01 10:00"),
    // The tag ends, and an entry with the other one begins.
    (
      ["start yesterday 9:00 b +phone +mail --policy allow"], "stop yesterday 10:00 +phone",
      "2026-03-01 10:00"
    ),
    (
      ["start 9:00 b"], "edit --filter text:b --start 'yesterday 10:00' --yes", "2026-03-01 10:00"
    ),
  ]

  @Test(arguments: RunningLimitVerbTests.ways)
  func `a verb makes an entry run since long ago only after a yes, or if the policy allows it`(
    before: [String], verb: String, since: String
  ) throws {
    try withDesk { desk in
      for command in before { try desk.fine(command, "10:00") }
      let entries = try desk.entries()
      let reason = "It would run since \(since), for more than 12 hours."
      // Of several entries, --yes answers only whether to change them.
      let yes = verb.contains("--yes") ? "" : " --yes"
      for policy in ["", " --policy refuse", " --policy adjust", " --policy refuse\(yes)"] {
        try desk.fails(verb + policy, at: "10:00", reason, "--policy allow")
      }
      #expect(try desk.entries() == entries)
      let dry = try desk.fine("\(verb) --dry-run", "10:00")
      #expect(dry.contains { $0.contains("\(since):00 - running") }, "\(dry)")
      #expect(try desk.entries() == entries)
      try desk.fine("\(verb) --policy allow", "10:00")
      let allowed = try desk.entries()
      #expect(allowed != entries)
      if yes.isEmpty { return }
      try desk.fine("undo", "10:00")
      try desk.fine(verb + yes, "10:00")
      #expect(try desk.entries() == allowed)
    }
  }

  @Test func `the editor of entries is no way around it`() throws {
    try withDesk { desk in
      try desk.fine("start 9:00 b", "10:00")
      let editor = ["EDITOR": "sed -i s/2026-03-02/2026-03-01/", "VISUAL": ""]
      let result = try desk.run("edit 0 --editor", at: "10:00", environment: editor)
      #expect(result.status == 1 && result.errors.contains("It would run since 2026-03-01 09:00"))
      let allowed = try desk.run(
        "edit 0 --editor --policy allow", at: "10:00", environment: editor)
      #expect(allowed.status == 0, "\(allowed.errors)")
      #expect(try desk.entries() == ["08:00-now b"])
    }
  }

  @Test func `a yes to an early start leaves the question about overlaps`() throws {
    try withDesk { desk in
      try desk.fine("add yesterday 12:00 - 13:00 a", "10:00")
      try desk.fine("start 9:00 b", "10:00")
      let edit = "edit -1 --start 'yesterday 11:00'"
      try desk.fails("\(edit) --yes", at: "10:00", "It overlaps #0", "--policy adjust")
      try desk.fine("\(edit) --yes --policy adjust", "10:00")
      #expect(try desk.entries() == ["10:00-now b"])
    }
  }

  @Test func `a split ends no part of a running entry that is too long to be stopped`() throws {
    try withDesk { desk in
      try desk.fine("start yesterday 10:00 a --policy allow")
      try desk.fails("split 0 yesterday 23:00", "An entry would take 13:00:00", "--policy allow")
      try desk.fails("pause 9:00 - 9:30", "An entry would take", "--policy allow")
      try desk.fine("split 0 yesterday 12:00")
      #expect(try desk.entries() == ["09:00-11:00 a", "11:00-now a"])
      try desk.fine("undo")
      try desk.fine("split 0 yesterday 23:00 --yes")
      #expect(try desk.entries() == ["09:00-22:00 a", "22:00-now a"])
    }
  }

  @Test func `no verb makes room by ending an entry that was forgotten`() throws {
    try withDesk { desk in
      try desk.fine("add yesterday 8:00 - 9:00 a", "10:00")
      try desk.fine("start yesterday 10:00 b --policy allow", "10:00")
      let entries = try desk.entries()
      for verb in [
        "add 8:00 - 9:00 c", "move 0 today 8:00", "edit 0 --start 'today 8:00' --end 'today 9:00'",
      ] {
        for answer in [" --policy adjust", " --yes"] {
          try desk.fails(
            verb + answer, at: "10:00", "An entry would take 22:00:00",
            "Stop the running entry first", "--policy allow")
        }
        try desk.fails(verb, at: "10:00", "It overlaps #1")
        #expect(try desk.entries() == entries)
      }
      try desk.fine("add yesterday 20:00 - 21:00 c --policy adjust", "10:00")
      #expect(
        try desk.entries() == ["07:00-08:00 a", "09:00-19:00 b", "19:00-20:00 c", "20:00-now b"])
      try desk.fine("stop yesterday 22:00", "10:00")
      try desk.fine("add 8:00 - 9:00 c", "10:00")
    }
  }

  @Test func `random verbs that allow nothing add no long or double time, and none in the future`()
    throws
  {
    try withSeed { random in
      try withDesk { desk in
        var accepted: [String: Int] = [:]
        for number in 0..<repetitions(3_000, few: 300) {
          let (verb, words) = Self.words(&random)
          let result = try desk.run("\(verb) \(words)")
          guard result.status == 0 else { continue }
          accepted[verb, default: 0] += 1
          let output = try desk.fine("log --json").joined()
          let entries = try #require(try json(output) as? [[String: Any]])
          let broken = Self.broken(entries)
          #expect(broken == [], "after \(verb) \(words), the command \(number)")
          if !broken.isEmpty { return }
          if entries.count > 12 { try desk.fine("delete --filter 'not text:z' --yes") }
        }
        #expect(accepted.count > 10, "\(accepted)")
      }
    }
  }

  private static let times = [
    "yesterday 8:00", "yesterday 11:00", "yesterday 17:30", "yesterday 23:59", "0:00", "0:30",
    "7:00", "8:00", "9:15", "10:50", "11:00", "11:59", "13:00", "tomorrow 9:00",
  ]

  /// The verbs of which random ones are tried.
  ///
  /// `ExampleTests` expects that each verb that changes times of entries is one of them.
  static var triedVerbs: Set<String> {
    var random = SeededGenerator(seed: 1)
    return Set(lines(&random).map(\.verb))
  }

  /// Returns a verb that may change times of entries, and its words.
  private static func words(_ random: inout SeededGenerator) -> (verb: String, words: String) {
    let lines = lines(&random)
    return lines[Int.random(in: 0..<lines.count, using: &random)]
  }

  /// Returns lines of all verbs that may change times of entries, with random times.
  private static func lines(
    _ random: inout SeededGenerator
  ) -> [(verb: String, words: String)] {
    func pick(_ texts: [String]) -> String {
      texts[Int.random(in: 0..<texts.count, using: &random)]
    }
    let (one, other) = (pick(["-1", "-2", "-3", "-4"]), pick(["-1", "-2", "-3", "-4"]))
    let (time, later) = (pick(times), pick(times))
    let length = pick(["10m", "3h", "11h", "15h"])
    return [
      ("start", "\(time) x"), ("start", "x"), ("start", "--at \(pick(["8:00", "9:15"])) x"),
      ("switch", "\(time) y"), ("continue", time), ("continue", "\(one) \(time)"),
      ("resume", time), ("stop", time), ("stop", ""), ("pause", time),
      ("pause", "\(time) - \(later)"), ("add", "\(time) - \(later) w"),
      ("add", "\(time) for \(length) w"), ("edit", "\(one) --start '\(time)'"),
      ("edit", "\(one) --end '\(time)'"), ("edit", "\(one) --end ''"),
      ("edit", "\(one) \(time) - \(later)"), ("edit", "\(one) \(other) --start '\(time)'"),
      ("move", "\(one) \(time)"), ("lengthen", "\(one) \(length)"),
      ("shorten", "\(one) \(length)"), ("split", one), ("split", "\(one) \(time)"),
      ("join", "\(one) \(other)"), ("fill", one), ("delete", one), ("cancel", ""),
    ]
  }

  /// Returns what no command may add at 11:00 UTC of 2 March.
  private static func broken(_ entries: [[String: Any]]) -> [String] {
    let now = "2026-03-02T11:00:00"
    // The texts of moments in UTC are in order of the moments.
    let spans = entries.map { entry in
      let start = (entry["start"] as? String ?? "").prefix(19)
      return (
        start: String(start), end: String((entry["end"] as? String ?? now).prefix(19)),
        seconds: entry["seconds"] as? Int ?? 0
      )
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    var broken = spans.filter { $0.seconds > 12 * 3_600 }.map { "long \($0)" }
    broken += spans.filter { $0.start > now }.map { "future \($0)" }
    let filled = spans.filter { $0.start < $0.end }
    for (span, next) in zip(filled, filled.dropFirst()) where next.start < span.end {
      broken.append("double \(span) \(next)")
    }
    return broken
  }
}
