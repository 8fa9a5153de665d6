import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTestSupport
import TimeTracking

/// Actions of every kind, sensible and not, for tests that try many.
struct RandomActions {
  var random: SeededGenerator

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func maybe<Value>(_ value: Value) -> Value? { pick([true, false]) ? value : nil }

  mutating func text() -> String {
    pick([
      "", " ", "a", "Ann", "@Retrace #deep", "#", "e\u{301}", "🔥👨‍👩‍👧", "\u{202e}", "1:30",
      "09:30", "-5",
    ])
  }

  mutating func user() -> UserID { UserID(value: pick([0, 0, 1, 1, 2, -1, Int64.max])) }
  mutating func entry() -> TimeEntryID {
    TimeEntryID(value: pick([0, 1, 2, 5, 9, 40, -1, Int64.min]))
  }
  mutating func project() -> ProjectID? { maybe(ProjectID(value: pick([0, 0, 0, 1, 77]))) }
  mutating func tags() -> [TagID] {
    (0..<number(0...3)).map { _ in TagID(value: pick([0, 0, 1, 1, 1, 0, 77])) }
  }
  mutating func moment() -> Moment {
    Moment(
      microseconds: pick([
        0, Int64.min, Int64.max, number(0...9_000_000_000_000_000), 1_800_000_000_000_000,
      ]))
  }
  mutating func duration() -> ElapsedTime {
    ElapsedTime(microseconds: pick([0, 1, -1, Int64.min, Int64.max, number(0...9_000_000_000)]))
  }
  mutating func zone() -> RecordedZone {
    RecordedZone(id: pick(["UTC", ""]), offsetSeconds: pick([0, 3_600, Int32.min, Int32.max]))
  }
  mutating func details() -> EntryDetails {
    EntryDetails(
      description: text(), project: project(), tags: tags(), isBillable: pick([true, false]))
  }

  mutating func edit() -> TextEdit {
    pick([
      .insert(text()), .insert("x"), .deleteBackward(1), .deleteBackward(number(-2...9)),
      .deleteForward(Int64.max), .deleteBackward(Int64.min), .moveLeft, .moveRight, .moveToStart,
      .moveToEnd,
    ])
  }

  mutating func change() -> EntryChange {
    pick([
      .description(text()), .project(project()), .tags(tags()), .start(moment(), zone()),
      .duration(maybe(duration())), .billable(pick([true, false])),
    ])
  }

  mutating func timeline() -> TimelineAction {
    pick([
      .started(details(), user: user(), zone: zone(), start: maybe(moment())),
      .stopped(user: user()), .continued(entry(), user: user(), zone: zone()),
      .created(
        ClosedEntry(
          user: user(), details: details(), start: moment(), duration: duration(), zone: zone(),
          externalID: maybe(text()))),
      .edited(entry(), (0..<number(0...3)).map { _ in change() }), .deleted(entry()),
    ])
  }

  mutating func library() -> LibraryAction {
    let workspace = maybe(WorkspaceID(value: pick([0, 1, 9])))
    return pick([
      .userCreated(name: text()), .workspaceCreated(name: text()),
      .projectCreated(name: text(), workspace: workspace),
      .tagCreated(name: text(), workspace: workspace),
    ])
  }

  mutating func scene() -> SceneAction {
    let row = Int32(clamping: pick([0, 3, -1, Int64.max]))
    return pick([
      .welcome(.nameEdited(edit())), .welcome(.selected(maybe(user()), firstRow: row)),
      .welcome(.picked(user())), .welcome(.nameConfirmed),
      .timer(.selected(maybe(entry()), firstRow: row)), .timer(.stopped),
      .timer(.continued(entry(), zone())), .timer(.deleted(entry())),
      .timer(.startEditOpened(maybe(entry()))), .timer(.startEditOpened(nil)), .timer(.usersOpened),
      .startEdit(.edited(edit())), .startEdit(.edited(edit())), .startEdit(.edited(edit())),
      .startEdit(.focused(pick(StartEditDraft.Field.allCases))), .startEdit(.billableToggled),
      .startEdit(.confirmed(start: maybe(moment()), zone: zone())),
      .startEdit(.confirmRefused(pick(Refusal.allCases))), .helpToggled, .wentBack,
      .deletionUndone, .deletionExpired,
      .pathOpened(pick(["welcome", "timer/0", "timer/1/start", "timer/0/edit/2", "x"])),
      .zoneChanged(zone()),
    ])
  }

  mutating func action() -> AppAction {
    switch number(0...9) {
    case 0: .library(library())
    case 1...3: .timeline(timeline())
    case 4: pick([.sceneOpened(zone()), .scene(SceneID(value: 99), scene())])
    default: .scene(SceneID(value: pick([0, 0, 1, 2])), scene())
    }
  }

  mutating func key() -> Key {
    let named = Key.named.map(\.key)
    return pick([
      pick(named), pick(named), .text(pick(["n", "s", "e", "d", "u", "?", "@R", "#d", "1", ":"])),
      .text(text() + "x"), .ctrl("u"), .ctrl("q"),
    ])
  }
}
