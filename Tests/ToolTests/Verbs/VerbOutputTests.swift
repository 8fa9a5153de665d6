import Foundation
import Testing
import ToolTestSupport

/// What every verb of `track` prints: for people at three widths, and for programs.
///
/// The files in `Golden` are written anew by a run with `RETRACE_WRITE_GOLDEN=1`; read their
/// differences before they are committed.
@Suite struct VerbOutputTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  @Test func `the scenario has every verb`() throws {
    let used = Set(
      VerbScenario.lines.map { String($0.split(separator: " ")[1]) })
    for command in try VerbScenario.commands() where !VerbScenario.elsewhere.contains(command) {
      #expect(used.contains(command), "no line with \(command)")
    }
  }

  @Test(arguments: [60, 80, 120])
  func `the output for people is as it was`(columns: Int) throws {
    try withTemporaryDirectory { folder in
      let steps = try VerbScenario.run(in: "\(folder)/s", columns: columns)
      let text = steps.map { "$ \($0.line)\n\($0.output)" }.joined(separator: "\n")
      let file = Self.folder.appendingPathComponent("verbs-\(columns).txt")
      if ProcessInfo.processInfo.environment["RETRACE_WRITE_GOLDEN"] == "1" {
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      let golden = try String(contentsOf: file, encoding: .utf8)
      for (new, old) in zip(text.lines, golden.lines) where new != old {
        Issue.record("at \(columns) columns:\n  was \(old)\n  is  \(new)")
        break
      }
      #expect(text.lines.count == golden.lines.count)
      // Reports and lists fit; what a change echoes may be longer.
      for step in steps where Self.reports.contains(step.verb) && !step.isChange {
        for line in step.output.lines { #expect(line.count <= columns, "\(line)") }
      }
    }
  }

  private static let reports: Set<String> = [
    "status", "log", "day", "week", "month", "report", "search", "history", "gaps", "projects",
    "clients", "tasks", "tags", "workspaces", "users", "goals", "preferences",
  ]

  private static func csvImport(_ folder: String) -> [String] {
    [
      "import", "\(folder)/f.csv", "--column", "start=a", "--column", "duration=b",
      "--date-format", "M/d/yyyy H:mm", "--duration-unit", "minutes",
    ]
  }

  private static func timewarriorImport(_ folder: String, _ file: String = "f") -> [String] {
    ["import", "\(folder)/\(file).json", "--format", "timewarrior"]
  }

  private static func writeImports(in folder: String) throws {
    try "a,b\n1/2/2020 1:00,5\nx,5\n".write(
      toFile: "\(folder)/f.csv", atomically: true, encoding: .utf8)
    let intervals = [
      "{\"start\":\"20200102T080000Z\",\"end\":\"20200102T090000Z\"}",
      "{\"start\":\"20200102T090000Z\"}",
    ]
    let export = "[\(intervals.joined(separator: ","))]"
    try export.write(toFile: "\(folder)/f.json", atomically: true, encoding: .utf8)
    try export.replacing("T0900", with: "T0910")
      .write(toFile: "\(folder)/corrected.json", atomically: true, encoding: .utf8)
  }

  @Test func `the output for programs follows the schema`() throws {
    try withTemporaryDirectory { folder in
      let schema = try expectFine(["track", "schema"])
      let definitions = try #require(
        try object(schema)["$defs"] as? [String: [String: Any]])
      let steps = try VerbScenario.run(in: "\(folder)/s", ["--json"])
      var cases: [[String: Any]] = []
      for step in steps {
        for line in step.output.lines where !line.isEmpty {
          cases.append(["verb": step.verb, "line": step.line, "value": try json(line)])
        }
      }
      #expect(cases.count >= steps.count)
      let more: [(String, [String])] = [
        ("log", ["log", "--totals"]), ("report", ["report", "--goals", "--user", "anna"]),
        ("demo", ["demo", "--store", "\(folder)/demo"]),
        ("import", Self.csvImport(folder) + ["--dry-run"]), ("import", Self.csvImport(folder)),
        ("import", Self.timewarriorImport(folder) + ["--dry-run"]),
        ("import", Self.timewarriorImport(folder)),
        ("import", Self.timewarriorImport(folder, "corrected")),
        ("import", Self.timewarriorImport(folder, "corrected") + ["--update"]),
      ]
      try Self.writeImports(in: folder)
      for (verb, words) in more {
        let store = words.contains("--store") ? [] : ["--store", "\(folder)/s"]
        let output = try expectFine(["track", words[0], "--json"] + store + words.dropFirst())
        cases.append(["verb": verb, "line": verb, "value": try json(output)])
        guard verb == "import" else { continue }
        let known = try #require(definitions["importCounts"]?["properties"] as? [String: Any])
        let members = try object(output).keys
        #expect(Set(members).isSubset(of: known.keys), "\(output)")
      }
      let settings = ["RETRACE_CONFIG": "\(folder)/track.toml", "RETRACE_USER": "ben"]
      for words in [
        ["set", "user", "anna"], ["set", "filters.deep", "#focus"], [], ["path"],
        ["unset", "user"],
      ] {
        let output = try expectFine(["track", "config", "--json"] + words, environment: settings)
        cases.append(["verb": "config", "line": "config", "value": try json(output)])
        #expect(output.contains("\"notes\":[\"RETRACE_USER is set") == words.contains("anna"))
      }
      let failed = try run("track", ["stop", "--json", "--store", "\(folder)/none"])
      #expect(failed.status == 1)
      cases.append(["verb": "failure", "line": "stop", "value": try json(failed.errors)])
      let input = try JSONSerialization.data(withJSONObject: [
        "schema": try json(schema), "cases": cases,
      ])
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Python/check_schema.py")
      let result = try runProgram(try Python.path(), [script.path], input: input)
      #expect(result.status == 0, "\(result.errors)\(result.output)")
      #expect(result.output == "\(cases.count) values\n")
    }
  }
}
