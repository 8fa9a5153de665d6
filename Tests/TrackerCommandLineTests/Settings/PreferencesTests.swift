import Foundation
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The preferences of the forms of dates, times of day and durations.
@Suite struct PreferencesTests {
  /// Returns the preferences by their names.
  private func shown(_ desk: Desk, _ words: String = "") throws -> [String: String] {
    var found: [String: String] = [:]
    for line in try desk.fine("preferences \(words)") {
      let words = line.split(separator: " ", maxSplits: 1).map { "\($0)" }
      if words.count == 2 { found[words[0]] = words[1].filter { $0 != " " } }
    }
    return found
  }

  private func json(_ desk: Desk) throws -> [String: Any] {
    let text = try desk.fine("preferences --json").joined()
    return try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(
    arguments: [
      (
        "dates", "YYYY-MM-DD",
        ["MM/DD/YYYY", "DD-MM-YYYY", "MM-DD-YYYY", "DD/MM/YYYY", "DD.MM.YYYY"]
      ),
      ("clock", "24-hour", ["12-hour"]),
      ("durations", "improved", ["classic", "decimal"]),
    ] as [(String, String, [String])])
  func `a form has a default, is set, shown and taken back [M15]`(
    name: String, plain: String, others: [String]
  ) throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      #expect(try shown(desk)[name] == plain)
      #expect(try json(desk)[name] as? String == plain)
      var before = plain
      for other in others {
        #expect(try shown(desk, "--\(name) \(other) --dry-run")[name] == other)
        #expect(try shown(desk)[name] == before)
        #expect(try shown(desk, "--\(name) \(other)")[name] == other)
        #expect(try shown(desk)[name] == other)
        #expect(try json(desk)[name] as? String == other)
        before = other
      }
      for other in others.dropLast().reversed() {
        #expect(
          try desk.fine("undo") == ["undone   preferences: \(name) \(before) -> \(other)"])
        before = other
      }
      // The form of all users is not worth a word in the history.
      let history = try desk.timeless("history").joined(separator: "\n")
      #expect(history.contains(", \(name) \(others[0])"), "\(history)")
      #expect(!history.contains("policy refuse, \(name) \(plain)"))
      try desk.fine("preferences --\(name) \(plain)")
      #expect(try shown(desk)[name] == plain)
      try desk.fails("preferences --\(name) other", exit: 64, plain, others[0])
      #expect(try shown(desk)[name] == plain)
    }
  }

  @Test func `the command line and the settings have every preference that is recorded [M15]`()
    throws
  {
    let recorded = Mirror(reflecting: PreferenceSet(user: UserID(value: 0))).children
      .compactMap(\.label).filter { !["user", "externalIDs", "modified", "deleted"].contains($0) }
    #expect(recorded.count == Preference.allCases.count, "\(recorded)")
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let words = Preference.allCases.map(\.rule.word)
      let lines = try desk.fine("preferences")
      #expect(lines.map { String($0.prefix { $0 != " " }) } == words)
      let members = try json(desk).keys.map { String($0) }
      let names = words.map { word in
        let parts = word.split(separator: "-")
        return String(parts[0]) + parts.dropFirst().map(\.capitalized).joined()
      }
      #expect(Set(members) == Set(names))
    }
  }

  @Test(arguments: [("group-similar", "yes", "no"), ("manual", "no", "yes")])
  func `a switch has a default, is set, shown and taken back [M15]`(
    name: String, plain: String, other: String
  ) throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let member = name == "manual" ? name : "groupSimilar"
      #expect(try shown(desk)[name] == plain && json(desk)[member] as? Bool == (plain == "yes"))
      #expect(try shown(desk, "--\(name) \(other)")[name] == other)
      #expect(try json(desk)[member] as? Bool == (other == "yes"))
      #expect(try desk.timeless("history").joined().contains("\(name) \(other)"))
      try desk.fails("preferences --\(name) perhaps", exit: 64, "yes", "no")
      try desk.fine("undo")
      #expect(try shown(desk)[name] == plain)
    }
  }

  @Test func `the time before a question has no default, is set and taken back [M15]`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      #expect(try shown(desk)["ask-after"] == "none" && json(desk)["askAfter"] is NSNull)
      #expect(try shown(desk, "--ask-after 10h")["ask-after"] == "10:00")
      #expect(try shown(desk, "--ask-after 7h30")["ask-after"] == "7:30")
      #expect(try json(desk)["askAfter"] as? String == "7:30")
      #expect(try desk.fine("undo") == ["undone   preferences: ask-after 7:30 -> 10:00"])
      for wrong in ["0h", "1000h", "soon"] {
        try desk.fails("preferences --ask-after \(wrong)", exit: 64, "10h")
      }
      #expect(try shown(desk)["ask-after"] == "10:00")
      #expect(try shown(desk, "--ask-after none")["ask-after"] == "none")
    }
  }

  @Test func `lists have the dates, the clocks and the durations of the user [M15]`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-03-01 9:00 - 2026-03-01 13:30:30 a @web")
      try desk.fine("add 2026-03-01 14:00 - 2026-03-01 14:10 b")
      try desk.fine("preferences --dates DD.MM.YYYY --clock 12-hour --durations decimal")
      #expect(
        try desk.fine("log from 2026-03-01") == [
          "Sun 01.03.2026             4.68 h",
          "  #0  09:00 AM - 01:30 PM  4.51 h  a  @web",
          "  #1  02:00 PM - 02:10 PM  0.17 h  b",
          "Total                      4.68 h", "",
          "Times are cut to minutes, durations rounded up to hundredths of an hour; "
            + "--seconds shows all.",
        ])
      #expect(
        try desk.fine("log from 2026-03-01 --seconds").prefix(2) == [
          "Sun 01.03.2026                   4:40:30",
          "  #0  09:00:00 AM - 01:30:30 PM  4:30:30  a  @web",
        ])
      #expect(
        try desk.fine("gaps 2026-03-01").first == "Sun 01.03.2026  01:30 PM - 02:00 PM  0.50 h")
      let report = try desk.fine("report 2026-03-01 --by day")
      #expect(report.first?.hasPrefix("Sun 01.03.2026, ") == true)
      #expect(report.contains { $0.hasPrefix("Sun 01.03.2026  4.68 h") }, "\(report)")
      try desk.fine("goals create week --target 20h")
      let goals = try desk.fine("report --goals from 2026-03-01")
      #expect(goals.contains { $0.contains(" 20.00 h ") }, "\(goals)")
      #expect(goals.contains { $0.contains("week of 23.02.2026") }, "\(goals)")
      // Programs read the same as before.
      #expect(try desk.fine("log from 2026-03-01 --json").joined().contains(#""seconds":16230"#))
      try desk.fine("preferences --durations classic")
      #expect(
        try desk.fine("log from 2026-03-01").prefix(3) == [
          "Sun 01.03.2026             4:40:30 h",
          "  #0  09:00 AM - 01:30 PM  4:30:30 h  a  @web",
          "  #1  02:00 PM - 02:10 PM  10:00 min  b",
        ])
      // Another user has other preferences.
      try desk.fine("add 2026-03-01 16:00 - 2026-03-01 17:00 c --user ben")
      #expect(
        try desk.fine("report 2026-03-01 --user ben").first?.hasPrefix("Sun 2026-03-01, ") == true)
    }
  }
}
