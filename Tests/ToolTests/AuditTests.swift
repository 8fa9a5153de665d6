import Foundation
import Testing
import ToolTestSupport

/// The audit: records by filter, and an export that others read.
@Suite struct AuditTests {
  /// Three sessions on three days: two commands and a visit to the app.
  private func store(_ folder: String) throws -> String {
    let store = "\(folder)/s"
    let common = ["--store", store, "--user", "anna", "--now"]
    try expectFine(
      ["track", "start", "naïve 写作", "--project", "p", "--tag", "t"] + common
        + ["2026-03-01T22:00:00Z"])
    let app = try PipedApp(store)
    for line in ["down", "enter", "text:n", "text:döö", "enter"] { try app.press(line) }
    app.end()
    try expectFine(["track", "stop", "--policy", "allow"] + common + ["2026-03-03T09:00:00Z"])
    return store
  }

  private func list(_ store: String, _ filter: [String]) throws -> [[String: Any]] {
    try objects(expectFine(["audit", "list", "--json", "--store", store] + filter))
  }

  private func sequences(_ records: [[String: Any]]) -> [Int] {
    records.compactMap { $0["sequence"] as? Int }
  }

  @Test func `records are listed by place, session, kind and time`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let all = try list(store, [])
      let count = all.count
      #expect(sequences(all) == Array(1...count))
      let opened = try list(store, ["--kind", "sessionOpened"])
      try #require(opened.count == 3)
      #expect(opened.allSatisfy { $0["kind"] as? String == "sessionOpened" })
      let second = try #require(opened.element(1)["sequence"] as? Int)
      let third = try #require(opened.element(2)["sequence"] as? Int)
      #expect(sequences(try list(store, ["--session", "\(second)"])) == Array(second..<third))
      #expect(sequences(try list(store, ["--from", "3", "--to", "5"])) == [3, 4, 5])
      #expect(sequences(try list(store, ["--from", "3", "--limit", "2"])) == [3, 4])
      let day = ["--since", "2026-03-02T00:00:00Z", "--until", "2026-03-03T09:00:00Z"]
      #expect(sequences(try list(store, day)) == Array(second..<third))
      // A day begins with its first moment and is included as an end; the tests' zone is UTC.
      let words = ["--since", "2026-03-02 0:00", "--until", "2026-03-02"]
      #expect(sequences(try list(store, words)) == Array(second..<third))
      #expect(try list(store, ["--since", "2026-03-02", "--until", "2026-03-02 0:00"]).isEmpty)
      // Records were appended since the test began; their moments are fixed.
      #expect(sequences(try list(store, ["--from", "2001-01-01", "--to", "3"])) == [1, 2, 3])
      #expect(try list(store, ["--from", "2126-01-01"]).isEmpty)
      #expect(try list(store, ["--to", "2126-01-01"]).count == count)
      #expect(try list(store, ["--to", "2001-01-01T00:00:00Z"]).isEmpty)
      let both = try list(store, day + ["--kind", "action", "--limit", "1000"])
      let commands = try list(store, day + ["--kind", "command"])
      #expect(!commands.isEmpty && both.count + commands.count == third - second - 2)
      #expect(try list(store, ["--from", "\(count + 1)"]).isEmpty)
      #expect(try list(store, ["--kind", "crashed"]).isEmpty)
      // Text has as many lines as there are records.
      #expect(try expectFine(["audit", "list", "--store", store]).lines.count == count)
      // Replay shows the same.
      let shown = try expectFine(["replay", "show", "--json", "--store", store])
      #expect(sequences(try objects(shown)) == Array(1...count))
    }
  }

  @Test func `records are listed by action and by the ids that they name`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let all = try list(store, [])
      let inserted = try list(store, ["--action", "fact.edited.entry.inserted"])
      #expect(inserted.count == 2)
      #expect(inserted.allSatisfy { "\($0["payload"] ?? "")".contains("inserted") })
      // A feature selects all of its actions, but not the scene actions that cause them.
      let entries = try list(store, ["--action", "fact.edited.entry"])
      #expect(entries.count == 4)
      // By the type of the id, with or without the suffix `ID`, wherever in the payload it is.
      let project = try list(store, ["--mentions", "ProjectID=0"])
      let created = try list(store, ["--action", "fact.edited.project"])
      #expect(sequences(project) == sequences(created + inserted.prefix(1)))
      #expect(sequences(try list(store, ["--mentions", "Project=0"])) == sequences(project))
      #expect(try list(store, ["--mentions", "ProjectID=1"]).isEmpty)
      let user = try list(store, ["--mentions", "UserID=0", "--session", "1"])
      #expect(!user.isEmpty && user.count < all.count)
      // As text it is the call that the app made.
      let line = try expectFine(
        ["audit", "list", "--action", "fact.edited.entry.inserted", "--store", store])
      #expect(line.contains(#" s1 fact.edited.entry.inserted(0, {"entity":{"user":0,"#))
      #expect(line.contains(#""description":"naïve 写作","project":0,"#))
      // The app's own tool chooses in the same way.
      let shown = try expectFine(
        ["replay", "show", "--json", "--mentions", "ProjectID=0", "--store", store])
      #expect(sequences(try objects(shown)) == sequences(project))
    }
  }

  @Test func `an instant in a record is shown as RFC 3339, and in JSON as it is recorded`() throws {
    try withTemporaryDirectory { folder in
      try Data("a,b,c\n1/2/2020,5,plan\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let store = ["--store", "\(folder)/s"]
      try expectFine(
        [
          "track", "import", "\(folder)/f.csv", "--column", "start=a", "--column", "duration=b",
          "--column", "description=c", "--date-format", "M/d/yyyy", "--duration-unit", "minutes",
          "--zone", "UTC",
        ] + store)
      for tool in [["audit", "list"], ["replay", "show"]] {
        let text = try expectFine(tool + store)
        #expect(text.contains(#""start":"2020-01-02T00:00:00Z""#), "\(text)")
        #expect(!text.contains("1577923200000000"))
        #expect(try expectFine(tool + ["--json"] + store).contains("1577923200000000"))
      }
    }
  }

  @Test func `a wrong filter is refused`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      for (filter, word) in [
        (["--kind", "error"], "sessionOpened"), (["--since", "soon"], "2026-03-02T09:00:00Z"),
        (["--until", "9:75"], "--until: "), (["--from", "soon"], "--from: "),
        (["--to", ""], "--to: "),
        (["--from", "-1"], "--from"), (["--salvage", "--from", "today"], "--since"),
        (["--limit", "many"], "--limit"),
        (["--limit=-1"], "negative"), (["--color"], "--color"),
        (["--mentions", "ProjectID"], "TYPE=ID"), (["--mentions", "Nothing=1"], "ProjectID"),
        (["--action", "entry"], "with this part are: "),
        (["--action", "fact.nothing"], "The actions and features are: "),
        (["--action", "fact."], "has the action fact."),
        (["--action", "fac"], "fact"), (["--action", ""], "The actions and features are: "),
      ] {
        try expectFailure(
          ["audit", "list", "--store", store] + filter, exit: 64, mentions: [word])
      }
      for command in [["show"], ["export", "--changes"]] {
        try expectFailure(
          ["replay"] + command + ["--action", "inserted", "--store", store], exit: 64,
          mentions: ["with this part are: ", "fact.edited.entry.inserted"])
      }
      for name in ["fact", "fact.edited.entry.inserted"] {
        let found = try list(store, ["--action", name])
        #expect(!found.isEmpty)
        let newest = try list(store, ["--action", name, "--last", "1"])
        #expect(newest.count == 1 && sequences(newest) == sequences(found).suffix(1))
      }
      #expect(try list(store, ["--last", "0"]).isEmpty)
    }
  }

  @Test func `fastavro and Apache avro read the export, one object per record`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let file = "\(folder)/records.avro"
      let export = ["audit", "export", "--store", store, "--output", file]
      let told = try object(expectFine(export + ["--json"]))
      let listed = try list(store, [])
      #expect(told["records"] as? Int == listed.count)
      #expect(told["output"] as? String == file)
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Python/export.py").path
      let python = try shell(
        "PYTHONDONTWRITEBYTECODE=1 \"$1\" \"$2\" \"$3\"", [try Python.path(), script, file])
      try #require(python.status == 0, "\(python.errors)")
      let read = try object(python.output)
      let expected = listed.map { record in
        [record["sequence"], record["kind"], record["session"], record["startsBatch"]]
          .map { "\($0 ?? "")" }
      }
      for reader in ["fastavro", "avro"] {
        let records = try #require(read[reader] as? [[Any]])
        #expect(records.map { $0.map { "\($0)" } } == expected, "\(reader)")
      }
      // Each is in a command and in the fact that it led to.
      #expect(read["texts"] as? [String] == ["naïve 写作", "naïve 写作", "döö", "döö"])
      #expect(read["sameTexts"] as? Bool == true)
      #expect((read["metadata"] as? [String])?.contains("retrace.chain") == true)

      // An existing file stays as it is, and the same log gives the same bytes.
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      try expectFailure(export, exit: 64, mentions: [file, "exists already"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
      let again = "\(folder)/again.avro"
      try expectFine(["audit", "export", "--store", store, "--output", again])
      #expect(try Data(contentsOf: URL(fileURLWithPath: again)) == bytes)
      try expectFailure(
        ["audit", "export", "--store", store, "--output", "\(folder)/none/x.avro"], exit: 6,
        mentions: ["No such file"])
    }
  }

  @Test func `a log that was cut and went on otherwise does not continue the noted one [L11]`()
    throws
  {
    try withTemporaryDirectory { folder in
      let (store, other) = (try store(folder), "\(folder)/other")
      try expectFine(["replay", "backup", other, "--store", store])
      func note(_ store: String) throws -> [String] {
        let verified = try object(expectFine(["audit", "verify", "--json", "--store", store]))
        let records = try #require(verified["records"] as? Int)
        return ["--at", "\(records)", "--chain", try #require(verified["chain"] as? String)]
      }
      let before = try note(store)
      for (store, description) in [(store, "true"), (other, "false")] {
        try expectFine([
          "track", "start", description, "--user", "anna", "--now", "2026-03-03T10:00:00Z",
          "--store", store,
        ])
      }
      let after = try note(store)
      // Both logs are whole, and continue what was common.
      for store in [store, other] {
        try expectFine(["audit", "verify", "--store", store] + before)
      }
      try expectFine(["audit", "verify", "--store", store] + after)
      try expectFailure(
        ["audit", "verify", "--store", other] + after, exit: 3, mentions: ["is another one"])
    }
  }

  @Test func `verify checks that a log continues the one whose digest was written down`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let noted = try run("audit", ["verify", "--json", "--store", store]).json()
      let records = try #require(noted["records"] as? Int)
      let chain = try #require(noted["chain"] as? String)
      try expectFine(["track", "start", "later", "--store", store])
      func verify(_ at: Int, _ chain: String) throws -> ToolResult {
        try run(
          "audit", ["verify", "--at", "\(at)", "--chain", chain, "--store", store])
      }
      let fine = try verify(records, chain)
      #expect(fine.status == 0)
      #expect(fine.output.contains("It continues the log that ended with record \(records)."))
      let other = try verify(records - 1, chain)
      #expect(other.status == 3 && other.errors.contains("is another one"))
      let shorter = try verify(records + 1_000, chain)
      #expect(shorter.status == 3 && shorter.errors.contains("before record \(records + 1_000)"))
      #expect(try verify(records, "abc").status == 64)
      #expect(try run("audit", ["verify", "--at", "3", "--store", store]).status == 64)
    }
  }

  @Test func `a backdated command opens nothing that was recorded before it`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try expectFine(["track", "start", "real", "--store", store])
      try expectFine([
        "track", "add", "2020-03-01 08:00 - 09:00", "backdated", "--store", store, "--now",
        "2020-03-01T10:00:00Z",
      ])
      let early = try run(
        "audit",
        ["history", "TimeEntryID=0", "--as-of", "2020-03-02T00:00:00Z", "--store", store])
      #expect(early.status == 7 && early.output.isEmpty)
      let lines = try expectFine(["audit", "list", "--store", store]).lines
      let session = try expectFine(["audit", "list", "--kind", "sessionOpened", "--store", store])
      #expect(session.lines.count == 2)
      let marked = lines.filter { $0.contains("(fixed clock, recorded at ") }
      #expect(marked.count > 1 && marked.count < lines.count)
      #expect(marked.allSatisfy { $0.contains("2020-03-01T10:00:00Z") })
    }
  }

  @Test(arguments: [
    ["track", "history"], ["track", "log", "--as-of", "99"], ["audit", "list"],
    ["audit", "history", "TimeEntryID=1"], ["audit", "blame", "TimeEntryID=1"],
    ["replay", "show"], ["replay", "step", "last"], ["replay", "history", "TimeEntry=1"],
    ["replay", "export", "--changes"], ["replay", "export", "--changes", "--format", "csv"],
    ["replay", "sessions"], ["replay", "doctor"],
  ])
  func `every listing marks a fixed clock with the same words`(command: [String]) throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "real"] + store)
      func printed() throws -> ToolResult {
        try run(command[0], Array(command.dropFirst()) + store)
      }
      let remark = "fixed clock, "
      let before = try printed()
      #expect(!"\(before.output)\(before.errors)".contains(remark))
      try expectFine(
        ["track", "add", "2020-03-01 08:00 - 09:00", "backdated"] + store
          + ["--now", "2020-03-01T10:00:00Z"])
      let after = try printed()
      #expect(after.status == 0, "\(after.errors)")
      #expect("\(after.output)\(after.errors)".contains(remark))
    }
  }

  @Test func `text has the moments of records in the local zone, and programs get UTC`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "x", "--now", "2026-03-02T20:00:00Z"] + store)
      for (command, zone, local) in [
        (["audit", "list"], "America/New_York", "2026-03-02T15:00:00-05:00"),
        (["audit", "list"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["audit", "list"], "UTC", "2026-03-02T20:00:00Z"),
        (["audit", "history", "TimeEntryID=0"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["replay", "show"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["replay", "step", "last"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["replay", "history", "TimeEntry=0"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["replay", "sessions"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
        (["replay", "doctor"], "IST-5:30", "2026-03-03T01:30:00+05:30"),
      ] {
        let text = try expectFine(command + store, environment: ["TZ": zone])
        #expect(text.contains(local), "\(command): \(text)")
        guard command != ["replay", "doctor"] else { continue }
        let json = try expectFine(command + ["--json"] + store, environment: ["TZ": zone])
        #expect(json.contains("2026-03-02T20:00:00.000000Z"), "\(command): \(json)")
        #expect(!json.contains("+05:30"), "\(command): \(json)")
      }
      // What is printed can be given to the options.
      func count(since text: String) throws -> Int {
        try expectFine(["audit", "list", "--since", text] + store).lines.count
      }
      #expect(try count(since: "2026-03-03T01:30:00+05:30") > 0)
      #expect(try count(since: "2026-03-03T01:30:01+05:30") == 0)
    }
  }
}
