import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// `history`, `export --changes`, `backup` and `doctor`.
@Suite struct ChangeTests {
  private func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func stop(_ session: RecordedSession) throws {
    let stopped = try run(
      "track",
      ["stop", "--user", "bo", "--store", session.path, "--now", "2026-03-02T10:00:00Z"])
    #expect(stopped.status == 0, "\(stopped.errors)")
  }

  @Test func `history tells each change of an entity with before and after`() throws {
    try RecordedSession.with { session in
      try stop(session)
      let events = try objects(session.replay(["history", "TimeEntry=0", "--json"]).output)
      #expect(events.map { $0["change"] as? String } == ["created", "changed"])
      #expect(events.map { $0["sequence"] as? Int } == [14, 18])
      #expect(events.map { $0["session"] as? Int } == [11, 16])
      #expect(
        events.map { $0["action"] as? String } == [
          "fact.edited.entry.inserted", "fact.edited.entry.changed",
        ])
      #expect(events[1]["moment"] as? String == "2026-03-02T10:00:00.000000Z")
      let fields = try #require(events[1]["fields"] as? [[String: Any]])
      #expect(fields.map { $0["field"] as? String } == ["end", "modified"])
      #expect(fields[0]["before"] is NSNull)
      #expect(fields[0]["after"] as? String == #""2026-03-02T10:00:00.000000Z""#)
      // The entity named by the type of its id, up to a record, and as text.
      let byID = try session.replay(["history", "TimeEntryID=0", "--to", "15", "--json"]).output
      #expect(try objects(byID).count == 1)
      let text = try session.replay(["history", "TimeEntry=0"]).output
      #expect(text.contains("entry.changed  changed") && text.contains("end: null -> "))
      let none = try session.replay(["history", "TimeEntry=7"], status: 7)
      #expect(none.output.isEmpty && none.errors.contains("No record up to 19 changed TimeEntry=7"))
      for wrong in ["TimeEntry", "Nothing=1"] {
        #expect(try session.replay(["history", wrong], status: 64).errors.contains("TimeEntry"))
      }
    }
  }

  @Test func `durations are texts for people, and microseconds in JSON`() throws {
    try RecordedSession.with { session in
      for words in [["create", "web", "--estimate", "1h30"], ["set", "web", "--estimate", "2m"]] {
        let result = try run(
          "track", ["projects"] + words + ["--user", "bo", "--store", session.path])
        #expect(result.status == 0, "\(result.errors)")
      }
      let history = try session.replay(["history", "Project=0"]).output
      #expect(history.contains(#"estimate: "1:30:00"\#n"#), "\(history)")
      #expect(history.contains(#"estimate: "1:30:00" -> "0:02:00"\#n"#), "\(history)")
      let shown = try session.replay(["show"]).output
      #expect(shown.contains(#""1:30:00""#) && shown.contains(#""0:02:00""#), "\(shown)")
      #expect(!shown.contains("microseconds"))
      let json = try session.replay(["history", "Project=0", "--json"]).output
      #expect(json.contains(#"{\"microseconds\":120000000}"#) && !json.contains("1:30:00"))
      let events = try objects(json)
      let changed = try #require(events.last?["sequence"] as? Int)
      let steps = ["step", "goto \(changed)", "diff"]
      let text = try session.replay(steps).output
      #expect(text.contains(#"estimate: "1:30:00" -> "0:02:00"\#n"#), "\(text)")
      let exact = try session.replay(steps + ["--json"]).output
      #expect(exact.contains(#""field":"estimate.microseconds","before":5400000000"#), "\(exact)")
    }
  }

  @Test func `export tells every field that every record changed`() throws {
    try RecordedSession.with { session in
      try stop(session)
      let rows = try objects(session.replay(["export", "--changes"]).output)
      let entry = rows.filter { $0["entity"] as? String == "TimeEntry" }
      #expect(entry.allSatisfy { $0["id"] as? Int == 0 })
      #expect(entry.suffix(2).map { $0["field"] as? String } == ["end", "modified"])
      #expect(entry.suffix(2).map { $0["sequence"] as? Int } == [18, 18])
      let started = try #require(entry.first { $0["field"] as? String == "start" })
      #expect(started["before"] is NSNull)
      #expect(started["after"] as? String == #""2026-03-02T09:00:00.000000Z""#, "\(started)")
      // The draft lies in no table.
      #expect(
        rows.contains {
          ($0["field"] as? String)?.hasPrefix("scenes[0].") == true && $0["id"] is NSNull
        })
      let some = try session.replay([
        "export", "--changes", "--entity", "TimeEntry", "--from", "15", "--format", "csv",
      ]).output
      let user = try #require(rows.last?["user"] as? String)
      #expect(user.contains("@"))
      let header = "sequence,moment,session,action,entity,id,change,field,before,after,clock,user,"
      let start =
        "18,2026-03-02T10:00:00.000000Z,16,fact.edited.entry.changed,TimeEntry,0,changed,"
      let end =
        ",2026-03-02T10:00:00.000000Z,\"fixed clock, recorded at TIME\",\(user),entry.stop,"
      let expected: [String] = [
        "\(header)command,reason,name,beforeName,afterName", "\(start)end,\(end),,,",
        "\(start)modified,2026-03-02T09:00:00.000000Z\(end),,,",
      ]
      let told = some.replacing(/recorded at [-0-9T:.]+Z/, with: "recorded at TIME")
      #expect(told.split(separator: "\n").map(String.init) == expected)
      // At most so many records, of those that something is exported of.
      let first = try session.replay([
        "export", "--changes", "--entity", "TimeEntry", "--limit", "1", "--format", "csv",
      ]).output.split(separator: "\n").dropFirst()
      let sequences = Set(first.map { $0.prefix { $0 != "," } })
      #expect(sequences.count == 1 && !first.isEmpty, "\(first)")
      _ = try session.replay(["export"], status: 64)
      _ = try session.replay(["export", "--changes", "--entity", "Nothing"], status: 64)
    }
  }

  @Test func `export names the entities, and what ids refer to`() throws {
    try withTemporaryDirectory { folder in
      func track(_ words: [String]) throws {
        let done = try run(
          "track", words + ["--store", "\(folder)/s", "--now", RecordedSession.clock])
        #expect(done.status == 0, "\(done.errors)")
      }
      try track(["start", "write", "--project", "web", "--tag", "a", "--user", "anna"])
      try track(["edit", "0", "--project", "ops", "+b", "--user", "anna"])
      try track(["projects", "rename", "web", "site"])
      try track(["tags", "create", "c,d"])
      try track(["edit", "0", "--tag", "c,d", "--user", "anna"])
      func exported(_ more: [String]) throws -> String {
        try run("replay", ["export", "--changes", "--store", "\(folder)/s"] + more).output
      }
      let rows = try objects(exported([]))
      func names(_ entity: String, _ field: String) -> [[String]] {
        rows.filter { $0["entity"] as? String == entity && $0["field"] as? String == field }
          .map { row in
            ["name", "beforeName", "afterName"].map { row[$0] as? String ?? "-" }
          }
      }
      #expect(
        names("TimeEntry", "project") == [["-", "-", #""web""#], ["-", #""web""#, #""ops""#]])
      #expect(
        names("TimeEntry", "tags") == [
          ["-", "-", #"["a"]"#], ["-", #"["a"]"#, #"["a","b"]"#],
          ["-", #"["a","b"]"#, #"["a","b","c,d"]"#],
        ])
      #expect(names("TimeEntry", "user") == [["-", "-", #""anna""#]])
      #expect(names("TimeEntry", "description") == [["-", "-", "-"]])
      #expect(
        names("Project", "name") == [
          ["web", "-", #""web""#], ["ops", "-", #""ops""#], ["site", #""web""#, #""site""#],
        ])
      let csv = try exported(["--format", "csv", "--entity", "TimeEntry"])
      let project = try #require(csv.split(separator: "\n").last { $0.contains(",project,") })
      #expect(project.hasSuffix(",,web,ops"), "\(project)")
      let tags = try #require(csv.split(separator: "\n").last { $0.contains(",tags,") })
      #expect(tags.hasSuffix(#","a, b","a, b, ""c,d""""#), "\(tags)")
    }
  }

  @Test func `a cell is exact, apart from an apostrophe before a formula or an apostrophe`()
    throws
  {
    // The flag of England, a character without a width, and one that turns the direction.
    let flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F} zero\u{200B}width \u{202E}"
    try withTemporaryDirectory { folder in
      let started = try run(
        "track", ["start", "--store", "\(folder)/s", "--", "=1+1, \"x\" \(flag)"])
      #expect(started.status == 0, "\(started.errors)")
      let edited = try run("track", ["edit", "0", "--store", "\(folder)/s", "--", "'tis"])
      #expect(edited.status == 0, "\(edited.errors)")
      func exported(_ more: [String]) throws -> String {
        try run(
          "replay",
          [
            "export", "--changes", "--format", "csv", "--entity", "TimeEntry", "--store",
            "\(folder)/s",
          ] + more
        ).output
      }
      let csv = try exported([])
      #expect(csv.contains("description,,\"'=1+1, \"\"x\"\" \(flag)\","), "\(csv)")
      #expect(csv.contains(",''tis,"))
      let exact = try exported(["--exact"])
      #expect(exact.contains("description,,\"=1+1, \"\"x\"\" \(flag)\","), "\(exact)")
      #expect(exact.contains(",'tis,"))
    }
  }

  @Test func `a backup is a store with the same records, and is not made over anything`() throws {
    try RecordedSession.with { session in
      let copy = session.path + "-copy"
      let told = try session.object(["backup", copy])
      #expect(told["records"] as? Int == RecordedSession.last && told["path"] as? String == copy)
      let verified = try run("replay", ["verify", "--json", "--store", copy])
      let original = try session.replay(["verify", "--json"])
      #expect(verified.output == original.output)
      #expect(try session.replay(["backup", copy], status: 64).errors.contains("exists already"))
      let stop = ["stop", "--user", "bo", "--now", "2026-03-02T10:00:00Z", "--store", copy]
      #expect(try run("track", stop).status == 0)
      #expect(try session.object(["verify"])["records"] as? Int == RecordedSession.last)
    }
  }

  @Test func `a backup that is killed leaves a whole copy under the name, or none`() throws {
    try withSeed("killed backups") { random in
      try withTemporaryDirectory { folder in
        let (path, copy) = ("\(folder)/s", "\(folder)/copy")
        let sender = try RunningTool("testapp", ["send", "--store", path])
        _ = sender.readLine()
        sender.send("batch 3000")
        for number in 0..<3_000 { sender.send("note \(number)") }
        #expect(sender.readLine() == "ok 3001")
        #expect(sender.finish().status == 0)
        var killed = 0
        for _ in 0..<cycles(300) {
          let backup = try RunningTool("testapp", ["backup", copy, "--store", path])
          usleep(UInt32.random(in: 0...60_000, using: &random))
          if backup.kill() { killed += 1 }
          let names = try FileManager.default.contentsOfDirectory(atPath: folder)
          #expect(
            names.allSatisfy { ["s", "copy"].contains($0) || $0.hasPrefix(".retrace-backup-") })
          let left = names.filter { $0.hasPrefix(".retrace-backup-") }
          if !left.isEmpty {
            let told = try run("testapp", ["doctor", "--store", path]).output
            // A copy this young may still be in progress if it has no lock file.
            for draft in left.map({ "\(folder)/\($0)" })
            where FileManager.default.fileExists(atPath: "\(draft)/owner.lock") {
              #expect(told.contains("remove it    rm -r -- '\(draft)'"), "\(told)")
            }
          }
          if names.contains("copy") {
            let verified = try run("testapp", ["verify", "--json", "--store", copy])
            #expect(verified.status == 0 && verified.output.contains("\"records\":3002,"))
          }
          for name in names where name != "s" {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
          }
        }
        #expect(killed > 0)
        #expect(try run("testapp", ["verify", "--store", path]).status == 0)
      }
    }
  }

  @Test func `doctor tells who has the store open and what was left`() throws {
    try RecordedSession.with { session in
      let quiet = try session.object(["doctor"])
      #expect(quiet["sound"] as? Bool == true && quiet["records"] as? Int == RecordedSession.last)
      #expect(quiet["lastClosed"] as? Int == 11)
      #expect((quiet["lastClock"] as? String)?.hasPrefix("fixed clock, ") == true)
      let printed = try session.replay(["doctor"]).output
      #expect(printed.contains("last \(RecordedSession.clock) (fixed clock, "))
      let snapshots = try #require(quiet["snapshots"] as? [String: Any])
      #expect(snapshots["used"] is NSNull && snapshots["folds"] as? Int == RecordedSession.last)
      #expect((quiet["holders"] as? [Int])?.isEmpty == true)
      let app = try RunningTool("track", ["app", "--store", session.path, "--size", "72x20"])
      app.send("text:x")
      _ = app.readLine()
      let busy = try session.object(["doctor"])
      #expect(busy["holders"] as? [Int32] == [app.pid])
      let sessions = try #require(busy["sessions"] as? [[String: Any]])
      #expect(sessions.count == 1 && sessions[0]["alive"] as? Bool == true)
      #expect(sessions[0]["processes"] as? [Int32] == [app.pid])
      #expect(sessions[0]["isClockFixed"] as? Bool == false && busy["lastClock"] is NSNull)
      app.kill()
      let left = try session.object(["doctor"])
      #expect((left["holders"] as? [Int])?.isEmpty == true)
      #expect((left["uncleanEnds"] as? [[String: Any]])?.first?["process"] as? Int32 == app.pid)
      #expect((left["sessions"] as? [[String: Any]])?.first?["alive"] as? Bool == false)
      #expect((left["leftBackups"] as? [String])?.isEmpty == true)
      let text = try session.replay(["doctor"]).output
      #expect(text.contains("unclean exit   process \(app.pid)"))
      // Damage is reported beside everything else, and decides the exit code.
      let data = URL(fileURLWithPath: session.path + "/data.mdb")
      try FileHandle(forWritingTo: data).truncate(atOffset: 9_000)
      let damaged = try session.replay(["doctor", "--json"], status: 3)
      #expect(damaged.output.contains("\"sound\":false"))
      #expect(try run("replay", ["doctor", "--store", session.path + "-none"]).status == 6)
    }
  }
}
