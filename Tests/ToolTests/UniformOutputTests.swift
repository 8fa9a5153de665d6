import Foundation
import RetraceAvro
import RetraceLog
import Testing
import ToolTestSupport

/// What readers of tables expect of lines of JSON: the same members in each, one type for each
/// name, and moments whose texts sort.
@Suite struct UniformOutputTests {
  /// The types of the values of some lines, by the path of the names that lead to them.
  private struct Types {
    private(set) var found: [String: Set<String>] = [:]

    mutating func add(_ value: JSONValue, _ path: String = "") {
      switch value {
      case .null: break
      case .bool: found[path, default: []].insert("boolean")
      case .integer, .double: found[path, default: []].insert("number")
      case .string: found[path, default: []].insert("text")
      case .array(let items):
        found[path, default: []].insert("array")
        for item in items { add(item, path + "[]") }
      case .object(let members):
        found[path, default: []].insert("object")
        for member in members { add(member.value, "\(path).\(member.name)") }
      }
    }
  }

  private static func members(_ value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  /// Checks lines, or the items of one array.
  private func expectUniform(_ output: String, of command: [String], atLeast count: Int) throws {
    var lines = try output.lines.map { try JSONValue(parsing: $0) }
    if lines.count == 1, case .array(let items) = lines[0] { lines = items }
    #expect(lines.count >= count, "\(command): \(lines.count)")
    let names = lines.map { Self.members($0).map(\.name) }
    #expect(Set(names).count == 1, "\(command): \(Set(names))")
    var types = Types()
    for line in lines { types.add(line) }
    for (path, found) in types.found where found.count > 1 {
      Issue.record("\(command): \(path) is \(found.sorted())")
    }
    let moments: Set<String> = ["moment", "realTime", "opened"]
    for member in lines.flatMap(Self.members) where moments.contains(member.name) {
      guard case .string(let text) = member.value, text.first == "2" else { continue }
      #expect(
        text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil,
        "\(command): \(member.name) \(text)")
    }
  }

  @Test func `records of every kind have the same members, with one type each`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try EveryKind.record(at: store)
      let list = try expectFine(["audit", "list", "--json", "--store", store])
      let kinds = try list.lines.map { try JSONValue(parsing: $0) }
        .compactMap { line in
          Self.members(line).first { $0.name == "kind" }?.value.stringValue
        }
      #expect(Set(kinds) == Set(RecordKind.allCases.map { "\($0)" }))
      try expectUniform(list, of: ["audit", "list"], atLeast: 12)
      for command in [
        ["audit", "history", "KioskItemID=0", "--json"], ["audit", "export", "--flat"],
      ] {
        try expectUniform(expectFine(command + ["--store", store]), of: command, atLeast: 2)
      }
    }
  }

  @Test func `what replay and track print has the same members in every line`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s", "--user", "anna"]
      func at(_ time: String) -> [String] { ["--now", "2026-03-02T\(time)Z"] }
      try expectFine(
        ["track", "start", "a", "--project", "p", "--tag", "t"] + store + at("08:00:00.5"))
      try expectFine(["track", "stop"] + store + at("09:00:00"))
      try expectFine(["track", "start", "b", "--billable"] + store + at("10:00:00"))
      try expectFine(["track", "edit", "0", "--project", "q", "+u"] + store + at("10:01:00"))
      let log = Array(store.prefix(2))
      for command in [
        ["audit", "list", "--json"], ["replay", "show", "--json"],
        ["replay", "export", "--changes"], ["replay", "history", "TimeEntry=0", "--json"],
        ["audit", "history", "TimeEntry=0", "--json"], ["replay", "sessions", "--json"],
        ["track", "history", "--json"], ["track", "log", ":all", "--json"],
        ["audit", "export", "--flat"],
      ] {
        try expectUniform(expectFine(command + log), of: command, atLeast: 2)
      }
      // A text that begins with a moment sorts as the moment.
      let moments = try objects(expectFine(["audit", "list", "--json"] + log))
        .map { (try #require($0["moment"] as? String), $0["microseconds"] as? Int ?? 0) }
      for (left, right) in zip(moments, moments.dropFirst()) {
        #expect((left.0 < right.0) == (left.1 < right.1))
      }
      #expect(moments.contains { $0.0 == "2026-03-02T08:00:00.500000Z" })
    }
  }

  @Test func `both tools take the same words for an entity and a position`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "a"] + store + ["--now", "2026-03-02T08:00:00Z"])
      try expectFine(["track", "stop"] + store + ["--now", "2026-03-02T09:00:00Z"])
      for tool in ["audit", "replay"] {
        let all = try expectFine([tool, "history", "TimeEntry=0"] + store)
        #expect(try expectFine([tool, "history", "TimeEntryID=0"] + store) == all)
        for option in ["--at", "--as-of"] {
          let first = try expectFine([tool, "history", "TimeEntry=0", option, "4"] + store)
          #expect(all.hasPrefix(first) && first != all, "\(tool) \(option)")
        }
        let help = try expectFine([tool, "history", "--help"])
        #expect(help.contains("TimeEntry=") && help.contains("TimeEntryID="))
      }
      let states = try ["--at", "--as-of"].map {
        try expectFine(["replay", "state", $0, "4", "--json"] + store)
      }
      #expect(states[0] == states[1])
    }
  }
}
