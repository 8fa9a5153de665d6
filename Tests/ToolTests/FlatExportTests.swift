import Foundation
import Testing
import ToolTestSupport

/// The flat export of a log: every record as a row of nine columns, in CSV and in JSON Lines.
@Suite struct FlatExportTests {
  private struct Found: Decodable {
    let columns: [String]
    let rows: Int
    let kinds: [String: Int]
    /// What differs between the formats, or from `audit list`.
    let differences: [String]
    let commands: [[String]]
    let who: [String]
  }

  /// Reads the exports of a store with Python's own modules, beside `audit list`.
  private func read(_ store: String, in folder: String, exact: Bool) throws -> Found {
    let files = ["list", "flat", "csv"].map { "\(folder)/\($0)" }
    let list = try expectFine(["audit", "list", "--json", "--store", store])
    try Data(list.utf8).write(to: URL(fileURLWithPath: files[0]))
    try expectFine(["audit", "export", "--flat", "--output", files[1], "--store", store])
    let csv = try expectFine(
      ["audit", "export", "--flat", "--format", "csv", "--store", store]
        + (exact ? ["--exact"] : []))
    try Data(csv.utf8).write(to: URL(fileURLWithPath: files[2]))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Python/flat.py").path
    let result = try runProgram(try Python.path(), ["-B", script] + files)
    try #require(result.status == 0, "\(result.errors)")
    for file in files { try FileManager.default.removeItem(atPath: file) }
    return try JSONDecoder().decode(Found.self, from: Data(result.output.utf8))
  }

  @Test func `rows have what audit list prints, in both formats`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try EveryKind.record(at: store)
      let found = try read(store, in: folder, exact: true)
      #expect(found.differences.isEmpty, "\(found.differences)")
      #expect(
        found.columns == [
          "sequence", "kind", "session", "moment", "action", "entity", "id", "who", "payload",
        ])
      #expect(found.kinds.keys.count == 7 && found.kinds["crashed"] == 3)
      #expect(found.commands.contains(["restock", "KioskItem", "0"]))
      #expect(found.who.allSatisfy { $0.hasPrefix(EveryKind.login + "@") })
      // For spreadsheets, the user's name gets an apostrophe, and nothing else changes.
      let marked = try read(store, in: folder, exact: false)
      #expect(marked.differences.allSatisfy { $0.hasSuffix("who") })
      #expect(marked.differences.count == marked.rows)
    }
  }

  @Test func `the tracker's records are exported without its code`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let app = try PipedApp(store)
      for line in [
        "text:anna", "enter", "text:n", "text:döö \"x\" \\ ,", "tab", "text:p", "enter", "enter",
        "text:s",
      ] { try app.press(line) }
      app.end()
      for words in [
        ["clients", "create", "ACME"], ["projects", "create", "web", "--client", "ACME"],
        ["users", "create", "ben"], ["users", "set", "ben", "--rate", "9"],
      ] { try expectFine(["track"] + words + ["--store", store]) }
      let found = try read(store, in: folder, exact: true)
      #expect(found.differences.isEmpty, "\(found.differences)")
      // A command has the id that it is given, and not that of another entity in what it creates.
      for command in [
        ["entry.start", "", ""], ["entry.stop", "User", "0"], ["project.create", "", ""],
        ["user.change", "User", "1"],
      ] { #expect(found.commands.contains(command), "\(command) in \(found.commands)") }
      #expect(found.rows == found.kinds.values.reduce(0, +) && found.rows > 10)
    }
  }

  @Test func `an empty log, a part of a log and wrong options`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try EveryKind.record(at: store)
      let export = ["audit", "export", "--store", store]
      let all = try expectFine(export + ["--flat"]).lines
      #expect(try expectFine(export + ["--flat", "--through", "3"]).lines == Array(all.prefix(3)))
      for (options, word) in [
        ([], "--output"), (["--format", "csv", "--output", "x"], "--flat"),
        (["--flat", "--exact"], "--format csv"), (["--flat", "--through", "99"], "There is no"),
        (["--flat", "--format", "csv", "--json"], "contradict"),
        (["--output", "x.csv"], "Add --flat"), (["--output", "x.JSONL"], "Add --flat"),
        (["--flat", "--output", "x.avro"], "Leave out --flat"),
      ] {
        let result = try run("audit", ["export", "--store", store] + options)
        #expect(
          [7, 64].contains(result.status) && result.errors.contains(word), "\(result.errors)")
      }
      let file = "\(folder)/rows.csv"
      // The name of the file decides, unless an option does.
      let told = try expectFine(export + ["--flat", "--output", file])
      #expect(told == "\(all.count) records were exported to \(file).\n")
      let rows = try String(contentsOfFile: file, encoding: .utf8).lines
      #expect(rows.count == all.count + 1 && rows[0].hasPrefix("sequence,kind,"))
      let other = "\(folder)/other.csv"
      try expectFine(export + ["--flat", "--format", "jsonl", "--output", other])
      #expect(try String(contentsOfFile: other, encoding: .utf8).lines == all)
      try expectFailure(
        export + ["--flat", "--output", file], exit: 64, mentions: ["exists already"])
    }
  }

  @Test func `the exported file has commands, refusals and crashed actions as records`() throws {
    try withTemporaryDirectory { folder in
      let (store, file) = ("\(folder)/s", "\(folder)/records.avro")
      try EveryKind.record(at: store)
      try expectFine(["audit", "export", "--output", file, "--store", store])
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let script = tests.appendingPathComponent("Python/export.py").path
      let read = try object(
        runProgram(try Python.path(), ["-B", script, file]).output)
      let values = try #require(read["values"] as? [[String]])
      #expect(
        values == [
          ["program", "commands1.KioskCommand_add", ""],
          ["scene", "commands1.KioskCommand_restock", ""],
          ["scene", "commands1.KioskCommand_sell", "commands2.KioskRefusal"],
          ["crashed", "schema1.KioskAction", "schema1.KioskAction"],
          ["crashed", "commands1.KioskCommand"], ["crashed", "bytes"],
        ], "\(values)")
      let marks = try #require(read["marks"] as? [String: Int])
      #expect(marks == ["isClockFixed": 7, "realTime": 7, "earlierThan": 1], "\(marks)")
      // The reader that has none of the project's code agrees, byte by byte.
      let verify = tests.appendingPathComponent("../Format/verify.py").standardizedFileURL.path
      let checked = try runProgram(
        "/usr/bin/env", ["python3", "-B", verify, store, "--export", file, "--json"])
      #expect(checked.status == 0, "\(checked.errors)")
      #expect(try object(checked.output)["exportedValues"] as? Int == 8)
      // The schemas are in the log as well.
      let schemas = try json(expectFine(["audit", "schemas", "--json", "--store", store]))
      let numbers = (schemas as? [[String: Any]])?.compactMap { $0["number"] as? Int }
      #expect(numbers == [1, 2_147_483_649, 2_147_483_650])
    }
  }
}
