import Foundation
import RetraceReplay
import Testing
import ToolTestSupport

@testable import RetraceReplayTool

/// `replay bench` beside an earlier run, or another build.
@Suite struct BenchComparisonTests {
  /// Records notes with the tests' app.
  private func record(_ notes: [String], at path: String) throws {
    let sender = try RunningTool("testapp", ["send", "--store", path])
    _ = sender.readLine()
    for note in notes {
      sender.send("note \(note)")
      #expect(sender.readLine()?.hasPrefix("ok ") == true)
    }
    #expect(sender.finish().status == 0)
  }

  private func bench(_ path: String, _ more: [String] = []) throws -> ToolResult {
    try run("testapp", ["bench", "--json", "--rounds", "3", "--store", path] + more)
  }

  /// The comparison of a run that has one, after a look at its rows.
  private func comparison(_ result: ToolResult) throws -> [String: Any] {
    #expect(result.status == 0, "\(result.errors)")
    let found = try #require(try result.json()["comparison"] as? [String: Any])
    for name in ["parts", "types"] {
      let rows = try #require(found[name] as? [[String: Any]])
      #expect(!rows.isEmpty)
      for row in rows where !(row["verdict"] is NSNull) {
        let verdict = try #require(row["verdict"] as? String)
        #expect(["faster", "slower", "none"].contains(verdict))
        let smallest = try #require(row["smallestVisible"] as? NSNumber).doubleValue
        let difference = try #require(row["difference"] as? NSNumber).doubleValue
        #expect(smallest >= 0.01)
        // A reported difference is larger than the smallest visible one.
        if verdict == "none" { #expect(abs(difference) <= smallest + 0.0001) }
        if verdict == "faster" { #expect(-difference >= smallest - 0.0001) }
        if verdict == "slower" { #expect(difference >= smallest - 0.0001) }
      }
    }
    return found
  }

  @Test func `an earlier run is compared with, over the same log only`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      try record(["one", "two", "three"], at: path)
      let file = "\(folder)/before.json"
      try Data(try bench(path).output.utf8).write(to: URL(fileURLWithPath: file))
      let found = try comparison(try bench(path, ["--baseline", file]))
      #expect(found["baseline"] as? String == file && found["manner"] as? String == "apart")
      #expect(found["sameState"] as? Bool == true)
      #expect((found["parts"] as? [Any])?.count == BenchTests.parts.count)
      #expect((found["unmatched"] as? [Any])?.isEmpty == true)
      // The log goes on.
      try record(["four"], at: path)
      let grown = try bench(path, ["--baseline", file])
      #expect(grown.status == 4 && grown.errors.contains("--at"), "\(grown.errors)")
      let records =
        try #require(
          try bench(path).json()["log"] as? [String: Any])["records"] as? Int ?? 0
      // The end of the first session, the begin of the second, the note and the end.
      #expect(try bench(path, ["--baseline", file, "--at", "\(records - 3)"]).status == 0)
      // Another log of as many records.
      let other = "\(folder)/other"
      try record(["one", "two", "four"], at: other)
      let foreign = try bench(other, ["--baseline", file])
      #expect(foreign.status == 4 && foreign.errors.contains("another log"), "\(foreign.errors)")
    }
  }

  @Test func `no difference is reported below the step of the clock, or in few records`() {
    func run(_ medians: [(name: String, records: UInt64, nanoseconds: Double)]) -> BenchRun {
      var run = BenchRun(
        app: "a", build: "1", reducer: "", isOptimised: true, records: 1_000, bytes: 1, chain: "",
        stateHash: "", hashes: 0, repetitions: 1, clockNanoseconds: 20, clockStepNanoseconds: 10,
        types: [])
      for (name, records, nanoseconds) in medians {
        var type = BenchRun.TypeTimings(
          recordType: BenchedType(name: name, records: records, bytes: Distribution(of: [])))
        type.times[.whole50] = Array(repeating: nanoseconds, count: 7)
        run.types.append(type)
      }
      return run
    }
    let current = run([
      ("step", 500, 385), ("more", 500, 420), ("few", 19, 900), ("twenty", 20, 900),
    ])
    let reference = run([
      ("step", 500, 394), ("more", 500, 385), ("few", 19, 300), ("twenty", 20, 300),
    ])
    let rows = BenchComparison(
      current, reference, design: .alternating, bootstrap: Bootstrap(seed: 1)
    ).types
    #expect(rows.map(\.name) == ["step", "more", "few", "twenty"])
    #expect(rows.map { $0.verdict?.finding } == [.noDifference, .slower, nil, .slower])
  }

  @Test func `another build is measured in turns, and its states are compared`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      try record(["one", "mutant"], at: path)
      let own = Tools.url("testapp").path
      let same = try comparison(try bench(path, ["--with", own]))
      #expect(same["with"] as? String == own && same["manner"] as? String == "in turns")
      #expect(same["sameState"] as? Bool == true)
      let mutant = "\(folder)/mutant"
      let script = "#!/bin/sh\nTESTAPP_MUTANT=1 exec '\(own)' \"$@\"\n"
      try Data(script.utf8).write(to: URL(fileURLWithPath: mutant))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: mutant)
      let differs = try bench(path, ["--with", mutant])
      #expect(try comparison(differs)["sameState"] as? Bool == false)
      #expect(differs.output.contains("different states"))
    }
  }

  @Test func `what cannot be measured or compared is refused in four parts`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      try record(["one"], at: path)
      func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
      }
      let good = try bench(path).output
      let foreign = good.replacingOccurrences(of: "\"app\":\"testapp\"", with: "\"app\":\"other\"")
      try #require(foreign != good)
      let rows: [([String], Int32, String)] = [
        (["--rounds", "2"], 64, "--rounds"),
        (["--rounds", "1001"], 64, "--rounds"),
        (["--at", "99"], 7, "--at"),
        (["--at", "0"], 1, "nothing to measure"),
        (["--baseline", "\(folder)/none"], 64, "none"),
        (["--baseline", try file("text", "no JSON")], 64, "is not what"),
        (["--baseline", try file("object", "{\"bench\":1}")], 64, "is not what"),
        (["--baseline", try file("half", String(good.dropLast(40)))], 64, "is not what"),
        (["--baseline", try file("foreign", foreign)], 4, "other"),
        (["--baseline", "x", "--with", "y"], 64, "cannot be used together"),
        (["--with", "\(folder)/none"], 64, "did not start"),
        (["--with", "/bin/true"], 4, "could not be measured"),
        (["--with", Tools.url("replay").path], 4, "cannot be folded"),
        (["--store", "\(folder)/nowhere"], 6, "could not be opened"),
      ]
      for (words, status, mention) in rows {
        let arguments = words.contains("--store") ? words : words + ["--store", path]
        let told = try run("testapp", ["bench"] + arguments)
        let shown = "\(words): \(told.status)\n\(told.errors)"
        #expect(told.output.isEmpty, "\(shown)")
        #expect(told.status == status, "\(shown)")
        #expect(told.errors.contains(mention), "\(shown)")
        let lines = told.errors.split(separator: "\n")
        #expect(lines.count == 4, "\(shown)")
        #expect(lines.last == "  exit code \(status)", "\(shown)")
      }
    }
  }
}
