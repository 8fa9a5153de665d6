import Retrace
import TimeTracking

extension CalendarFrame {
  /// The step by which keys move times.
  private static var step: ElapsedTime { .seconds(300) }
  /// The length of a new entry.
  private static var newTime: ElapsedTime { .seconds(1_800) }

  /// The grid of the selected day in which times are moved.
  var pointerGrid: CalendarGrid { CalendarGrid(day.range, calendar.rules, step: Self.step) }

  /// The times of the selected entry or of the draft; `nil` without one.
  var times: EntryTimes? {
    shown.draft?.times ?? entry.map { EntryTimes(start: $0.entry.start, end: $0.entry.end) }
  }

  /// Whether an entry has other times that are not saved.
  var hasChange: Bool { shown.draft?.entry != nil }

  /// Returns the step that keeps other times of the selected entry or of the draft.
  func drafting(_ times: EntryTimes) -> KeyStep {
    var draft =
      shown.draft
      ?? CalendarDraft(
        entry: entry?.id, start: times.start, end: times.end,
        seenStart: entry?.entry.start ?? times.start, seenEnd: entry?.entry.end)
    (draft.start, draft.end) = (times.start, times.end)
    return .screen(.calendar(.drafted(draft)))
  }

  /// Returns the steps of a key that moves times.
  ///
  /// - Parameter change: Returns the other times; `nil` for an entry that runs.
  func changing(
    _ change: (CalendarGrid, EntryTimes) -> EntryTimes?
  ) throws(KeyProblem) -> [KeyStep] {
    guard let times else {
      return try telling(event == nil ? .noItemSelected : .eventCannotMove)
    }
    guard let changed = change(pointerGrid, times) else { return try telling(.entryRuns) }
    // While the frame is painted, the key is shown as available.
    guard changed != times else { return try edge == nil ? [] : telling(.atLimit) }
    return [drafting(changed)]
  }

  /// Returns the steps that move an entry by some steps of time.
  func moving(by steps: Int64) throws(KeyProblem) -> [KeyStep] {
    try changing { grid, times in
      grid.moved(times, from: times.start, to: times.start.adding(Self.time(of: steps)))
    }
  }

  /// Returns the steps that move an entry by some days, to the same time of the clocks.
  func movingItem(byDays days: Int) throws(KeyProblem) -> [KeyStep] {
    try changing { _, times in times.moved(byDays: days, in: calendar.rules) }
  }

  /// Returns the steps that move the start by some steps of time.
  func movingStart(by steps: Int64) throws(KeyProblem) -> [KeyStep] {
    let now = edge?.now ?? times?.start ?? Moment(microseconds: 0)
    return try changing { grid, times in
      grid.withStart(of: times, at: times.start.adding(Self.time(of: steps)), now: now)
    }
  }

  /// Returns the steps that move the end by some steps of time.
  func movingEnd(by steps: Int64) throws(KeyProblem) -> [KeyStep] {
    try changing { grid, times in
      times.end.flatMap { grid.withEnd(of: times, at: $0.adding(Self.time(of: steps))) }
    }
  }

  private static func time(of steps: Int64) -> ElapsedTime {
    ElapsedTime(microseconds: step.microseconds * steps)
  }

  /// Returns the draft of a new entry at a moment of the selected day; `nil` if an entry has its
  /// time.
  func newDraft(at moment: Moment) -> CalendarDraft? {
    let range = pointerGrid.newEntry(at: moment)
    let draft = CalendarDraft(
      entry: nil, start: range.lowerBound, end: range.upperBound, seenStart: range.lowerBound,
      seenEnd: nil)
    let isTaken = range.isEmpty || shown.entries.values.contains { draft.hasTimes(of: $0) }
    return isTaken ? nil : draft
  }

  /// The steps that begin a new entry at the cursor.
  func beginning() throws(KeyProblem) -> [KeyStep] {
    if hasChange { return try telling(.changeNotSaved) }
    let minute = minute
    guard let draft = newDraft(at: day.moment(ofMinute: minute)) else {
      return try telling(.timeIsTaken)
    }
    var place = route.place
    (place.item, place.minute) = (nil, Int32(clamping: minute))
    place.top = top(showing: minute)
    return [.screen(.calendar(.placed(place))), .screen(.calendar(.drafted(draft)))]
  }

  /// The command that saves the draft; `nil` without one.
  var savingCommand: TimeEntryCommand? {
    guard let draft = shown.draft else { return nil }
    guard let id = draft.entry else {
      guard let end = draft.end else { return nil }
      let zone = edge?.rules.recorded(at: draft.start) ?? .utc
      let new = TimeEntryDraft(user: .id(route.user), zone: zone)
      return .add(new, start: draft.start, end: end, policy: policy)
    }
    guard var seen = shown.entries[id] else { return nil }
    (seen.start, seen.end) = (draft.seenStart, draft.seenEnd)
    return CalendarGrid.correction(of: seen, to: draft.times, in: calendar.rules)
      .map { .correct(id, $0, policy: policy, reason: nil) }
  }

  /// Returns the steps that save the draft.
  func saving() throws(KeyProblem) -> [KeyStep] {
    guard let command = savingCommand else { return try telling(.nothingToSave) }
    return [.command(.entry(command)), .screen(.calendar(.draftEnded))] + following
  }

  /// The steps that select the day of times that are saved, if they were moved away from the day of
  /// the place.
  var following: [KeyStep] {
    guard let draft = shown.draft else { return [] }
    let date = calendar.date(of: route, in: domain, at: moment)
    guard date != calendar.date(of: route.place, at: moment) else { return [] }
    var place = route.place
    place.day = Int32(clamping: date.daysSince1970)
    place.item = draft.entry.map { .entry($0) }
    let day = calendar.range(of: date)
    let time = max(draft.start, day.lowerBound).elapsed(since: day.lowerBound)
    place.minute = Int32(clamping: time.seconds / 60)
    return [.screen(.calendar(.placed(place)))]
  }
}
