import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceHashing
import RetraceState
import RetraceSystem
import RetraceTesting
import TimeTracking
import ToolTestSupport

/// Random entries around a change of a zone's clocks.
struct DaysSample {
  let state: DomainState
  let user: UserID
  let calendar: ReportCalendar
  /// All days on which an entry may have time, in order.
  let dates: [CivilDate]

  /// Whole days around the changes of the clocks of each zone.
  private static let zones = [
    ("UTC", "2026-03-02 00:00:00"), ("Europe/Berlin", "2026-03-29 01:00:00"),
    ("Europe/Berlin", "2026-10-25 01:00:00"), ("Australia/Lord_Howe", "2026-04-04 15:00:00"),
    ("Pacific/Apia", "2011-12-30 10:00:00"),
  ]

  /// Makes a sample.
  ///
  /// - Parameters:
  ///   - others: The number of entries of another user between those of the user.
  ///   - random: The generator.
  init(others: Int = 0, _ random: inout SeededGenerator) throws {
    var desk = try ReportDesk()
    let (zone, change) = Self.zones.randomElement(using: &random) ?? Self.zones[0]
    let dayStart: ElapsedTime = Bool.random(using: &random) ? .zero : .seconds(4 * 3_600)
    let calendar = ReportCalendar(try ZoneFiles.load(zone), dayStart: dayStart)
    let half = Int64.random(in: 1...12, using: &random) * 86_400
    let center = try ZoneFiles.moment(change)
    let range = center.adding(.seconds(-half))..<center.adding(.seconds(half))
    let entries = RandomEntries(users: [desk.ann, desk.bob], projects: [nil], tags: [])
    for (hours, most) in [(0, 15), (2, 15), (40, 15), (999, 2)] as [(Int64, Int)] {
      try entries.insert(
        Int.random(in: 0...most, using: &random), between: range, longest: .seconds(hours * 3_600),
        into: &desk.state, &random)
    }
    try RandomEntries(users: [desk.bob], projects: [nil], tags: [])
      .insert(others, between: range, into: &desk.state, &random)
    let runs = [true, false].map {
      desk.state.importRuns.insert(Self.importRun(isActive: $0))
    }
    for number in 0..<desk.state.timeEntries.nextID.value {
      let kind = Int.random(in: 0..<10, using: &random)
      _ = desk.state.timeEntries.modify(TimeEntryID(value: number)) { entry in
        if kind < runs.count { entry.importRun = runs[kind] }
        guard let end = entry.end else { return }
        // An end where a day begins, and an empty entry there.
        let start = calendar.start(of: calendar.day(at: end))
        if kind == 2 { entry.end = max(entry.start, start) }
        if kind == 3 { (entry.start, entry.end) = (start, start) }
      }
    }
    // Only hashed nodes have known sort keys.
    var writer = AvroWriter()
    if Bool.random(using: &random) {
      _ = desk.state.timeEntries.hash(with: SwiftHasher.self, &writer)
    }
    (state, user, self.calendar) = (desk.state, desk.ann, calendar)
    let first = calendar.day(at: range.lowerBound).daysSince1970 - 2
    let last = calendar.day(at: range.upperBound).daysSince1970 + 44
    dates = (first...last).map { CivilDate(daysSince1970: $0) }
  }

  /// The days of the user, of which none is kept.
  var days: EntryDays { EntryDays(of: user, in: calendar, state) }
  /// A moment before all entries.
  var start: Moment { calendar.start(of: dates[0]) }
  /// A moment after all entries.
  var end: Moment { calendar.start(of: dates[dates.count - 1]) }

  /// The visible ended entries of the user, the latest place first.
  private var sorted: [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    state.timeEntries.forEach { id, entry in
      if entry.user == user, entry.end != nil, state.isVisible(entry) {
        entries.append(IdentifiedEntry(id: id, entry: entry))
      }
    }
    return entries.sorted { ($0.entry.sortKey, $0.id) > ($1.entry.sortKey, $1.id) }
  }

  /// The entries that began on a day.
  func entries(of date: CivilDate) -> [IdentifiedEntry] {
    sorted.filter { calendar.day(at: $0.entry.start) == date }
  }

  /// The days on which entries began.
  var datesWithEntries: [CivilDate] {
    Set(sorted.map { calendar.day(at: $0.entry.start) }).sorted()
  }

  /// The time of the user's ended entries in a range, by the report.
  func reportedTime(of range: Range<Moment>) -> ElapsedTime {
    var query = ReportQuery(range, in: calendar)
    query.filter.users = [user]
    // Before the first entry, a running one has no time.
    return state.report(query, at: start).total.exact.time
  }

  /// An import of a file.
  static func importRun(isActive: Bool) -> ImportRun {
    var run = ImportRun(source: SourceID(value: 0), file: "a.csv", digest: .zero)
    (run.isActive, run.wasFinished) = (isActive, true)
    return run
  }
}

/// Days with the same number of entries, in pages whose reads are counted.
struct StoredDays {
  let pages = MemoryPages<SHA256Hasher>()
  let calendar = ReportCalendar(.utc)
  let user: UserID
  /// The end of the last day.
  let end: Moment
  let state: DomainState

  /// The days of the user, of which none is kept.
  var days: EntryDays { EntryDays(of: user, in: calendar, state) }

  init(days: Int64, entriesOfDay count: Int64) throws {
    var desk = try ReportDesk()
    let template = try ReportDesk.sampleEntry()
    for number in 0..<days * count {
      var entry = template
      entry.start = time(number * minutesOfDay / count)
      entry.end = entry.start.adding(minutes(5))
      desk.state.timeEntries.insert(entry)
    }
    var writer = AvroWriter()
    var save = MemorySave()
    let root = desk.state.timeEntries.save(
      at: 1, number: 0, with: SHA256Hasher.self, &writer, into: &save)
    pages.commit(save)
    desk.state.timeEntries = EntityTable(stored: root, source: pages)
    (user, end, state) = (desk.ann, time(days * minutesOfDay), desk.state)
  }
}
