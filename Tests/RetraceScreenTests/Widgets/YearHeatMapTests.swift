import RetraceScreen
import RetraceTesting
import Testing

/// Each day of a year is at its week and its weekday.
@Suite struct YearHeatMapTests {
  private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  private static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The year 2026, which begins on a Thursday; weeks begin on Monday.
  private static func year(selected: Int64? = nil, signs: ChartSigns = .blocks) -> YearHeatMap {
    let levels = (0..<365).map { day -> Int64 in
      let weekday = (day + 3) % 7
      return weekday > 4 ? 0 : Int64((day * 7 + day / 9) % 5)
    }
    return YearHeatMap(
      levels: levels, firstRow: 3, weekdays: ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"],
      months: zip(names, lengths).map { YearHeatMap.Month($0, days: $1) }, selected: selected,
      signs: signs)
  }

  @Test func pictures() throws {
    try Pictures.expect("year-heat-map", page: Screen.Size(columns: 112, rows: 9)) { _ in
      Self.year(selected: 332)
    }
    try Pictures.expect("year-heat-map-plain") { _ in Self.year(selected: 40, signs: .plain) }
  }

  @Test func `days are where clicks find them`() {
    let map = Self.year()
    let rect = Rect(column: 2, row: 1, columns: 80, rows: 9)
    func day(_ row: Int, _ column: Int) -> Int? {
      map.index(at: Screen.Cursor(row: row, column: column), in: rect)
    }
    // The first day is a Thursday, the fifth one the next Monday.
    #expect(day(5, 5) == 0)
    #expect(day(4, 5) == nil)
    #expect(day(2, 6) == 4)
    #expect(day(5, 5 + 52) == 364)
    #expect(day(6, 5 + 52) == nil)
    #expect(day(1, 5) == nil)
  }

  @Test func `random maps stay inside and show the selected day`() {
    withSeed { random in
      for _ in 0..<repetitions(1_000) {
        let count = Int.random(in: 0...380, using: &random)
        let map = YearHeatMap(
          levels: (0..<count).map { _ in random.integer() },
          firstRow: Int.random(in: -2...9, using: &random),
          weekdays: (0..<Int.random(in: 0...9, using: &random)).map { _ in random.hostileText() },
          months: (0..<12).map { _ in
            YearHeatMap.Month(random.hostileText(), days: Int.random(in: -3...40, using: &random))
          }, selected: Int64.random(in: -2...400, using: &random),
          legend: [random.hostileText(), random.hostileText()],
          signs: ChartSigns.allCases.randomElement(using: &random) ?? .plain)
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(map, in: rect)
        guard count > 0, !rect.isEmpty, rect.row >= 0, rect.column >= 0 else { continue }
        var days: [Int] = []
        for row in 0..<canvas.size.rows {
          for column in 0..<canvas.size.columns
          where canvas[row: row, column: column].style.attributes.contains(.reversed) {
            days.append(map.index(at: Screen.Cursor(row: row, column: column), in: rect) ?? -1)
          }
        }
        let selected = Int(max(0, min(map.selected ?? 0, Int64(count - 1))))
        #expect(!days.isEmpty && days.allSatisfy { $0 == selected })
      }
    }
  }
}
