import Foundation
import Testing
import ToolTestSupport

@Suite struct ReplayCommandTests {
  @Test func `verify tells records, chain, state hash and divergence`() throws {
    try RecordedSession.with { session in
      let found = try session.object(["verify"])
      #expect(found["records"] as? Int == RecordedSession.last)
      #expect(found.isDigest("chain") && found.isDigest("stateHash"))
      #expect(found["notComparable"] as? Int == 0)
      #expect(found["firstDivergence"] is NSNull)
      // The ends of the two sessions have whole hashes, and each commit of the app has a short one.
      #expect(found["compared"] as? Int == 7 && found["comparedShort"] as? Int == 5)
      #expect(found["recordsAfterLastHash"] as? Int == 0)
      #expect(found["largestDistance"] as? Int == 5)
      let text = try session.replay(["verify"]).output
      #expect(text.contains(try #require(found["stateHash"] as? String)))
      #expect(
        text.hasSuffix(
          "The log is intact. The fold agrees with 7 hashes, at most 5 records apart; "
            + "0 records follow.\n"))
    }
  }

  @Test func `state tells where it stands, whether inside a batch, its hash and its contents`()
    throws
  {
    try RecordedSession.with { session in
      let whole = try session.object(["verify"])
      let last = try session.object(["state"])
      #expect(last["sequence"] as? Int == RecordedSession.last)
      #expect(last["insideBatch"] as? Bool == false)
      #expect(last["stateHash"] as? String == whole["stateHash"] as? String)
      let state = try #require(last["state"] as? [String: Any])
      let domain = try #require(state["domain"] as? [String: Any])
      #expect((domain["timeEntries"] as? [Any])?.count == 1)
      var inside: [Bool] = []
      for sequence in 0...RecordedSession.last {
        let found = try session.object(["state", "--at", "\(sequence)"])
        #expect(found["sequence"] as? Int == sequence)
        #expect(found.isDigest("stateHash"))
        inside.append(try #require(found["insideBatch"] as? Bool))
      }
      // Inside the scene and how it is seen, the command and the fact of a user, and the command
      // and the two facts of a start.
      let places = inside.indices.filter { inside[$0] }
      #expect(places == [2, 5, 12, 13])
    }
  }

  @Test func `route tells path and stack at the last end of a batch`() throws {
    try RecordedSession.with { session in
      let last = try session.object(["route"])
      #expect(last["path"] as? String == "timer/0/start")
      let stack = try #require(last["stack"] as? [[String: Any]])
      #expect(stack.map { $0["path"] as? String } == ["timer/0", "timer/0/start"])
      let draft = try #require(stack.last?["route"] as? [String: Any])
      #expect("\(draft)".contains("draft"))
      for (sequence, end, path) in [(13, 11, "timer/0/start"), (5, 4, "users"), (7, 7, "timer/0")] {
        let found = try session.object(["route", "--at", "\(sequence)"])
        #expect(found["sequence"] as? Int == end)
        #expect(found["path"] as? String == path)
      }
    }
  }

  @Test func `screen tells what the app showed`() throws {
    try RecordedSession.with { session in
      let arguments = ["screen", "--at", "\(RecordedSession.lastOfApp)", "--size", "72x20"]
      #expect(try session.object(arguments)["lines"] as? [String] == session.screen)
      #expect(session.screen.contains { $0.contains("draft") })
      let text = try session.replay(arguments).output
      #expect(text == session.screen.joined(separator: "\n") + "\n")
    }
  }

  @Test func `sessions and records are listed`() throws {
    try RecordedSession.with { session in
      let printed = try session.replay(["sessions", "--json"]).output
      let sessions = try #require(
        try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [[String: Any]])
      #expect(sessions.map { $0["session"] as? Int } == [1, 11])
      #expect(sessions.map { $0["actions"] as? Int } == [7, 2])
      #expect(sessions.map { $0["last"] as? Int } == [10, 15])
      #expect(sessions.map { $0["closed"] as? Bool } == [true, true])
      #expect(sessions.map { $0["scene"] as? Int } == [0, nil])
      #expect(sessions.map { $0["isClockFixed"] as? Bool } == [true, true])
      let text = try session.replay(["sessions"]).output.split(separator: "\n")
      #expect(text.allSatisfy { $0.contains("\(RecordedSession.clock) (fixed clock, ") })
      func shown(_ arguments: [String]) throws -> [Int] {
        try session.replay(["show", "--json"] + arguments).output.split(separator: "\n").map {
          let record = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
          #expect(record?["kind"] is String && record?["payload"] is [String: Any])
          return try #require(record?["sequence"] as? Int)
        }
      }
      #expect(try shown([]) == Array(1...15))
      #expect(try shown(["--last", "3"]) == [13, 14, 15])
      #expect(try shown(["--from", "4", "--to", "6"]) == [4, 5, 6])
      #expect(try shown(["--at", "9"]) == [9])
      #expect(try shown(["--session", "11"]) == [11, 12, 13, 14, 15])
      // The newest of those that match, whatever follows them.
      #expect(try shown(["--session", "1", "--last", "2"]) == [9, 10])
      #expect(try shown(["--kind", "sessionOpened", "--last", "1"]) == [11])
      #expect(try shown(["--kind", "sessionOpened", "--last", "9"]) == [1, 11])
      #expect(try shown(["--to", "6", "--last", "2"]) == [5, 6])
      #expect(try shown(["--from", "5", "--to", "6", "--last", "9"]) == [5, 6])
      #expect(try shown(["--last", "3", "--limit", "2"]) == [13, 14])
      #expect(try shown(["--last", "0"]) == [])
      #expect(try shown(["--last", "18446744073709551615"]) == Array(1...15))
      let first = try shown(["--action", "scenes", "--last", "1"])
      let all = try shown(["--action", "scenes"])
      #expect(first.count == 1 && first == all.suffix(1))
      for words in [["--last", "1"], ["--from", "1"], ["--to", "9"]] {
        _ = try session.replay(["show", "--at", "3"] + words, status: 64)
      }
      _ = try session.replay(["compare", "--limit", "3"], status: 64)
      let most = ["--limit", "9223372036854775807"]
      let copy = session.path + "-copy"
      _ = try session.replay(["backup", copy])
      _ = try session.replay(["compare", copy, "--json"] + most)
      _ = try session.replay(["step", "next", "diff"] + most)
    }
  }

  @Test func `a failed command prints four parts, and has one exit code for each reason`() throws {
    try RecordedSession.with { session in
      let cases: [([String], Int32)] = [
        (["state", "--at", "16"], 7), (["route", "--at", "16"], 7),
        (["screen", "--size", "x"], 64), (["screen", "--theme", "dark"], 64),
        (["screen", "--format", "pdf"], 64),
        (["state", "--at", "-1"], 64), (["nothing"], 64),
        (["route", "--at", "1"], 7), (["route", "--scene", "7"], 7), (["screen", "--at", "0"], 7),
        (["history", "TimeEntry=7"], 7), (["show", "--at", "16"], 7),
        (["show", "--at", "1999-01-01"], 7), (["state", "--at", "soon"], 64),
        (["step", "goto", "16"], 7), (["verify", "--every", "--no-invariants"], 64),
      ]
      for (arguments, status) in cases {
        let text = try session.replay(arguments, status: status)
        #expect(text.output.isEmpty)
        for part in ["replay: ", "  why: ", "  do:  ", "  exit code \(status)"] {
          #expect(text.errors.contains(part), "\(arguments): \(text.errors)")
        }
        let errors = try session.replay(arguments + ["--json"], status: status).errors
        let json = try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any]
        let error = try #require(json?["error"] as? [String: Any])
        #expect(Set(error.keys) == ["what", "why", "do", "exitCode"])
        #expect(error["exitCode"] as? Int32 == status)
      }
      let missing = try run("replay", ["verify", "--store", session.path + "-none"])
      #expect(missing.status == 6)
    }
  }

  @Test
  func `sessions lists what is in flight below the session that caused it [L7] [H11]`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      func send(_ lines: String...) throws {
        let sender = try RunningTool("testapp", ["send", "--store", store])
        _ = sender.readLine()
        for line in lines {
          sender.send(line)
          #expect(sender.readLine()?.hasPrefix("ok ") == true)
        }
        #expect(sender.finish().status == 0)
      }
      func sessions() throws -> [[String: Any]] {
        let printed = try run("testapp", ["sessions", "--json", "--store", store])
        #expect(printed.errors == "")
        let found = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
        return try #require(found as? [[String: Any]])
      }
      try send("note one")
      #expect(try sessions().allSatisfy { ($0["effectsInFlight"] as? [Any])?.isEmpty == true })
      try send("later 9999 run two", "note three")
      try send("note four")
      let leaves = try sessions().map { try #require($0["effectsInFlight"] as? [[String: Any]]) }
      #expect(leaves.map(\.count) == [0, 1, 0])
      #expect(leaves[1][0]["cause"] as? Int == 5 && leaves[1][0]["ordinal"] as? Int == 0)
      let text = try run("testapp", ["sessions", "--store", store]).output.split(separator: "\n")
      #expect(text.map { $0.prefix(9) } == ["session 1", "session 4", "  in flig", "session 8"])
      #expect(text.count > 2 && text[2].contains("effect 5.0 TestLeaf, due "))
      #expect(leaves[1][0]["name"] as? String == "TestLeaf")
    }
  }

  @Test func `the name, the cause and the end of an effect are printed [E11]`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let sender = try RunningTool("testapp", ["send", "--store", store])
      _ = sender.readLine()
      for line in ["note one", "later 9999 drop two", "effect run three"] {
        sender.send(line)
        #expect(sender.readLine()?.hasPrefix("ok ") == true)
      }
      // The effect that runs at once ends before the process is asked to.
      while try !run("testapp", ["show", "--store", store]).output.contains("ran three") {}
      #expect(sender.finish().status == 0)
      let shown = try run("testapp", ["show", "--store", store]).output.split(separator: "\n")
      let cause = try #require(shown.firstIndex { $0.contains("three") })
      #expect(shown[cause].hasSuffix("  (has an effect)"))
      let end = try #require(shown.firstIndex { $0.contains("effectFinished") })
      let answer = try #require(shown.firstIndex { $0.contains("ran three") })
      #expect(end + 1 == answer)
      #expect(shown[answer].hasSuffix("  (sent by the effect of \(cause + 1))"))
      let steps = try run(
        "testapp", ["step", "--store", store, "goto", "\(end)", "effects", "next", "effects"]
      ).output
      #expect(steps.contains("in flight: effect \(cause + 1).0 TestLeaf, due "))
      #expect(steps.contains("ended: effect \(cause + 1).0 TestLeaf, finished"))
      #expect(steps.contains("in flight: effect \(cause).0 TestLeaf, due "))
    }
  }

  @Test func `no command writes to the store`() throws {
    try RecordedSession.with { session in
      func files() throws -> [String: Data] {
        // LMDB notes its readers in the lock file, and a mark has the process that had it last.
        try filesInTree(session.path)
          .filter { !$0.key.hasSuffix("lock.mdb") && !$0.key.hasPrefix("open.") }
      }
      let before = try files()
      #expect(before["data.mdb"]?.isEmpty == false)
      for command in [
        ["sessions"], ["show"], ["state"], ["route"], ["screen"], ["verify"], ["compare"],
        ["step", "last", "diff", "state", "route", "screen", "effects", "hash"],
        ["history", "TimeEntry=0"], ["export", "--changes"], ["doctor"],
        ["backup", session.path + "-copy"],
      ] { _ = try session.replay(command) }
      #expect(try files() == before)
    }
  }
}
