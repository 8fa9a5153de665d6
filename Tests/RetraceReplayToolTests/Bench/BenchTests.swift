import Foundation
import Testing
import ToolTestSupport

/// `replay bench` over recorded logs: what it says, never how long something took.
@Suite struct BenchTests {
  static let parts = ["scan", "verify", "decode", "reduce", "hash", "fold", "whole"]

  private func bench(_ session: RecordedSession, _ more: [String] = []) throws -> [String: Any] {
    try session.object(["bench", "--rounds", "3"] + more)
  }

  private func numbers(_ value: Any?) throws -> [Double] {
    try #require(value as? [NSNumber]).map(\.doubleValue)
  }

  @Test func `every record is measured once, under its type`() throws {
    try RecordedSession.with { session in
      let run = try bench(session)
      let log = try #require(run["log"] as? [String: Any])
      #expect(log["records"] as? Int == RecordedSession.last)
      let types = try #require(run["types"] as? [[String: Any]])
      #expect(types.reduce(0) { $0 + ($1["records"] as? Int ?? 0) } == RecordedSession.last)
      let bytes = types.reduce(0) {
        $0 + (($1["bytes"] as? [String: Any])?["total"] as? Int ?? 0)
      }
      #expect(log["bytes"] as? Int == bytes)
      // `show` has the same names and numbers.
      for type in types {
        let name = try #require(type["name"] as? String)
        let isKind = ["sessionOpened", "command", "sessionClosed"].contains(name)
        let shown = try session.replay(["show", "--json", isKind ? "--kind" : "--action", name])
        #expect(
          shown.output.split(separator: "\n").count == type["records"] as? Int, "\(name)")
      }
      #expect(types.contains { $0["name"] as? String == "fact.edited.entry.inserted" })
      #expect(types.count > 5)
    }
  }

  @Test func `the object has all its parts, each with its rounds`() throws {
    try RecordedSession.with { session in
      let run = try bench(session)
      #expect(
        Set(run.keys) == [
          "bench", "app", "build", "reducer", "optimised", "log", "repetitions",
          "clockNanoseconds", "clockStepNanoseconds", "parts", "types", "rounds", "seed", "machine",
          "notes",
          "comparison",
        ])
      #expect(run["bench"] as? Int == 2 && run["app"] as? String == "track")
      #expect(run.isDigest("reducer"))
      let parts = try #require(run["parts"] as? [[String: Any]])
      #expect(parts.compactMap { $0["name"] as? String } == Self.parts)
      for part in parts {
        #expect(try numbers(part["rounds"]).count == 3)
        #expect((part["nanoseconds"] as? [String: Any])?.count == 3)
      }
      for type in try #require(run["types"] as? [[String: Any]]) {
        for name in ["bytes", "nanoseconds", "decode", "reduce"] {
          let figures = try #require(type[name] as? [String: Any], "\(name) of \(type)")
          let p50 = try #require(figures["p50"] as? NSNumber).doubleValue
          #expect(p50 <= (figures["p99"] as? NSNumber)?.doubleValue ?? -1)
        }
        let rounds = try #require(type["rounds"] as? [String: Any])
        #expect(try numbers(rounds["whole50"]).count == 3)
      }
      let rounds = try #require(run["rounds"] as? [String: Any])
      for name in ["wall", "processor", "yardstick"] {
        #expect(try numbers(rounds[name]).allSatisfy { $0 > 0 })
      }
      #expect(run["comparison"] is NSNull)
      // State and chain are those that the other commands tell.
      let log = try #require(run["log"] as? [String: Any])
      let verified = try session.object(["verify"])
      #expect(log["stateHash"] as? String == verified["stateHash"] as? String)
      #expect(log["chain"] as? String == verified["chain"] as? String)
      // One hash for each session's end, and for the last state.
      #expect(try #require(log["hashes"] as? Int) >= 2)
    }
  }

  @Test func `parts add up, and the record that is named is the last`() throws {
    try RecordedSession.with { session in
      let run = try bench(session, ["--at", "5"])
      #expect((run["log"] as? [String: Any])?["records"] as? Int == 5)
      let types = try #require(run["types"] as? [[String: Any]])
      #expect(types.reduce(0) { $0 + ($1["records"] as? Int ?? 0) } == 5)
      var parts: [String: [Double]] = [:]
      for part in try #require(run["parts"] as? [[String: Any]]) {
        parts[try #require(part["name"] as? String)] = try numbers(part["rounds"])
      }
      for round in 0..<3 {
        func figure(_ name: String) -> Double { parts[name]?[round] ?? .nan }
        let fold = figure("scan") + figure("decode") + figure("reduce")
        #expect(abs(fold - figure("fold")) < 0.01)
        let whole = figure("verify") + figure("fold") + figure("hash")
        #expect(abs(whole - figure("whole")) < 0.01)
        for name in ["scan", "verify", "fold", "hash"] { #expect(figure(name) > 0) }
      }
    }
  }

  @Test func `the log stays as it was, and a run by another process changes nothing`() throws {
    try RecordedSession.with { session in
      let before = try session.object(["verify"])
      _ = try bench(session)
      #expect(try session.object(["verify"])["chain"] as? String == before["chain"] as? String)
      #expect(try session.object(["state"])["sequence"] as? Int == RecordedSession.last)
    }
  }

  @Test(arguments: [20, 40, 80, 120])
  func `no line is wider than the terminal, and nothing controls it`(columns: Int) throws {
    try RecordedSession.with { session in
      let file = session.path + "-before.json"
      let before = try session.replay(["bench", "--json", "--rounds", "3"])
      try Data(before.output.utf8).write(to: URL(fileURLWithPath: file))
      let told = try run(
        "replay",
        ["bench", "--rounds", "3", "--baseline", file, "--store", session.path],
        environment: ["COLUMNS": "\(columns)"])
      #expect(told.status == 0, "\(told.errors)")
      let lines = told.output.split(separator: "\n")
      for line in lines where !line.hasPrefix("note: ") {
        #expect(line.count <= columns, "\(line)")
      }
      #expect(!told.output.contains("\u{1B}"))
      for part in Self.parts { #expect(lines.contains { $0.hasPrefix(part) }, "no \(part)") }
      #expect(columns < 80 || told.output.contains("###"))
    }
  }
}
