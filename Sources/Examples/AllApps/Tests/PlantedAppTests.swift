import ExampleTestSupport
import Foundation
import Testing
import ToolTestSupport

/// Bugs in builds of the larger apps: their replay tools name the record of each.
@Suite struct PlantedAppTests {
  private struct Planted {
    var name: String
    var app: RecordedApp
    /// What differs first.
    var differs: String
    /// Where.
    var field: String
  }

  private static let all = [
    Planted(name: "endlessWatch", app: .coachTimer, differs: "states", field: "since"),
    Planted(name: "standingLap", app: .coachTimer, differs: "decisions", field: "isStopped"),
    Planted(name: "everFavourite", app: .poke, differs: "states", field: "isFavourite"),
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
    print(compared.output)
    #expect(compared.status == 2, "\(compared.errors)")
    let first = try #require(try compared.json()["first"] as? Int)
    #expect(try compared.json()["differs"] as? [String] == [planted.differs])
    #expect(compared.output.contains(planted.field))
    let back = try run(other, "compare", "--with", sound)
    #expect(try back.status == 2 && back.json()["first"] as? Int == first, "\(back.errors)")

    let verified = try run(other, "verify", "--decide")
    print(verified.output)
    #expect(verified.status == 2, "\(verified.errors)")
    let found = try verified.json()
    let interval = found["firstDivergence"] as? [String: Any]
    let decision = (found["decisions"] as? [String: Any])?["firstDivergence"] as? [String: Any]
    switch planted.differs {
    case "decisions": #expect(decision?["record"] as? Int == first && interval == nil)
    default: #expect(interval?["upTo"] as? Int == first)
    }
  }
}
