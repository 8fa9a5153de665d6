import RetraceTesting
import Testing

@testable import RetraceScreen

/// Entries are at their times, beside each other where they overlap, and what does not fit is
/// counted.
@Suite struct CalendarTests {
  private static let hours = (0..<24).map { ($0 < 10 ? "0\($0)" : "\($0)") + ":00" }

  private static let monday = CalendarDay(
    "Mon 23",
    entries: [
      CalendarDay.Entry("write the report", detail: "09:00–11:10", start: 540, end: 670),
      CalendarDay.Entry(
        "call with 日本", detail: "10:00–10:30", start: 600, end: 630, color: .success),
      CalendarDay.Entry("mail", detail: "11:10–11:25", start: 670, end: 685),
      CalendarDay.Entry(
        "planning", detail: "13:00–17:00", start: 780, end: 1020, color: .caution),
    ])
  private static let tuesday = CalendarDay(
    "Tue 24",
    entries: [
      CalendarDay.Entry("standup", start: 540, end: 555),
      CalendarDay.Entry("review", start: 555, end: 600),
      CalendarDay.Entry("fix the import", start: 550, end: 720, color: .warning),
      CalendarDay.Entry(
        "write the report", detail: "since 12:30", start: 750, end: 851, isRunning: true),
    ], isToday: true)

  private static func week(entry: Int64?, day: Int64 = 1) -> CalendarGrid {
    let rest = ["Wed 25", "Thu 26", "Fri 27", "Sat 28", "Sun 29"].map {
      CalendarDay($0, entries: [])
    }
    return CalendarGrid(
      rows: hours, days: [monday, tuesday] + rest,
      state: CalendarState(day: day, entry: entry, offset: 8))
  }

  @Test func pictures() throws {
    try Pictures.expect("calendar-week", page: Screen.Size(columns: 90, rows: 14)) { _ in
      Self.week(entry: 3)
    }
    try Pictures.expect("calendar-day", page: Screen.Size(columns: 50, rows: 14)) { _ in
      CalendarGrid(
        rows: Self.hours, days: [Self.monday], state: CalendarState(entry: 1, offset: 9),
        linesPerRow: 3)
    }
  }

  /// The minutes of 25 rows, some of which a day does not have.
  private static func starts(without missing: [Int]) -> [Int64?] {
    var minute: Int64 = 0
    return (0..<25).map { row in
      if missing.contains(row) { return nil }
      defer { minute += 60 }
      return minute
    }
  }

  /// The days of 2026 on which clocks change in Berlin: 29 March has no 02:00, 25 October has two.
  @Test func `days of 23 and 25 hours`() throws {
    var labels = Self.hours
    labels.insert("02:00", at: 3)
    let (skipped, twice) = (Self.starts(without: [2, 3]), Self.starts(without: []))
    let plain = Self.starts(without: [3])
    func entries(_ end: Int64) -> [CalendarDay.Entry] {
      [
        CalendarDay.Entry("night", start: 60, end: end),
        CalendarDay.Entry("breakfast", start: end, end: end + 60),
      ]
    }
    let days = [
      CalendarDay("Sat", rowStarts: plain, entries: entries(240)),
      // To 04:00 it is an hour less, or more.
      CalendarDay("Sun 29 Mar", rowStarts: skipped, minutes: 1380, entries: entries(180)),
      CalendarDay("Sun 25 Oct", rowStarts: twice, minutes: 1500, entries: entries(300)),
    ]
    try Pictures.expect("calendar-changes") { _ in
      CalendarGrid(
        rows: labels, days: days + [CalendarDay("Mon", rowStarts: plain, entries: [])],
        state: CalendarState(day: 2, entry: 0))
    }
    for day in days {
      let entries = day.entries
      #expect(day.line(ofMinute: entries[0].start, linesPerRow: 1) == 1)
      #expect(day.line(ofMinute: entries[1].start, linesPerRow: 1) == 5)
    }
    #expect(days[1].line(ofMinute: 119, linesPerRow: 4) == 7)
    #expect(days[1].line(ofMinute: 120, linesPerRow: 4) == 16)
    #expect(days[1].minute(ofLine: 2, linesPerRow: 1) == nil)
    #expect(days[2].minute(ofLine: 13, linesPerRow: 4) == 195)
  }

  @Test func `entries that share a line lie side by side`() {
    let lanes = CalendarLanes(Self.tuesday, rows: 24, linesPerRow: 1)
    #expect(lanes.blocks.map(\.index) == [2, 0, 1, 3])
    #expect(lanes.blocks.map(\.lane) == [0, 1, 2, 0])
    #expect(lanes.groups.map(\.lanes) == [3, 1])
    // With 15 minutes a line, the review follows the standup.
    let fine = CalendarLanes(Self.tuesday, rows: 24, linesPerRow: 4)
    #expect(fine.blocks.map(\.index) == [2, 0, 1, 3])
    #expect(fine.blocks.map(\.lane) == [0, 1, 1, 0])
  }

