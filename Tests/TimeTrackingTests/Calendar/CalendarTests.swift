import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking

/// The calendar of a day: its columns, and moving entries in it.
@Suite struct CalendarTests {
  private let day = time(0)..<time(minutesOfDay)

  /// The boxes of a calendar with the entries of a desk and with events.
  private func calendar(of desk: ReportDesk, _ events: [CalendarEvent] = []) -> [CalendarBox] {
    var boxes = events.map {
      CalendarBox(.event($0.id), start: $0.start, end: $0.end, at: desk.now)
    }
    desk.state.timeEntries.forEach { id, entry in
      boxes.append(CalendarBox(.entry(id), start: entry.start, end: entry.end, at: desk.now))
    }
    return CalendarBox.arranged(boxes)
  }

  @Test func `boxes have 15 minutes or more, events are left of entries [M13]`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    let short = try desk.entry(from: time(60), to: time(61))
    let next = try desk.entry(from: time(70), to: time(100))
    let later = try desk.entry(from: time(80), to: time(90))
    let alone = try desk.entry(from: time(200), to: time(230))
    let running = try desk.entry(from: time(598), to: nil)
    let events = [
      CalendarEvent(id: "a", title: "A", start: time(85), end: time(120)),
      CalendarEvent(id: "c", title: "C", start: time(230), end: time(230)),
    ]
    let boxes = calendar(of: desk, events)
    func box(_ item: CalendarBox.Item) throws -> CalendarBox {
      try #require(boxes.first { $0.item == item })
    }
    #expect(boxes.count == 7)
    #expect(try box(.entry(short)).drawn == time(60)..<time(75))
    #expect(try box(.entry(running)).drawn == time(598)..<time(613))
    #expect(try box(.event("c")).drawn == time(230)..<time(245))
    let columns = try [.entry(short), .entry(next), .entry(later), .event("a")].map {
      (item: CalendarBox.Item) in try box(item)
    }
    #expect(columns.map(\.column) == [1, 2, 1, 0])
    #expect(columns.allSatisfy { $0.columns == 3 })
    #expect(try box(.entry(alone)).columns == 1 && box(.event("c")).columns == 1)
    desk.now = time(700)
    let after = calendar(of: desk)
    #expect(after.last?.drawn == time(598)..<time(707) && after.last?.end == nil)
  }

  @Test func `boxes of one column never overlap, and all fit [M13]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(500, few: 100) {
        var desk = try ReportDesk()
        desk.now = time(700)
        try RandomEntries(users: [desk.ann], projects: [nil], tags: [])
          .insert(
            Int.random(in: 0...30, using: &random), between: time(-200)..<time(1_600),
            longest: minutes(150), into: &desk.state, &random)
        let events = (0..<Int.random(in: 0...12, using: &random)).map { number in
          let start = time(Int64.random(in: -100...1_500, using: &random))
          let length = minutes(Int64.random(in: 0...120, using: &random))
          return CalendarEvent(
            id: "\(number)", title: "x", start: start, end: start.adding(length))
        }
        let boxes = calendar(of: desk, events)
        #expect(Set(boxes.map(\.item)).count == boxes.count)
        for (index, box) in boxes.enumerated() {
          #expect((0..<box.columns).contains(box.column))
          #expect(box.drawn.upperBound.elapsed(since: box.drawn.lowerBound) >= minutes(15))
          for other in boxes[(index + 1)...] where other.drawn.overlaps(box.drawn) {
            #expect(box.column != other.column && box.columns == other.columns)
            if case .event = box.item, case .entry = other.item {
              #expect(box.column < other.column)
            }
          }
        }
        let again = calendar(of: desk, events.shuffled(using: &random))
        #expect(again == boxes)
      }
    }
  }

  // MARK: Moving and resizing

  private func desk(_ start: Int64, _ end: Int64?) throws -> (desk: ReportDesk, entry: TimeEntry) {
    var desk = try ReportDesk()
    desk.now = time(900)
    let id = try desk.entry(from: time(start), to: end.map { time($0) })
    return (desk, try #require(desk.state.timeEntries[id]))
  }

  /// Performs a correction, and returns the times of the entry after it.
  private func corrected(
    _ desk: ReportDesk, _ correction: TimeEntryCorrection?
  ) throws -> [Moment?]? {
    guard let correction else { return nil }
    var desk = desk
    let id = TimeEntryID(value: 0)
    try desk.perform(.entry(.correct(id, correction, policy: .allow, reason: nil)))
    return desk.state.timeEntries[id].map { [$0.start, $0.end] }
  }

  @Test func `a drag moves an entry by steps within the day, with its duration [M13]`() throws {
    let grid = CalendarGrid(day, .utc)
    let (desk, entry) = try desk(61, 91)
    func moved(_ from: Int64, _ to: Int64) throws -> [Moment?]? {
      try corrected(desk, grid.moving(entry, from: time(from), to: time(to)))
    }
    #expect(try moved(70, 70) == nil)
    #expect(try moved(70, 90) == [time(80), time(110)])
    #expect(try moved(70, -500) == [time(0), time(30)])
    #expect(try moved(70, 5_000) == [time(minutesOfDay - 30), time(minutesOfDay)])
    let far = grid.moving(entry, from: Moment(microseconds: .min), to: Moment(microseconds: .max))
    #expect(far == nil)
    // An entry that reaches beyond the day stays within its reach.
    let (longDesk, long) = try self.desk(-30, 20)
    let back = try corrected(longDesk, grid.moving(long, from: time(0), to: time(-90)))
    #expect(back == nil)
    let on = try corrected(longDesk, grid.moving(long, from: time(0), to: time(50)))
    #expect(on == [time(20), time(70)])
    let (_, running) = try self.desk(100, nil)
    #expect(grid.moving(running, from: time(0), to: time(50)) == nil)
  }

  @Test func `the start is dragged up to the end or now, the end from the start on [M13]`() throws {
    let grid = CalendarGrid(day, .utc)
    let (desk, entry) = try desk(60, 90)
    func start(_ to: Int64) throws -> [Moment?]? {
      try corrected(desk, grid.resizingStart(of: entry, to: time(to), at: time(900)))
    }
    func end(_ to: Int64) throws -> [Moment?]? {
      try corrected(desk, grid.resizingEnd(of: entry, to: time(to)))
    }
    #expect(try start(42) == [time(40), time(90)])
    #expect(try start(60) == nil && start(61) == nil)
    #expect(try start(300) == [time(90), time(90)])
    #expect(try start(-50) == [time(0), time(90)])
    #expect(try end(103) == [time(60), time(105)])
    #expect(try end(10) == [time(60), time(60)])
    #expect(try end(9_000) == [time(60), time(minutesOfDay)])
    let (runningDesk, running) = try self.desk(100, nil)
    let earlier = grid.resizingStart(of: running, to: time(50), at: time(900))
    #expect(try corrected(runningDesk, earlier) == [time(50), nil])
    let later = grid.resizingStart(of: running, to: time(1_000), at: time(900))
    #expect(try corrected(runningDesk, later) == [time(900), nil])
    #expect(grid.resizingEnd(of: running, to: time(950)) == nil)
  }

  @Test func `a new entry at a pointer takes 30 minutes of the day [M13]`() {
    let grid = CalendarGrid(day, .utc)
    #expect(grid.newEntry(at: time(62)) == time(60)..<time(90))
    #expect(grid.newEntry(at: time(63)) == time(65)..<time(95))
    #expect(grid.newEntry(at: time(-9)) == time(0)..<time(30))
    #expect(grid.newEntry(at: time(9_999)) == time(minutesOfDay - 30)..<time(minutesOfDay))
    let free = CalendarGrid(day, .utc, step: .zero)
    #expect(free.newEntry(at: time(61)) == time(61)..<time(91))
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `an entry that is dragged over a change of the clocks gets the new offset [M13]`() throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    let date = try #require(CivilDate(year: 2026, month: 3, day: 29))
    let calendar = ReportCalendar(rules)
    let grid = CalendarGrid(calendar.range(of: date), rules)
    var desk = try ReportDesk()
    desk.now = grid.range.upperBound
    let id = try desk.entry(
      from: grid.range.lowerBound, to: grid.range.lowerBound.adding(minutes(30)))
    var entry = try #require(desk.state.timeEntries[id])
    let utc = grid.moving(entry, from: time(0), to: time(180))
    #expect(utc?.changes.zone == nil && utc?.changes.start != nil)
    entry.zone = rules.recorded(at: entry.start)
    let moved = grid.moving(entry, from: time(0), to: time(180))
    #expect(entry.zone.offsetSeconds == 3_600)
    #expect(moved?.changes.zone?.after.offsetSeconds == 7_200)
    #expect(grid.moving(entry, from: time(0), to: time(30))?.changes.zone == nil)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `times that move by days keep the time of the clocks and their duration [M13]`() throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    let date = try #require(CivilDate(year: 2026, month: 3, day: 28))
    let midnight = ReportCalendar(rules).range(of: date).lowerBound
    let start = midnight.adding(ElapsedTime(microseconds: 9 * 3_600_000_000 + 7))
    let times = EntryTimes(start: start, end: start.adding(minutes(90)))
    let next = try #require(times.moved(byDays: 1, in: rules))
    #expect(next.start.elapsed(since: start) == .seconds(23 * 3_600))
    #expect(next.end?.elapsed(since: next.start) == minutes(90))
    #expect(next.moved(byDays: -1, in: rules) == times)
    // A time that the clocks skip is the first one after it.
    let night = midnight.adding(.seconds(9_000)).moved(byDays: 1, in: rules)
    #expect(rules.local(at: night).hour == 3 && rules.local(at: night).minute == 0)
    #expect(EntryTimes(start: start, end: nil).moved(byDays: 1, in: rules) == nil)
  }
}

extension CalendarGrid {
  /// Returns the correction that moves an entry as a drag does; `nil` if nothing changes.
  func moving(
    _ entry: TimeEntry, from grabbed: Moment, to pointer: Moment
  ) -> TimeEntryCorrection? {
    moved(EntryTimes(start: entry.start, end: entry.end), from: grabbed, to: pointer)
      .flatMap { Self.correction(of: entry, to: $0, in: rules) }
  }

  /// Returns the correction that moves the start as a drag does; `nil` if nothing changes.
  func resizingStart(
    of entry: TimeEntry, to pointer: Moment, at moment: Moment
  ) -> TimeEntryCorrection? {
    let times = EntryTimes(start: entry.start, end: entry.end)
    return Self.correction(
      of: entry, to: withStart(of: times, at: pointer, now: moment), in: rules)
  }

  /// Returns the correction that moves the end as a drag does; `nil` if nothing changes.
  func resizingEnd(of entry: TimeEntry, to pointer: Moment) -> TimeEntryCorrection? {
    withEnd(of: EntryTimes(start: entry.start, end: entry.end), at: pointer)
      .flatMap { Self.correction(of: entry, to: $0, in: rules) }
  }
}
