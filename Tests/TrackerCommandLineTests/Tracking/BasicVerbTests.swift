import Foundation
import Testing
import ToolTestSupport

/// Start, stop, continue, status, log and route, as typed.
@Suite struct BasicVerbTests {
  private static let morning = ["--now", "2026-03-02T09:00:00Z"]
  private static let later = ["--now", "2026-03-02T10:30:00Z"]

  private func head(_ store: String) throws -> Int {
    try #require(
      try object(expectFine(["replay", "verify", "--json", "--store", store]))["records"] as? Int)
  }

  private func log(_ store: String) throws -> [[String: Any]] {
    let output = try expectFine(["track", "log", "--json", "--store", store] + Self.later)
    return try #require(try json(output) as? [[String: Any]])
  }

  @Test func `a start stops what runs at the same instant`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "first"] + store + Self.morning)
      let second = ["track", "start", "second", "--project", "thesis", "--tag", "a", "--tag", "b"]
      let told = try object(expectFine(second + ["--billable", "--json"] + store + Self.later))
      #expect((told["entry"] as? [String: Any])?["description"] as? String == "second")
      #expect((told["stopped"] as? [String: Any])?["description"] as? String == "first")
      let entries = try log("\(folder)/s")
      try #require(entries.count == 2)
      #expect(try entries.element(0)["seconds"] as? Int == 5_400)
      #expect(try entries.element(0)["running"] as? Bool == false)
      #expect(try entries.element(1)["running"] as? Bool == true)
      #expect(try entries.element(1)["start"] as? String == "2026-03-02T10:30:00Z")
      #expect(try entries.element(1)["project"] as? String == "thesis")
      #expect(try entries.element(1)["tags"] as? [String] == ["a", "b"])
      #expect(try entries.element(1)["billable"] as? Bool == true)
      let totals = try expectFine(["track", "log", "--totals", "--json"] + store)
      #expect(
        totals == #"{"entries":2,"running":1,"seconds":5400,"users":1,"projects":1}"# + "\n")
    }
  }

  @Test func `a stop with nothing running is refused and writes nothing`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let stop = ["track", "stop", "--store", store]
      try expectFailure(stop, exit: 1, mentions: ["Nothing is running"])
      #expect(!FileManager.default.fileExists(atPath: store), "a refused stop made a store")
      try expectFine(["track", "start", "a", "--store", store])
      try expectFine(stop)
      let before = try head(store)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/data.mdb"))
      try expectFailure(stop, exit: 1, mentions: ["Nothing is running", "track start"])
      try expectFailure(stop + ["--user", "nobody"], exit: 1)
      #expect(try head(store) == before)
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(store)/data.mdb")) == bytes)
    }
  }

  @Test func `a refused start exits with 1, writes nothing and makes no store`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let refused = [["--project", " "], ["--tag", "\t"]]
      let named = ["track", "start", "a", "--store", store, "--user"]
      for user in [" ", String(repeating: "x", count: 501)] {
        try expectFailure(named + [user], exit: 64, mentions: ["--user"])
      }
      for option in refused {
        try expectFailure(
          ["track", "start", "a", "--store", store] + option, exit: 1, mentions: ["name is empty"])
      }
      #expect(!FileManager.default.fileExists(atPath: store), "a refused start made a store")
      try expectFine(["track", "start", "a", "--store", store] + Self.morning)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/data.mdb"))
      for option in refused {
        try expectFailure(["track", "start", "b", "--store", store] + option + Self.later, exit: 1)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(store)/data.mdb")) == bytes)
      #expect(try log(store).map { $0["running"] as? Bool } == [true])
    }
  }

  @Test func `a stop after more than 12 hours is refused, unless it is allowed`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "a"] + store + ["--now", "2026-03-02T07:00:00Z"])
      let evening = store + ["--now", "2026-03-02T21:00:01Z"]
      for command in [["stop"], ["start", "b"], ["stop", "--policy", "adjust"]] {
        try expectFailure(
          ["track"] + command + evening, exit: 1,
          mentions: ["more than 12 hours", "--policy allow"])
      }
      #expect(try log("\(folder)/s").map { $0["running"] as? Bool } == [true])
      // No entry may exceed the limit of 999 hours, but its end can be set.
      let summer = ["--now", "2026-07-01T09:00:00Z"]
      try expectFailure(
        ["track", "stop", "--policy", "allow"] + store + summer, exit: 1,
        mentions: ["the most is 999 hours", "Give the time at which it ended"])
      try expectFine(
        ["track", "stop", "--at", "2026-03-02 8:00"] + store + summer,
        environment: ["TZ": "UTC"])
      #expect(try log("\(folder)/s").map { $0["seconds"] as? Int } == [3_600])
      try expectFine(["track", "start", "b"] + evening)
      let told = try expectFine(
        ["track", "stop", "--policy", "allow"] + store + ["--now", "2026-03-03T21:00:01Z"])
      #expect(told.contains("24:00:00"))
    }
  }

  @Test func `the totals of one user count only that user's entries`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      for (user, project) in [("anna", "p"), ("bo", "q"), ("anna", "r")] {
        try expectFine(
          ["track", "start", "a", "--user", user, "--project", project] + store + Self.morning)
        if user == "bo" { try expectFine(["track", "stop", "--user", user] + store + Self.later) }
      }
      func totals(_ options: [String]) throws -> String {
        try expectFine(["track", "log", "--totals", "--json"] + options + store)
      }
      let (anna, bo) = (["--user", " Anna "], ["--user", "bo"])
      for (options, expected) in [
        (anna, #"{"entries":2,"running":1,"seconds":0,"users":1,"projects":2}"#),
        (bo, #"{"entries":1,"running":0,"seconds":5400,"users":1,"projects":1}"#),
        ([], #"{"entries":3,"running":1,"seconds":5400,"users":2,"projects":3}"#),
      ] { #expect(try totals(options) == expected + "\n") }
      try expectFailure(
        ["track", "log", "--totals", "--user", "nobody"] + store, exit: 1, mentions: ["nobody"])
    }
  }

  @Test func `two braces in a template are one, and a wrong template is refused`() throws {
    try withDesk { desk in
      try desk.fine("start 11:00 a @p")
      for (template, line) in [
        ("{{x}}", "{x}"), ("{{{project}}}", "{p}"), ("{project}}}", "p}"), ("a } b", "a } b"),
        ("{{{{}}}}", "{{}}"), ("{{ {elapsed} }}", "{ 1:00 }"),
      ] {
        #expect(try desk.fine("status --format '\(template)'") == [line], "\(template)")
      }
      try desk.fails("status --format '{projekt}'", exit: 64, "Did you mean {project}?", "minutes")
      try desk.fails("status --format '{{x}} {'", exit: 64, "a brace that is not closed")
    }
  }

  @Test func `the entry that ended last is continued`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFailure(["track", "continue"] + store, exit: 1)
      try expectFine(
        ["track", "start", "a", "--project", "p", "--tag", "t"] + store + Self.morning)
      try expectFailure(["track", "continue"] + store, exit: 1, mentions: ["has ended"])
      try expectFine(["track", "stop"] + store + Self.later)
      let told = try expectFine(["track", "continue"] + store + Self.later).lines
      #expect(told.count == 1 && told[0].hasPrefix("started  #1 "))
      let entries = try log("\(folder)/s")
      try #require(entries.count == 2)
      #expect(try entries.element(1)["description"] as? String == "a")
      #expect(try entries.element(1)["project"] as? String == "p")
      #expect(try entries.element(1)["tags"] as? [String] == ["t"])
      #expect(try entries.element(1)["running"] as? Bool == true)
    }
  }

  @Test func `the default store lies below the data directory`() throws {
    try withTemporaryDirectory { folder in
      let data = ["XDG_DATA_HOME": "\(folder)/data", "HOME": "\(folder)/home"]
      try expectFine(["track", "start", "a"], environment: data)
      let exists = FileManager.default.fileExists(atPath:)
      #expect(exists("\(folder)/data/retrace/track/FORMAT"))
      #expect(try expectFine(["track", "log"], environment: data).contains("  a\n"))
      try expectFine(["replay", "verify"], environment: data)
      try expectFine(["audit", "verify"], environment: data)
      let home = ["XDG_DATA_HOME": "", "HOME": "\(folder)/home"]
      try expectFine(["track", "start", "b"], environment: home)
      #expect(exists("\(folder)/home/.local/share/retrace/track/FORMAT"))
      // A relative directory is ignored, as the specification of the variable says.
      let relative = ["XDG_DATA_HOME": "data", "HOME": "\(folder)/home"]
      #expect(try expectFine(["track", "log"], environment: relative).contains("  b\n"))
    }
  }

  @Test func `reading where there is no store makes none`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let configured = ["RETRACE_STORE": store]
      #expect(try expectFine(["track", "status"], environment: configured).contains("Nothing"))
      #expect(try expectFine(["track", "log"], environment: configured).contains("no entries"))
      try expectFailure(
        ["track", "route"], exit: 1, mentions: ["track app"], environment: configured)
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }

  @Test func `a command that only reads reports a missing store that an option names`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/none"]
      let reading = [
        ["log"], ["status"], ["report", ":week"], ["week"], ["search", "x"], ["history"], ["gaps"],
        ["projects"], ["goals"], ["preferences"], ["route"], ["edit", "0", "x", "--dry-run"],
      ]
      for command in reading {
        try expectFailure(
          ["track"] + command + store, exit: 6,
          mentions: ["The store \(folder)/none could not be opened.", "no such directory"])
      }
      // A command that would create it says what it would do.
      try expectFine(["track", "start", "x", "--dry-run"] + store)
      try expectFine(["track", "add", "9:00", "-", "9:05", "--dry-run"] + store + Self.later)
      #expect(!FileManager.default.fileExists(atPath: store[1]))
    }
  }

  @Test func `a description may begin with a hyphen, be empty, or be long`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start"] + store + ["--", "--json"])
      try expectFine(["track", "start", ""] + store)
      let long = String(repeating: "wörd ", count: 10_900)
      try expectFine(["track", "start", long] + store)
      let entries = try log("\(folder)/s")
      #expect(entries.map { $0["description"] as? String } == ["--json", "", long])
      // A line that has a width is cut, and says so.
      for (columns, end) in [("80", "…"), ("", " \(long.dropLast())")] {
        let shown = try expectFine(["track", "log"] + store, environment: ["COLUMNS": columns])
          .entryLines
        try #require(shown.count == 3)
        #expect(try shown.element(1).contains("(no description)"))
        #expect(shown[2].hasSuffix(end) && shown[2].count < long.count + 80)
      }
      try expectFailure(["track", "start", "-x"] + store, exit: 64, mentions: ["-x"])
      try expectFailure(["track", "start", long + long] + store, exit: 1, mentions: ["65536"])
    }
  }

  @Test func `a TZ that is misspelt fails and makes no store, a rule is recorded as one`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let start = ["track", "start", "a", "--store", store] + Self.morning
      for zone in ["Europe/Berln", "CET-1CEST,M3", "/nonexistent"] {
        try expectFailure(start, exit: 64, mentions: [zone, "tzdata"], environment: ["TZ": zone])
      }
      #expect(!FileManager.default.fileExists(atPath: store), "a failed start made a store")
      try expectFine(start, environment: ["TZ": "CET-1CEST"])
      try expectFine(["track", "stop", "--store", store] + Self.later, environment: ["TZ": ""])
      let entry = try #require(try log(store).first)
      #expect(entry["zone"] as? String == "CET-1CEST,M3.2.0,M11.1.0")
      #expect(entry["utcOffset"] as? Int == 3_600)
    }
  }
}