  @Test func `no two blocks overlap, and all entries are seen or counted`() {
    withSeed { random in
      for _ in 0..<repetitions(1_000) {
        let grid = random.calendar()
        let rect = random.widgetRect()
        Pictures.drawn(grid, in: rect)
        let layout = CalendarLayout(grid, in: rect)
        for place in layout.days {
          var seen = 0
          for (index, block) in place.blocks.enumerated() {
            let isOutside =
              block.block.bottom <= layout.lines.lowerBound
              || block.block.top >= layout.lines.upperBound
            if !block.rect.isEmpty || isOutside { seen += 1 }
            for other in place.blocks[(index + 1)...] {
              #expect(block.rect.intersection(other.rect).isEmpty)
            }
          }
          guard place.rect.columns > 3 else { continue }
          let counted = place.hidden.reduce(0) { $0 + $1.count }
          #expect(seen + counted == grid.days[place.index].entries.count)
        }
        guard let entry = grid.selectedEntry, !rect.isEmpty, !grid.rows.isEmpty else { continue }
        let day = layout.days.first { $0.index == grid.selectedDay }
        let block = day?.blocks.first { $0.block.index == entry }
        #expect(block?.rect.isEmpty == false)
        guard let place = block?.rect else { continue }
        let found = grid.index(
          at: Screen.Cursor(row: place.row, column: place.column), in: rect)
        #expect(found?.day == grid.selectedDay && found?.entry == entry)
      }
    }
  }

  @Test func `places lead to days, entries and minutes`() {
    let grid = Self.week(entry: nil)
    let rect = Rect(columns: 80, rows: 24)
    let layout = CalendarLayout(grid, in: rect)
    #expect(layout.days.count == 7)
    let monday = layout.days[0]
    let report = monday.blocks.first { $0.block.index == 0 }?.rect ?? Rect(columns: 0, rows: 0)
    let place = Screen.Cursor(row: report.row, column: report.column)
    #expect(grid.index(at: place, in: rect).map { [$0.day, $0.entry ?? -1] } == [0, 0])
    #expect(grid.minute(at: place, in: rect) == 540)
    let heading = Screen.Cursor(row: 0, column: layout.days[6].heading.column)
    #expect(grid.index(at: heading, in: rect).map { [$0.day, $0.entry ?? -1] } == [6, -1])
    #expect(grid.minute(at: heading, in: rect) == nil)
  }

  @Test func `keys change the state`() {
    var state = CalendarState(day: 3)
    state.moveEntry(by: -1, count: 4)
    #expect(state.entry == 3)
    state.moveEntry(by: .min, count: 4)
    #expect(state.entry == 0)
    state.moveEntry(by: 1, count: 0)
    #expect(state.entry == nil)
    state.moveEntry(by: 1, count: 4)
    #expect(state.entry == 0)
    state.moveDay(by: .max, count: 7)
    #expect(state.day == 6 && state.entry == nil)
    state.scroll(by: 30, count: 24, rows: 10)
    #expect(state.offset == 14)
  }
}

extension SeededGenerator {
  fileprivate mutating func calendar() -> CalendarGrid {
    let rows = Int.random(in: 0...26, using: &self)
    let days = (0..<Int.random(in: 0...8, using: &self)).map { _ -> CalendarDay in
      let starts: [Int64?] =
        Bool.random(using: &self)
        ? CalendarDay.hours
        : (0..<Int.random(in: 0...30, using: &self)).map { row in
          Bool.random(using: &self) ? Int64(row * 60) : Bool.random(using: &self) ? integer() : nil
        }
      return CalendarDay(
        hostileText(), rowStarts: starts, minutes: Bool.random(using: &self) ? 1440 : integer(),
        entries: (0..<Int.random(in: 0...9, using: &self)).map { _ in
          let start = Int64.random(in: -60...1500, using: &self)
          return CalendarDay.Entry(
            hostileText(), detail: hostileText(), start: start,
            end: Bool.random(using: &self) ? integer() : start + 90,
            isRunning: Bool.random(using: &self))
        }, isToday: Bool.random(using: &self))
    }
    return CalendarGrid(
      rows: (0..<rows).map { _ in hostileText() }, days: days,
      state: CalendarState(
        day: Int64.random(in: -2...9, using: &self),
        entry: Bool.random(using: &self) ? Int64.random(in: -1...9, using: &self) : nil,
        offset: integer()),
      linesPerRow: Bool.random(using: &self) ? Int.random(in: -1...6, using: &self) : nil)
  }
}
