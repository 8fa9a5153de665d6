/// A year of days as a grid: a column for each week, and a sign for how much each day has.
///
/// The widget knows no calendar: the days, the weekday of the first one, and the months are given.
/// A map that is too narrow shows the weeks around the selected day, or the last ones, and counts
/// the others.
///
/// ```swift
/// let map = YearHeatMap(
///   levels: [0, 1, 4, 2, 0, 3], firstRow: 2, weekdays: ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"],
///   months: [YearHeatMap.Month("Jan", days: 31)])
/// print(Screen(map, size: Screen.Size(columns: 40, rows: 8)).canvas.lines)
/// ```
public struct YearHeatMap: Widget, Hashable, Sendable {
  /// A month of the map.
  public struct Month: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The number of its days.
    public var days: Int

    /// Creates a month.
    public init(_ name: String, days: Int) {
      self.name = name
      self.days = days
    }
  }

  /// The highest level of a day.
  public static var levelMax: Int64 { 4 }

  /// How much each day has, from 0 to ``levelMax``, from the first day on.
  public var levels: [Int64]
  /// The row of the first day: the number of weekdays before it in its week, from 0 to 6.
  public var firstRow: Int
  /// The names of the rows, the first weekday of a week first.
  public var weekdays: [String]
  /// The months from the first day on.
  public var months: [Month]
  /// The index of the selected day.
  public var selected: Int64?
  /// What a low and a high level is called in the legend.
  public var legend: [String]
  /// The signs of the levels.
  public var signs: ChartSigns

  /// Creates a map.
  ///
  /// - Parameters:
  ///   - levels: How much each day has, from 0 to ``levelMax``, from the first day on.
  ///   - firstRow: The number of weekdays before the first day in its week, from 0 to 6.
  ///   - weekdays: The names of the rows, the first weekday of a week first.
  ///   - months: The months from the first day on.
  ///   - selected: The index of the selected day.
  ///   - legend: What a low and a high level is called.
  ///   - signs: The signs of the levels.
  public init(
    levels: [Int64], firstRow: Int, weekdays: [String], months: [Month], selected: Int64? = nil,
    legend: [String] = ["less", "more"], signs: ChartSigns = .blocks
  ) {
    self.levels = levels
    self.firstRow = min(max(firstRow, 0), 6)
    self.weekdays = weekdays
    self.months = months
    self.selected = selected
    self.legend = legend
    self.signs = signs
  }

  /// Draws the weeks that fit.
  ///
  /// - Complexity: O(cells of the rectangle).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    guard let layout = layout(in: rect) else { return }
    for row in layout.rows {
      if row < weekdays.count {
        let place = Rect(
          column: rect.column, row: layout.grid.row + row - layout.rows.lowerBound,
          columns: max(layout.grid.column - rect.column - 1, 0), rows: 1)
        canvas.drawLine(weekdays[row], style: .faint, in: place)
      }
      for week in layout.weeks {
        let day = week * 7 + row - firstRow
        if levels.indices.contains(day) { draw(day, in: layout.rect(of: week, row), on: &canvas) }
      }
    }
    drawMonths(layout, on: &canvas)
    drawLegend(in: layout.legend, on: &canvas)
    drawNote(layout, on: &canvas)
  }

  /// Returns the index of the day at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    guard let layout = layout(in: rect), layout.grid.contains(position) else { return nil }
    let week = layout.weeks.lowerBound + (position.column - layout.grid.column) / layout.dayColumns
    let row = layout.rows.lowerBound + position.row - layout.grid.row
    let day = week * 7 + row - firstRow
    return layout.weeks.contains(week) && levels.indices.contains(day) ? day : nil
  }
}

extension YearHeatMap {
  private struct Layout {
    var weeks: Range<Int>
    var weekCount: Int
    var rows: Range<Int>
    /// The cells of a day.
    var dayColumns: Int
    var grid: Rect
    var months = Rect(columns: 0, rows: 0)
    var legend = Rect(columns: 0, rows: 0)
    var note = Rect(columns: 0, rows: 0)

    func rect(of week: Int, _ row: Int) -> Rect {
      Rect(
        column: grid.column + (week - weeks.lowerBound) * dayColumns,
        row: grid.row + row - rows.lowerBound, columns: dayColumns, rows: 1)
    }
  }

  private var selectedDay: Int? {
    levels.isEmpty ? nil : selected.map { Int(index: $0, of: levels.count) }
  }

