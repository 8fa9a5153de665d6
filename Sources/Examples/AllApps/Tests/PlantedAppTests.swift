import ExampleTestSupport
import Foundation
import Testing
import ToolTestSupport

/// Bugs in builds of the larger apps: their replay tools name the record of each.
@Suite struct PlantedAppTests {
  private struct Planted {
    var name: String
    var app: RecordedApp
    /// What differs first, and the member of `compare --json` that has its fields.
    var differs: (kind: String, member: String)
    /// A field that differs.
    var field: String
    /// What the record is about.
    var record: String
  }

  private static let all = [
    Planted(
      name: "endlessWatch", app: .coachTimer, differs: ("states", "state"),
      field: "sessions.list[0].watch.since", record: "stopped"),
    Planted(
      name: "standingLap", app: .coachTimer, differs: ("decisions", "decision"),
      field: "refusal", record: "isStopped"),
    Planted(
      name: "everFavourite", app: .poke, differs: ("states", "state"),
      field: "creatures[1].isFavourite", record: "favouriteRemoved"),
  ]

  @Test(arguments: all)
  private func `verify and compare name the record of a bug in a reducer or decider`(
    planted: Planted
  ) async throws {
    let folder = try TemporaryDirectory()
    let store = try await planted.app.record(in: folder)
    let bug = ["PLANTED_BUG": planted.name]
    let (sound, other) = (planted.app.tool[0], LineApp.path(of: "planted-replay"))
    func run(_ tool: String, _ words: String...) throws -> ToolResult {
      try RunningTool(tool, words + ["--json", "--store", store], environment: bug).finish()
    }
    let fine = try run(sound, "verify", "--decide")
    #expect(fine.status == 0, "\(fine.errors)")

    let compared = try run(sound, "compare", "--with", other)
    #expect(compared.status == 2, "\(compared.errors)")
    let told = try compared.json()
    let first = try #require(told["first"] as? Int)
    #expect(told["differs"] as? [String] == [planted.differs.kind])
    let places = told[planted.differs.member] as? [[String: Any]] ?? []
    #expect(places.contains { $0["field"] as? String == planted.field }, "\(compared.output)")
    let record = told["record"] as? [String: Any]
    #expect("\(record?["payload"] ?? "")".contains(planted.record), "\(compared.output)")
    let back = try run(other, "compare", "--with", sound)
    #expect(try back.status == 2 && back.json()["first"] as? Int == first, "\(back.errors)")

    let verified = try run(other, "verify", "--decide")
    #expect(verified.status == 2, "\(verified.errors)")
    let found = try verified.json()
    let interval = found["firstDivergence"] as? [String: Any]
    let decision = (found["decisions"] as? [String: Any])?["firstDivergence"] as? [String: Any]
    switch planted.differs.kind {
    case "decisions": #expect(decision?["record"] as? Int == first && interval == nil)
    default: #expect(interval?["upTo"] as? Int == first)
    }
  }
}
