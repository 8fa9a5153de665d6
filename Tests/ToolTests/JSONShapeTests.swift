import Foundation
import Testing
import ToolTestSupport

/// The JSON of each command has the members that scripts rely on, of the kinds that they expect.
@Suite struct JSONShapeTests {
  private func withStore(_ body: ([String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let app = try PipedApp("\(folder)/s")
      for line in ["text:anna", "enter", "text:n", "text:plan"] { try app.press(line) }
      app.end()
      let store = ["--store", "\(folder)/s"]
      try expectFine(
        ["track", "start", "a", "--user", "anna", "--now", "2026-03-02T10:00:00Z"] + store)
      try body(store + ["--json"])
    }
  }

  private func isInteger(_ name: String, in output: String) -> Bool {
    output.contains("\"\(name)\":")
      && output.ranges(of: "\"\(name)\":").allSatisfy { range in
        let digits = output[range.upperBound...].prefix { $0.isNumber }
        return !digits.isEmpty && ",}".contains(output[digits.endIndex])
      }
  }

  private func isDigest(_ value: Any?) -> Bool {
    (value as? String)?.wholeMatch(of: /[0-9a-f]{64}/) != nil
  }

  @Test func `verify tells records, chain, state hash and divergence`() throws {
    try withStore { store in
      let output = try expectFine(["replay", "verify"] + store)
      let value = try object(output)
      #expect(isInteger("records", in: output) && isInteger("notComparable", in: output))
      #expect(isDigest(value["chain"]) && isDigest(value["stateHash"]))
      #expect(value["notComparable"] as? Int == 0)
      #expect(value["firstDivergence"] is NSNull)
      let audit = try object(expectFine(["audit", "verify"] + store))
      #expect(audit["chain"] as? String == value["chain"] as? String)
      #expect(audit["records"] as? Int == value["records"] as? Int)
      // One value on one line.
      #expect(output.lines.count == 1)
    }
  }

  @Test func `state tells sequence, place in the batch, hash and state`() throws {
    try withStore { store in
      let last = try #require(
        try object(expectFine(["replay", "verify"] + store))["records"] as? Int)
      for sequence in 0...last {
        let value = try object(expectFine(["replay", "state", "--at", "\(sequence)"] + store))
        #expect(value["sequence"] as? Int == sequence)
        #expect(value["insideBatch"] is Bool)
        #expect(isDigest(value["stateHash"]))
        #expect(value["state"] is [String: Any])
      }
      let whole = try object(expectFine(["replay", "state"] + store))
      #expect(whole["sequence"] as? Int == last)
      let verified = try object(expectFine(["replay", "verify"] + store))
      #expect(whole["stateHash"] as? String == verified["stateHash"] as? String)
      for command in ["state", "route", "screen", "show"] {
        try expectFailure(
          ["replay", command, "--at", "\(last + 1)"] + store.dropLast(), exit: 7,
          mentions: ["\(last + 1)", " \(last)."])
      }
      try expectFailure(["replay", "show", "--at", "0"] + store.dropLast(), exit: 7)
    }
  }

  @Test func `route tells path and stack`() throws {
    try withStore { store in
      let value = try object(expectFine(["replay", "route"] + store))
      #expect(value["path"] as? String == "timer/0/start")
      let stack = try #require(value["stack"] as? [[String: Any]])
      #expect(stack.map { $0["path"] as? String } == ["timer/0", "timer/0/start"])
      // The parameters are there: the draft.
      let route = try JSONSerialization.data(withJSONObject: stack.element(1))
      #expect(String(decoding: route, as: UTF8.self).contains(#""text":"plan""#))
      let track = try object(expectFine(["track", "route"] + store))
      #expect(track["path"] as? String == "timer/0/start")
      #expect(track["stack"] as? [String] == ["timer/0", "timer/0/start"])
      // Before the first record there is no scene.
      try expectFailure(["replay", "route", "--at", "0"] + store.dropLast(), exit: 7)
    }
  }

  @Test func `status, log and the commands tell entries of one shape`() throws {
    try withStore { store in
      let at = ["--now", "2026-03-02T10:00:05Z"]
      let running = try object(
        expectFine(["track", "status", "--user", "anna"] + store + at))["running"]
      let entry = try #require(running as? [String: Any])
      #expect(entry["seconds"] as? Int == 5)
      let log = try json(expectFine(["track", "log"] + store + at)) as? [[String: Any]]
      #expect(log?.count == 1)
      #expect(NSDictionary(dictionary: log?[0] ?? [:]) == NSDictionary(dictionary: entry))
      let stopped = try object(
        expectFine(["track", "stop", "--user", "anna"] + store + at))
      #expect(Set(stopped.keys) == ["sequence", "entry", "stopped", "adjusted"])
      #expect(stopped["stopped"] is NSNull && (stopped["adjusted"] as? [Any])?.isEmpty == true)
      #expect((stopped["entry"] as? [String: Any])?.keys == entry.keys)
      let none = try object(expectFine(["track", "status", "--user", "anna"] + store))
      #expect(none["running"] is NSNull)
    }
  }

  @Test func `sessions and records are listed with their members`() throws {
    try withStore { store in
      let sessions = try json(expectFine(["replay", "sessions"] + store)) as? [[String: Any]]
      try #require(sessions?.count == 2)
      #expect(sessions?[0]["scene"] as? Int == 0)
      #expect(sessions?[1]["scene"] is NSNull)
      #expect(sessions?.allSatisfy { $0["closed"] as? Bool == true } == true)
      let shown = try expectFine(["replay", "show"] + store)
      #expect(isInteger("sequence", in: shown) && isInteger("session", in: shown))
      for record in try objects(shown) {
        #expect(record["kind"] is String && record["moment"] is String)
        #expect(record["payload"] is [String: Any])
      }
    }
  }
}
