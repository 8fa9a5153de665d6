import CivilTime
import RetraceRecording
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport

@testable import TrackerApp

/// Plans of commands about entries, performed after another process has changed the state.
@Suite struct EntryPlanTests {
  /// 2026-03-02 09:00:00.314 UTC.
  private static let now = Moment(microseconds: 1_772_442_000_314_000)
  private static let second = Moment(microseconds: 1_772_442_000_000_000)

  private func open(_ folder: TemporaryDirectory) throws -> TrackerStore {
    try TrackerStore.open(at: folder.file("store"), zone: .utc, login: "anna", now: Self.now)
  }

  private func draft(_ description: String) -> TimeEntryDraft {
    TimeEntryDraft(user: .name(Name("anna")), description: description, zone: .utc)
  }

  @Test func `the changes are told by command, or together if others changed the state`() throws {
    let folder = try TemporaryDirectory()
    let store = try open(folder)
    for hour in 1...2 {
      let start = Self.second.adding(.seconds(Int64(-3_600 * hour)))
      let add = TimeEntryCommand.add(
        draft("work"), start: start, end: start.adding(.seconds(60)), policy: .refuse)
      _ = try store.perform(add, closing: false)
    }
    func plan(_ tag: String) -> EntryPlan {
      store.plan(
        (0...1).map { number in
          var correction = TimeEntryCorrection()
          correction.addedTags = [Name(tag)]
          return .correct(
            TimeEntryID(value: Int64(number)), correction, policy: .refuse, reason: nil)
        })
    }
    let quiet = plan("one")
    #expect(quiet.refusal == nil && quiet.changes.map(\.created) == [[.tag(Name("one"))], []])
    let told = try store.perform(quiet, closing: false)
    #expect(told.map(\.created) == [[.tag(Name("one"))], []])
    #expect(told.map(\.changed) == [[TimeEntryID(value: 0)], [TimeEntryID(value: 1)]])
    // The tag exists by the time at which the plan is performed.
    let late = plan("two")
    _ = try store.perform(.tag(.create(Tag(name: Name("two")))), closing: false)
    let together = try store.perform(late, closing: true)
    #expect(together.map(\.created) == [[]])
    #expect(together.map(\.changed) == [[TimeEntryID(value: 0), TimeEntryID(value: 1)]])
  }

  @Test func `a start whose second was taken begins at the moment of the decision`() throws {
    let folder = try TemporaryDirectory()
    let store = try open(folder)
    let plan = store.plan([.start(draft("late"), at: nil, policy: .refuse)])
    #expect(plan.commands == [.start(draft("late"), at: Self.second, policy: .refuse)])
    let rival = TimeEntryCommand.add(
      draft("rival"), start: Self.second.adding(.seconds(-60)),
      end: Self.second.adding(ElapsedTime(microseconds: 200_000)), policy: .refuse)
    _ = try store.perform(rival, closing: false)
    let changes = try store.perform(plan, closing: true)
    let started = try #require(changes[0].inserted.last)
    #expect(changes[0].state.timeEntries[started]?.start == Self.now)
  }
}
