import Foundation
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceFixtures
import Testing
import ToolTestSupport

@Suite struct CompareTests {
  /// Records notes with the tests' app, and returns the number of records.
  private func record(_ notes: [String], at path: String) throws {
    let sender = try RunningTool("testapp", ["send", "--store", path])
    _ = sender.readLine()
    for note in notes {
      sender.send("note \(note)")
      #expect(sender.readLine()?.hasPrefix("ok ") == true)
    }
    let ended = sender.finish()
    #expect(ended.status == 0, "\(ended.errors)")
  }

  /// Another build of the tests' app, with a reducer that differs in one case.
  private func mutant(in folder: String) throws -> String {
    let path = "\(folder)/mutant"
    let script = "#!/bin/sh\nTESTAPP_MUTANT=1 exec '\(Tools.url("testapp").path)' \"$@\"\n"
    // Another program writes the file. If this process had it open for writing, a program that
    // another test starts meanwhile could inherit it, and the file could not be executed.
    let written = try shell("printf '%s' \"$1\" >\"$2\" && chmod 755 \"$2\"", [script, path])
    try #require(written.status == 0, "\(written.errors)")
    return path
  }

  private func object(_ result: ToolResult) throws -> [String: Any] {
    let line = result.output.split(separator: "\n").first.map(String.init) ?? ""
    return try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func `the first record that another build folds otherwise is found, by path`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      var notes = (0..<1_500).map { "note \($0)" }
      notes[1_237] = "mutant"
      notes[1_400] = "mutant"
      try record(notes, at: path)
      let other = try mutant(in: folder)
      let compare = ["compare", "--with", other, "--store", path]
      let told = try run("testapp", compare + ["--json"])
      #expect(told.status == 2, "\(told.errors)")
      let found = try object(told)
      // The first record opens the session.
      #expect(found["first"] as? Int == 1_239)
      let fields = try #require(found["state"] as? [[String: Any]])
      try #require(fields.count == 1)
      #expect(fields[0]["field"] as? String == "notes[1237].text")
      #expect(fields[0]["here"] as? String == "mutant")
      #expect(fields[0]["there"] as? String == "MUTANT")
      let text = try run("testapp", compare)
      #expect(text.status == 2 && text.output.contains("notes[1237].text"))
      // The same build finds nothing, and neither does the recording.
      let own = Tools.url("testapp").path
      let same = try run("testapp", ["compare", "--with", own, "--json", "--store", path])
      #expect(same.status == 0 && same.output == "{\"same\":true,\"first\":null}\n")
      #expect(try run("testapp", ["compare", "--store", path]).status == 0)
      // The mutant finds the recording's hashes to differ.
      let against = try run(
        "testapp", ["compare", "--json", "--store", path], environment: ["TESTAPP_MUTANT": "1"])
      #expect(against.status == 2, "\(against.errors)")
      let interval = try object(against)
      #expect(try #require(interval["after"] as? Int) < 1_239)
      #expect(try #require(interval["upTo"] as? Int) >= 1_239)
    }
  }

  @Test func `a bug in a reducer or a decider is named by command, record and difference`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      let (tea, store) = (
        KioskItemID(value: 0),
        try Store<KioskApp>.openBlocking(at: path, configuration: StoreConfiguration())
      )
      try store.performBlocking(.add(name: "tea"))
      _ = try? store.performBlocking(.sell(tea, count: 3), from: .scene)
      let renamed = try store.performBlocking(.rename(tea, to: "mate"))
      try store.closeBlocking()
      let tool = "\(folder)/forgets"
      let script =
        "#!/bin/sh\nTESTAPP_KIOSK=forgets exec '\(Tools.url("testapp").path)' \"$@\"\n"
      let written = try shell("printf '%s' \"$1\" >\"$2\" && chmod 755 \"$2\"", [script, tool])
      try #require(written.status == 0, "\(written.errors)")
      let right = ["TESTAPP_KIOSK": "right"]
      let compare = ["compare", "--with", tool, "--store", path]
      let told = try run("testapp", compare + ["--json"], environment: right)
      #expect(told.status == 2, "\(told.errors)")
      let found = try object(told)
      #expect(found["first"] as? Int == Int(renamed.receipt.sequences.upperBound) - 1)
      let command = try #require(found["command"] as? [String: Any])
      #expect(command["sequence"] as? Int == Int(renamed.receipt.sequences.lowerBound))
      #expect("\(command)".contains("mate"))
      let fields = try #require(found["state"] as? [[String: Any]])
      #expect(fields.contains { $0["field"] as? String == "items[0].name" })
      let text = try run("testapp", compare, environment: right).output
      #expect(text.contains("the command that led to it") && text.contains("items[0].name"))

      let same = try run("testapp", ["compare", "--store", path], environment: right)
      #expect(same.status == 0, "\(same.errors)")
      let decided = try run(
        "testapp", ["compare", "--store", path], environment: ["TESTAPP_KIOSK": "oversells"])
      #expect(decided.status == 2, "\(decided.errors)")
      #expect(decided.output.contains("sell") && decided.output.contains("outOfStock"))
      let verified = try run(
        "testapp", ["verify", "--decide", "--store", path],
        environment: ["TESTAPP_KIOSK": "oversells"])
      #expect(verified.status == 2)
      for text in [decided.output, verified.output] {
        // The command as `show` writes it, and each value by its path, on one side and the other.
        #expect(text.contains("command sell(0, count: 3)  (from scene; refused: outOfStock("))
        #expect(text.contains(/\n  refusal\.outOfStock\.[a-z]+: \d+ -> -\n/), "\(text)")
        #expect(text.contains(/\n  facts\[0\]\..*: - -> \d+\n/), "\(text)")
        #expect(!text.contains("{"), "\(text)")
      }
      #expect(decided.errors.contains("decides a recorded command differently"))
    }
  }

  @Test func `a limit cuts the places that differ, not the changes that are compared`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      let sender = try RunningTool("testapp", ["send", "--store", path])
      _ = sender.readLine()
      sender.send("secret mutant")
      sender.send("3132")
      #expect(sender.readLine()?.hasPrefix("ok ") == true)
      #expect(sender.finish().status == 0)
      let other = try mutant(in: folder)
      for limit in ["1", "2", "100"] {
        let compare = ["compare", "--with", other, "--limit", limit, "--json", "--store", path]
        let fields = try #require(
          try object(try run("testapp", compare))["state"] as? [[String: Any]])
        try #require(fields.count == 1)
        #expect(fields[0]["field"] as? String == "secrets[0].label")
        #expect(fields[0]["here"] as? String == "mutant")
        #expect(fields[0]["there"] as? String == "MUTANT")
      }
    }
  }

  @Test func `another app, or a program that is not a replay tool, is refused`() throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/s"
      try record(["a"], at: path)
      for (tool, status) in [
        ("\(folder)/none", 64), ("/bin/true", 64), (Tools.url("replay").path, 4),
      ] {
        let told = try run("testapp", ["compare", "--with", tool, "--store", path])
        #expect(told.status == Int32(status), "\(tool): \(told.errors)")
        #expect(told.errors.contains("  do:  "))
      }
    }
  }

  @Test func `two logs differ from the first record that is not the same`() throws {
    try withTemporaryDirectory { folder in
      let start = ["start", "--user", "anna", "--now", "2026-03-02T09:00:00Z"]
      for (name, what) in [("a", "one"), ("b", "two"), ("c", "one")] {
        let told = try run("track", start + [what, "--store", "\(folder)/\(name)"])
        #expect(told.status == 0)
      }
      let compare = ["compare", "--json", "--store", "\(folder)/a"]
      let same = try run("replay", compare + ["\(folder)/c"])
      #expect(same.status == 0, "\(same.output)")
      let differ = try run("replay", compare + ["\(folder)/b"])
      #expect(differ.status == 2)
      let found = try object(differ)
      #expect(found["first"] as? Int == 2)
      let record = try #require(found["record"] as? [[String: Any]])
      #expect(
        record.contains { $0["before"] as? String == "one" && $0["after"] as? String == "two" })
      let states = try #require(found["state"] as? [[String: Any]])
      #expect(states.map { $0["entity"] as? String } == ["TimeEntry"])
      _ = try run(
        "track",
        ["stop", "--user", "anna", "--store", "\(folder)/c", "--now", "2026-03-02T09:10:00Z"])
      let longer = try object(try run("replay", compare + ["\(folder)/c"]))
      #expect(longer["first"] as? Int == 6 && longer["last"] as? [Int] == [5, 9])
      #expect(try run("replay", compare + ["\(folder)/none"]).status == 6)
      #expect(try run("replay", compare + ["\(folder)/b", "--with", "x"]).status == 64)
    }
  }
}
