import Foundation
import RetraceAvro
import RetraceStorage
import Testing
import ToolTestSupport

@testable import RetraceReplayTool

@Suite struct StepTests {
  private func answers(
    _ session: RecordedSession, _ steps: [String]
  ) throws -> [[String: Any]] {
    try session.replay(["step", "--json"] + steps).output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `a walk goes both ways, by records and by batches, one answer a step`() throws {
    try RecordedSession.with { session in
      let steps = [
        "next", "next", "4", "back", "next-batch", "back-batch", "goto 12", "back 100", "last",
        "next", "first",
      ]
      let found = try answers(session, steps)
      #expect(found.map { $0["sequence"] as? Int } == [1, 5, 4, 6, 4, 12, 0, 15, 15, 1])
      #expect(found.allSatisfy { $0["last"] as? Int == RecordedSession.last })
      #expect(found.map { $0["insideBatch"] as? Bool == true }.firstIndex(of: true) == 1)
      #expect(found[6]["record"] is NSNull)
      let record = try #require(found[1]["record"] as? [String: Any])
      #expect(record["sequence"] as? Int == 5 && record["kind"] as? String == "command")
      let text = try session.replay(["step", "--at", "6", "next", "next-batch"]).output
      #expect(text.contains("after record 7 of 15\n") && text.contains("after record 8 of 15\n"))
    }
  }

  @Test func `every step tells what changed; applied one after another they give the state`() throws
  {
    try RecordedSession.with { session in
      let steps = (0..<RecordedSession.last).flatMap { _ in ["next", "diff"] }
      let found = try answers(session, steps)
      var entries = 0
      for index in stride(from: 1, to: found.count, by: 2) {
        let changes = try #require(found[index]["changes"] as? [[String: Any]])
        #expect(found[index]["cut"] as? Bool == false)
        #expect(found[index]["sequence"] as? Int == index / 2 + 1)
        let record = found[index - 1]["record"] as? [String: Any]
        if record?["kind"] as? String != "action" { #expect(changes.isEmpty) }
        for change in changes where change["entity"] as? String == "TimeEntry" {
          #expect(change["change"] as? String == "created" && change["id"] as? Int == 0)
          entries += 1
        }
      }
      #expect(entries == 1)
      let part = try answers(session, ["last", "state domain.timeEntries[0].description"])
      #expect(part[1]["state"] as? String == "write")
      let whole = try answers(session, ["goto 9", "state", "hash"])
      let state = try session.object(["state", "--at", "9"])
      #expect(
        NSDictionary(dictionary: try #require(whole[1]["state"] as? [String: Any]))
          == NSDictionary(dictionary: try #require(state["state"] as? [String: Any])))
      #expect(whole[2]["stateHash"] as? String == state["stateHash"] as? String)
    }
  }

  @Test func `lines of the standard input are answered while it is open`() throws {
    try RecordedSession.with { session in
      let walk = try RunningTool("replay", ["step", "--json", "--store", session.path])
      func ask(_ line: String) throws -> [String: Any] {
        walk.send(line)
        let answer = try #require(walk.readLine())
        return try #require(
          try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
      }
      #expect(try ask("goto 14")["sequence"] as? Int == 14)
      #expect(try ask("route")["path"] as? String == "timer/0/start")
      let lines = try ask("screen")["lines"] as? [String]
      #expect(lines?.contains { $0.contains("draft") } == true)
      #expect(try ask("effects")["effect"] as? String == "none")
      // A request without an answer is an error, and leaves the position unchanged.
      #expect(try ask("goto 99")["error"] is [String: Any])
      #expect(try ask("jump")["error"] is [String: Any])
      #expect(try ask("state nothing.here")["error"] is [String: Any])
      #expect(try ask("next")["sequence"] as? Int == 15)
      let ended = walk.finish()
      #expect(ended.status == 7, "the first that could not be answered: \(ended.errors)")
    }
  }

  @Test func `a key in a path may contain spaces and quotation marks`() throws {
    let path = #"notes["a \" b"].text"#
    #expect(try StepRequest.parse("state \(path)\tdiff") == [.state(path), .diff])
    #expect(try StepRequest.parse(" state  diff ") == [.state(nil), .diff])
    let value = DifferencePath.value(path, in: ["notes": [#"a " b"#: ["text": 7]]])
    #expect(value == 7)
  }

  @Test func `a time leads to the last record that existed then`() throws {
    let now = try StepRequest.parse("goto last monday 9:00 diff goto 4 last")
    guard case .move(.goto(.moment(_)))? = now.first else {
      Issue.record("no time: \(now)")
      return
    }
    #expect(now.dropFirst() == [.diff, .move(.goto(.sequence(4))), .move(.last)])
    for wrong in ["goto", "goto soon", "goto 4 jump", "goto \"\""] {
      #expect(throws: StepRequest.ParseError.self) { try StepRequest.parse(wrong) }
    }
    try RecordedSession.with { session in
      let steps = ["goto", "2001-01-01", "goto 2126-01-01 9:00", "goto \"2126-01-01 9:00\""]
      let found = try answers(session, steps).map { $0["sequence"] as? Int }
      #expect(found == [0, RecordedSession.last, RecordedSession.last])
    }
  }

  @Test func `digests cover states, effects and decisions, without the fields left out`() throws {
    #expect(try StepRequest.parse("omit A.b,C.d diff") == [.omit(["A.b", "C.d"]), .diff])
    #expect(try StepRequest.parse("omit - digests 3") == [.omit([]), .digests(3)])
    try RecordedSession.with { session in
      func answers(_ steps: [String]) throws -> [[String: Any]] {
        try self.answers(session, steps)
      }
      let whole = try answers(["digests", "15"])
      #expect(whole[0]["sequence"] as? Int == 15)
      for name in ["states", "effects", "decisions"] { #expect(whole[0].isDigest(name)) }
      // Records 1 to 5 end with the first command.
      let parts = try answers(["digests", "4", "digests", "1", "decision"])
      #expect(parts[0]["states"] as? String != parts[1]["states"] as? String)
      #expect(parts[0]["effects"] as? String == parts[1]["effects"] as? String)
      #expect(parts[0]["decisions"] as? String != parts[1]["decisions"] as? String)
      let decision = try #require(parts[2]["decision"] as? [String: Any])
      #expect("\(decision["facts"] ?? "")".contains("anna"))
      #expect(try answers(["goto", "3", "decision"])[1]["decision"] is NSNull)
      let schemas = try answers(["schemas"])[0]
      #expect(["state", "action", "refusal"].allSatisfy { schemas[$0] is [String: Any] })
      // The entry's description is in the last fact, and nowhere else in the state.
      let all = try answers(["omit", "-", "goto", "14", "diff", "decision"])
      #expect("\(all[2])".contains("write"))
      let some = try answers(["omit", "TimeEntry.description", "goto", "14", "diff"])
      #expect(some[0]["omitted"] as? [String] == ["TimeEntry.description"])
      #expect(!"\(some[2])".contains("write") && "\(some[2])".contains("TimeEntry"))
    }
  }

  @Test func `words that are not steps are refused before the first answer`() throws {
    try RecordedSession.with { session in
      for steps in [["jump"], ["next", "goto"], ["hashes"], ["goto", "x"], ["digests"], ["omit"]] {
        let refused = try session.replay(["step"] + steps, status: 64)
        #expect(refused.output.isEmpty && refused.errors.contains("why: "))
      }
      _ = try session.replay(["step", "goto", "16"], status: 7)
      _ = try session.replay(["step", "--limit", "0"], status: 64)
      _ = try session.replay(["step", "--at", "16", "record"], status: 7)
    }
  }
}
