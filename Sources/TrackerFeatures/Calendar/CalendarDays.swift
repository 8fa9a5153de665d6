import CivilTime
import Retrace
import TimeTracking

/// The shown days of a calendar, with their entries and events.
struct CalendarDays: Sendable {
  /// A day.
  struct Day: Sendable {
    let date: CivilDate
    let range: Range<Moment>
    /// The time of the day, as its report has it.
    let time: ElapsedTime
    /// The entries and events in order of their starts, an unsaved one among them.
    let boxes: [CalendarBox]
    /// The events of the whole day.
    let wholeDays: [SceneEvent]

    /// Returns the minute of a moment, inside of the day.
    func minute(of moment: Moment, roundsUp: Bool = false) -> Int64 {
      let moment = max(range.lowerBound, min(moment, range.upperBound))
      let time = moment.elapsed(since: range.lowerBound).microseconds
      return (time + (roundsUp ? 59_999_999 : 0)) / 60_000_000
    }

    /// Returns the moment of a minute, inside of the day.
    func moment(ofMinute minute: Int64) -> Moment {
      min(range.lowerBound.adding(.seconds(minute * 60)), range.upperBound)
    }
  }

  /// The days.
  let days: [Day]
  /// The shown entries.
  private(set) var entries: [TimeEntryID: TimeEntry] = [:]
  /// The draft, unless an entry has its times by now, or its entry does not exist any more.
  let draft: CalendarDraft?

  /// Reads the days.
  ///
  /// - Parameters:
  ///   - dates: The dates.
  ///   - route: The route.
  ///   - running: The running entry of the user, if any.
  ///   - edited: The entry that the draft is of, if any.
  ///   - kept: The days of the entries of the user.
  ///   - events: The events.
  ///   - moment: The present.
  /// - Complexity: O(*n* log *n*) for the *n* items of the days if the days are kept, else as
  ///   `EntryDays.day(_:)` for each.
  init(
    _ dates: [CivilDate], of route: CalendarRoute, _ running: IdentifiedEntry?,
    _ edited: IdentifiedEntry?, _ kept: inout EntryDays, events: SceneEvents, at moment: Moment
  ) {
    var entries: [TimeEntryID: TimeEntry] = [:]
    if let edited { entries[edited.id] = edited.entry }
    var read: [(EntryDay, [IdentifiedEntry])] = []
    for date in dates.reversed() {
      let day = kept.day(date)
      var shown = day.carried + day.entries
      if let running { shown.append(running) }
      for entry in shown { entries[entry.id] = entry.entry }
      read.append((day, shown))
    }
    var draft = edited == nil && route.draft?.entry != nil ? nil : route.draft
    if let new = draft, new.entry == nil, entries.values.contains(where: { new.hasTimes(of: $0) }) {
      draft = nil
    }
    let open = draft
    self.draft = draft
    self.entries = entries
    days = read.reversed().map { day, shown in
      Self.day(day, shown, running, open, events, at: moment)
    }
  }

  private static func day(
    _ day: EntryDay, _ shown: [IdentifiedEntry], _ running: IdentifiedEntry?,
    _ draft: CalendarDraft?, _ events: SceneEvents, at moment: Moment
  ) -> Day {
    func isIn(_ start: Moment, _ end: Moment) -> Bool {
      start < day.range.upperBound && (end > day.range.lowerBound || start >= day.range.lowerBound)
    }
    var boxes: [CalendarBox] = []
    for found in shown where draft?.entry != found.id {
      let entry = found.entry
      guard isIn(entry.start, entry.end ?? max(entry.start, moment)) else { continue }
      boxes.append(CalendarBox(.entry(found.id), start: entry.start, end: entry.end, at: moment))
    }
    if let draft, isIn(draft.start, draft.end ?? max(draft.start, moment)) {
      let item = draft.entry.map { CalendarBox.Item.entry($0) } ?? .draft
      boxes.append(CalendarBox(item, start: draft.start, end: draft.end, at: moment))
    }
    var wholeDays: [SceneEvent] = []
    for event in events.events where isIn(event.start, event.end) {
      guard !event.isWholeDay else {
        wholeDays.append(event)
        continue
      }
      boxes.append(
        CalendarBox(.event("\(event.id)"), start: event.start, end: event.end, at: moment))
    }
    return Day(
      date: day.date, range: day.range,
      time: day.time.adding(running?.entry.time(in: day.range, at: moment) ?? .zero),
      boxes: CalendarBox.arranged(boxes), wholeDays: wholeDays)
  }
}

extension CalendarDraft {
  /// The times.
  var times: EntryTimes { EntryTimes(start: start, end: end) }

  /// Whether an entry has these times.
  func hasTimes(of entry: TimeEntry) -> Bool { entry.start == start && entry.end == end }
}

extension CalendarBox {
  /// The item of the state; `nil` for a new entry that is not saved.
  var calendarItem: SelectedCalendarItem? {
    switch item {
    case .entry(let id): .entry(id)
    case .event(let id): Int64(id).map { .event($0) }
    case .draft: nil
    }
  }
}