  private func layout(in rect: Rect) -> Layout? {
    guard !rect.isEmpty, !levels.isEmpty else { return nil }
    let weekCount = (firstRow + levels.count + 6) / 7
    let names = weekdays.prefix(7).reduce(0) { max($0, TextWidth.of($1)) }
    let labels = rect.columns >= names + 12 && names > 0 ? names + 1 : 0
    let dayColumns = labels + 2 * weekCount <= rect.columns ? 2 : 1
    var rest = rect.dropLeft(labels)
    let selectedPlace = firstRow + (selectedDay ?? levels.count - 1)
    var weeks = ScrollWindow(
      count: Int64(weekCount), rows: Int64(rest.columns / dayColumns), offset: .max)
    weeks.show(Int64(selectedPlace / 7))
    let needsNote = weeks.range.count < weekCount || rect.rows < 7
    var layout = Layout(
      weeks: Int(weeks.range.lowerBound)..<Int(weeks.range.upperBound), weekCount: weekCount,
      rows: 0..<7, dayColumns: dayColumns, grid: rest)
    if needsNote, rest.rows > 1 {
      layout.note = rest.removeBottom(1)
      (layout.note.column, layout.note.columns) = (rect.column, rect.columns)
    }
    if rest.rows > 7 { layout.months = rest.removeTop(1) }
    if rest.rows > 7, legend.count == 2 {
      layout.legend = rest
      _ = layout.legend.removeTop(7)
    }
    var rows = ScrollWindow(count: 7, rows: Int64(rest.rows), offset: 0)
    rows.show(Int64(selectedPlace % 7))
    layout.rows = Int(rows.range.lowerBound)..<Int(rows.range.upperBound)
    layout.grid = Rect(
      column: rest.column, row: rest.row, columns: layout.weeks.count * dayColumns,
      rows: layout.rows.count)
    let end = layout.legend.isEmpty ? layout.grid.endRow : layout.legend.row + 1
    layout.note.row = min(layout.note.row, end)
    return layout
  }

  /// Returns the sign and the style of a level.
  private func look(of level: Int64) -> (sign: Unicode.Scalar, style: Style) {
    let level = Int(min(max(level, 0), YearHeatMap.levelMax))
    let blocks: [Unicode.Scalar] = ["·", "░", "▒", "▓", "█"]
    let plain: [Unicode.Scalar] = [".", "-", "+", "*", "#"]
    return (
      signs == .plain ? plain[level] : blocks[level],
      Style(foreground: level == 0 ? .faint : .accent)
    )
  }

  private func draw(_ day: Int, in rect: Rect, on canvas: inout Canvas) {
    var (sign, style) = look(of: levels[day])
    if day == selectedDay { style.attributes = [.reversed, .bold] }
    canvas.fill(rect, with: sign, style: style)
  }

  /// Draws the names of months at the weeks of their first days, as far as there is room.
  private func drawMonths(_ layout: Layout, on canvas: inout Canvas) {
    var (day, end) = (0, layout.months.column)
    for month in months {
      let week = (firstRow + day) / 7
      day += min(max(month.days, 0), 400)
      guard !layout.months.isEmpty, layout.weeks.contains(week) else { continue }
      let column = layout.rect(of: week, layout.rows.lowerBound).column
      let cells = TextWidth.of(month.name)
      guard column >= end, column + cells <= layout.months.endColumn else { continue }
      end =
        1
        + canvas.draw(
          month.name, row: layout.months.row, column: column, style: .faint, in: layout.months)
    }
  }

  private func drawLegend(in rect: Rect, on canvas: inout Canvas) {
    guard !rect.isEmpty, legend.count == 2 else { return }
    var runs = [Screen.Run(legend[0] + " ", .faint)]
    for level in 0...YearHeatMap.levelMax {
      let (sign, style) = look(of: level)
      runs.append(Screen.Run(String(sign), style))
    }
    runs.append(Screen.Run(" " + legend[1], .faint))
    canvas.drawLine(Screen.Line(runs), in: rect)
  }

  /// Counts the weeks before and after those that are seen, and the rows that are not.
  private func drawNote(_ layout: Layout, on canvas: inout Canvas) {
    guard !layout.note.isEmpty else { return }
    var parts: [String] = []
    if layout.weeks.lowerBound > 0 { parts.append("‹ \(layout.weeks.lowerBound)") }
    let after = layout.weekCount - layout.weeks.upperBound
    if after > 0 { parts.append("› \(after)") }
    if layout.rows.count < 7 { parts.append("↕ \(7 - layout.rows.count)") }
    canvas.drawLine(parts.joined(separator: "  ") + " more", style: .faint, in: layout.note)
  }
}
