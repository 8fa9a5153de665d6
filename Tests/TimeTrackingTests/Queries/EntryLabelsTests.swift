import RetraceState
import Testing

@testable import TimeTracking

/// The names of what an entry refers to.
@Suite struct EntryLabelsTests {
  @Test func `names are those of what things were merged into, each once`() throws {
    var desk = try ReportDesk()
    let (ada, alan) = (try desk.client("ada"), try desk.client("alan"))
    let (old, new) = (try desk.project("old", of: alan), try desk.project("new", of: alan))
    let newest = try desk.project("newest", of: alan)
    let (draw, design) = (try desk.task("draw", of: old), try desk.task("design", of: old))
    let (blue, navy, red) = (try desk.tag("blue"), try desk.tag("navy"), try desk.tag("red"))
    let id = try desk.entry(
      from: time(-60), to: time(0), project: old, task: draw, tags: [red, navy, blue])
    let entry = try #require(desk.state.timeEntries[id])
    #expect(
      desk.state.labels(of: entry)
        == EntryLabels(
          user: "Ann", client: "alan", project: "old", task: "draw", tags: ["blue", "navy", "red"]))
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    try desk.perform(.project(.merge(new, into: newest, reason: nil)))
    try desk.perform(.task(.merge(draw, into: design, reason: nil)))
    try desk.perform(.tag(.merge(navy, into: blue, reason: nil)))
    try desk.perform(.client(.merge(alan, into: ada, reason: nil)))
    let labels = desk.state.labels(of: entry)
    #expect(labels.project == "newest" && labels.task == "design")
    #expect(labels.client == "ada" && labels.tags == ["blue", "red"])
  }

  @Test func `deleted things keep their names, and what is not there has none`() throws {
    var desk = try ReportDesk()
    let client = try desk.client("ada")
    let project = try desk.project("gone", of: client)
    let tag = try desk.tag("red")
    let id = try desk.entry(from: time(-60), to: time(0), project: project, tags: [tag])
    try desk.perform(.project(.delete(project, reason: nil)))
    try desk.perform(.client(.delete(client, reason: nil)))
    try desk.perform(.tag(.delete(tag, reason: nil)))
    try desk.perform(.user(.delete(desk.ann, reason: nil)))
    var entry = try #require(desk.state.timeEntries[id])
    #expect(
      desk.state.labels(of: entry)
        == EntryLabels(user: "Ann", client: "ada", project: "gone", task: nil, tags: ["red"]))
    entry.user = UserID(value: 9)
    entry.project = ProjectID(value: 9)
    entry.task = TaskID(value: 9)
    entry.tags = [TagID(value: 9)]
    #expect(desk.state.labels(of: entry) == EntryLabels(user: "", tags: []))
  }
}
