import Foundation
import RetraceAvro
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// What every verb of `track` prints for programs follows `track schema`, and has no other members.
@Suite struct VerbSchemaTests {
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

  /// Records that have each member of a list.
  private static let records = """
    goals create less --target 2h --at-most --tag focus --user anna
    goals --all --user anna
    workspaces set studio --rate 70
    workspaces
    users set anna --workspace studio --yes
    users
    clients create Studios --workspace studio
    clients
    projects create site --workspace studio --client Studios --rate 80 --billable --estimate 9h
    projects archive shop
    projects --all
    tags create paint --workspace studio
    tags
    close 2020-01 --client Studios --reason billed
    close
    """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

  private static func moreCommands(_ folder: String) -> [[String]] {
    records + [
      ["log", "--totals"], ["report", "--goals", "--user", "anna"],
      ["demo", "--store", "\(folder)/demo"], ["bugreport", "\(folder)/bug", "--message", "x"],
      ["man"], ["man", "start"], ["extension"],
      csvImport(folder) + ["--dry-run"], csvImport(folder) + ["--acknowledge"],
      timewarriorImport(folder) + ["--dry-run"], timewarriorImport(folder),
      timewarriorImport(folder, "corrected"),
      timewarriorImport(folder, "corrected") + ["--update"], ["route"],
    ]
  }

  /// A value, and the definition that it has to follow.
  private struct Case {
    var verb: String
    var line: String
    var value: Any
  }

  /// Returns the case of each line that a command printed.
  private static func cases(_ verb: String, _ line: String, _ output: String) throws -> [Case] {
    try output.lines.filter { !$0.isEmpty }.map { text in
      Case(verb: verb, line: line, value: try json(text))
    }
  }

  private static func configCases(_ folder: String) throws -> [Case] {
    let settings = ["RETRACE_CONFIG": "\(folder)/track.toml", "RETRACE_USER": "ben"]
    return try [
      ["set", "user", "anna"], ["set", "filters.deep", "#focus"], [], ["path"], ["unset", "user"],
    ].flatMap { words in
      let output = try expectFine(["track", "config", "--json"] + words, environment: settings)
      #expect(output.contains("\"notes\":[\"RETRACE_USER is set") == words.contains("anna"))
      return try cases("config", "config", output)
    }
  }

  private static func writeExtension(in folder: String) throws {
    let extensions = "\(folder)/retrace/extensions"
    try FileManager.default.createDirectory(
      atPath: extensions, withIntermediateDirectories: true)
    try "#!/bin/sh\n".write(
      toFile: "\(extensions)/totals.py", atomically: true, encoding: .utf8)
  }

  @Test func `the schema has each name once, and defines every name that it refers to`() throws {
    let text = try expectFine(["track", "schema"])
    // The parser refuses an object with two members of one name.
    let schema = try JSONValue(parsing: text)
    guard case .object(let definitions) = schema["$defs"] else {
      Issue.record("no definitions: \(text)")
      return
    }
    let names = Set(definitions.map(\.name))
    let references = Set(text.matches(of: /"#\/\$defs\/(\w+)"/).map { String($0.1) })
    #expect(references.count > 20 && references.subtracting(names) == [])
    // A definition is of a verb, or another one refers to it.
    let verbs = Set(Track.verbs.map { $0.name } + ["failure"])
    #expect(names.subtracting(references).subtracting(verbs) == [])
  }

  @Test func `the output for programs follows the schema`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      var cases = try VerbScenario.run(in: store, ["--json"]).flatMap { step in
        let found = try Self.cases(step.verb, step.line, step.output)
        #expect(!found.isEmpty, "\(step.line)")
        return found
      }
      try Self.writeImports(in: folder)
      try Self.writeExtension(in: folder)
      // The app makes a scene, whose route is printed.
      try expectFine(["track", "app", "--store", store, "--now", Desk.now("10:00")], by: .process)
      for words in Self.moreCommands(folder) {
        let place = words.contains("--store") ? [] : ["--store", store]
        let output = try expectFine(
          ["track", words[0], "--json"] + place + words.dropFirst(),
          environment: ["XDG_CONFIG_HOME": folder])
        let found = try Self.cases(words[0], words.joined(separator: " "), output)
        #expect(!found.isEmpty, "\(words)")
        cases += found
      }
      cases += try Self.configCases(folder)
      let failed = try run("track", ["stop", "--json", "--store", "\(folder)/none"])
      #expect(failed.status == 1)
      cases += try Self.cases("failure", "stop", failed.errors)
      let input = try JSONSerialization.data(withJSONObject: [
        "schema": try json(expectFine(["track", "schema"])),
        "cases": cases.map { ["verb": $0.verb, "line": $0.line, "value": $0.value] },
      ])
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Python/check_schema.py")
      let result = try runProgram(try Python.path(), [script.path], input: input)
      #expect(result.status == 0, "\(result.errors)\(result.output)")
      #expect(result.output == "\(cases.count) values\n")
    }
  }
}
