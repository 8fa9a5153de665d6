import CivilTime
import Retrace
import TimeTracking

/// The texts of the items of a calendar.
struct CalendarTexts {
  private let calendar: ReportCalendar
  private let domain: DomainState
  private let shown: CalendarDays
  private let events: [Int64: SceneEvent]
  private var names: EntryLabeler

  /// The most bytes of a text; longer ones have more lines than the grid.
  private static var bytesMax: Int { 500 }

  /// Makes texts.
  ///
  /// - Parameters:
  ///   - calendar: The calendar with the zone and the style.
  ///   - domain: The entities with the names.
  ///   - shown: The shown days.
  ///   - events: The events.
  init(
    _ calendar: ReportCalendar, _ domain: DomainState, _ shown: CalendarDays, events: SceneEvents
  ) {
    (self.calendar, self.domain, self.shown) = (calendar, domain, shown)
    names = EntryLabeler(domain)
    var known: [Int64: SceneEvent] = [:]
    for event in events.events { known[event.id] = event }
    self.events = known
  }

  /// Returns the weekday and the day of the month: `Mon 23`.
  func shortTitle(of date: CivilDate) -> String {
    "\(calendar.style.withWeekday(date).prefix(3)) \(date.day)"
  }

  /// Returns an item as the grid shows it.
  ///
  /// - Complexity: O(bytes of the names).
  mutating func entry(of box: CalendarBox, in day: CalendarDays.Day) -> GridDay.Entry {
    var entry = GridDay.Entry(
      "new entry", detail: times(of: box), start: day.minute(of: box.drawn.lowerBound),
      end: day.minute(of: box.drawn.upperBound, roundsUp: true))
    switch box.item {
    case .draft: entry.color = .caution
    case .event(let id):
      let title = Int64(id).flatMap { events[$0]?.title } ?? ""
      entry.title = "◇ \(title.isEmpty ? "(no title)" : title)"
      (entry.color, entry.isLeading) = (.faint, true)
    case .entry(let id):
      guard let found = shown.entries[id] else { return entry }
      let text = domain.summaryLine(of: found, [:], &names).text
      entry.title = SafeText.line(text, bytesMax: Self.bytesMax)
      entry.isRunning = box.end == nil
      if let color = names.color(of: found) { entry.color = Color(rgb: color) }
      if shown.draft?.entry == id {
        entry.title = "* \(entry.title)"
        entry.color = .caution
      }
    }
    return entry
  }

  /// Returns the times of an item: `09:00-10:30 1:30:00`.
  private func times(of box: CalendarBox) -> String {
    let start = calendar.style.clock(calendar.rules.local(at: box.start))
    guard let end = box.end else { return "since \(start)" }
    let time = calendar.style.text(end.wholeSecond.elapsed(since: box.start.wholeSecond))
    return "\(start)-\(calendar.style.clock(calendar.rules.local(at: end))) \(time)"
  }
}
