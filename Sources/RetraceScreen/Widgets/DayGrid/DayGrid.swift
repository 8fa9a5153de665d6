/// Days beside each other with their entries as blocks, and hours as rows: a day, a week, or any
/// number of days.
///
/// Entries that overlap, or that share a line, lie side by side. The grid shows the selected entry
/// and day, and counts the days, entries and hours that do not fit.
///
/// ```swift
/// let entry = GridDay.Entry("report", detail: "09:00–10:30", start: 540, end: 630)
/// let grid = DayGrid(
///   rows: (0..<24).map { "\($0):00" }, days: [GridDay("Mon 30", entries: [entry])],
///   state: DayGridState(day: 0, entry: 0, offset: 8))
/// print(Screen(grid, size: Screen.Size(columns: 40, rows: 12)).canvas.lines)
/// ```
public struct DayGrid: Widget, Hashable, Sendable {
  /// The labels of the rows.
  public var rows: [String]
  /// The days from left to right.
  public var days: [GridDay]
  /// What is selected and shown.
  public var state: DayGridState
  /// The lines of a row; `nil` for as many as fit, up to 4.
  public var linesPerRow: Int?
  /// A minute of the selected day that is marked beside the rows, with its label; `nil` for none.
  public var mark: Mark?
  /// Whether the selected entry is seen however far the grid is scrolled.
  public var followsSelection = true

  /// A minute that is marked beside the rows.
  public struct Mark: Hashable, Sendable {
    /// The minute of the selected day.
    public var minute: Int64
    /// The text that takes the place of the row's label.
    public var label: String

    /// Creates a mark.
    public init(minute: Int64, label: String) { (self.minute, self.label) = (minute, label) }
  }

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - rows: The labels of the rows.
  ///   - days: The days from left to right.
  ///   - state: What is selected and shown.
  ///   - linesPerRow: The lines of a row; `nil` for as many as fit, up to 4.
  public init(
    rows: [String], days: [GridDay], state: DayGridState, linesPerRow: Int? = nil
  ) {
    self.rows = rows
    self.days = days
    self.state = state
    self.linesPerRow = linesPerRow
  }

  /// Draws the days and hours that fit.
  ///
  /// - Complexity: O(cells of the rectangle + entries of the days that are seen).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = DayGridLayout(self, in: rect)
    guard !layout.grid.isEmpty else { return }
    drawHeading(layout, on: &canvas)
    drawHours(layout, on: &canvas)
    var (above, below) = (0, 0)
    for place in layout.days {
      drawMissingRows(place, layout, on: &canvas)
      drawNow(place, layout, on: &canvas)
      for block in place.blocks {
        draw(block, of: place, layout, on: &canvas)
        if block.block.bottom <= layout.lines.lowerBound { above += 1 }
        if block.block.top >= layout.lines.upperBound { below += 1 }
      }
      drawHiddenCounts(place, layout, on: &canvas)
    }
    var gutter = layout.gutter
    drawMark(layout, on: &canvas)
    let bottom = gutter.removeBottom(gutter.rows > 1 ? 1 : 0)
    if above > 0 { drawNote("↑\(above)", in: gutter, on: &canvas) }
    if below > 0 { drawNote("↓\(below)", in: bottom, on: &canvas) }
  }

  /// Returns the day at a place, and the entry if there is one.
  public func index(at position: Screen.Cursor, in rect: Rect) -> (day: Int, entry: Int?)? {
    let layout = DayGridLayout(self, in: rect)
    for place in layout.days {
      let entry = place.blocks.first { $0.rect.contains(position) }?.block.index
      if entry != nil || place.rect.contains(position) || place.heading.contains(position) {
        return (place.index, entry)
      }
    }
    return nil
  }

  /// Returns the day in a column of the screen; the nearest one beside the days, and `nil` if no
  /// day is seen.
  public func day(atColumn column: Int, in rect: Rect) -> Int? {
    let days = DayGridLayout(self, in: rect).days
    return (days.last { $0.rect.column <= column } ?? days.first)?.index
  }

  /// Returns the minute of the day at a place, such as for a new entry there.
  ///
  /// The result is `nil` outside of the days, and in an hour that the day does not have.
  public func minute(at position: Screen.Cursor, in rect: Rect) -> Int64? {
    let layout = DayGridLayout(self, in: rect)
    guard let place = layout.days.first(where: { $0.rect.contains(position) }) else { return nil }
    let line = position.row - place.rect.row + layout.lines.lowerBound
    return days[place.index].minute(ofLine: line, linesPerRow: layout.linesPerRow)
  }

  /// Returns the minutes of the line in a row of the screen, of a day.
  ///
  /// A row outside of the grid counts as the nearest one, as for a drag that leaves the grid. The
  /// result is `nil` if the day is not seen, and in an hour that it does not have.
  public func minutes(atRow row: Int, ofDay day: Int, in rect: Rect) -> Range<Int64>? {
    let layout = DayGridLayout(self, in: rect)
    guard let place = layout.days.first(where: { $0.index == day }), !place.rect.isEmpty else {
      return nil
    }
    let line = min(max(row - place.rect.row, 0), place.rect.rows - 1) + layout.lines.lowerBound
    func minute(_ line: Int) -> Int64? {
      days[day].minute(ofLine: line, linesPerRow: layout.linesPerRow)
    }
    guard let start = minute(line) else { return nil }
    let later = (line + 1..<max(line + 1, rows.count * layout.linesPerRow)).lazy
      .compactMap { minute($0) }.first { $0 > start }
    return start..<max(start, later ?? days[day].minutes)
  }

  /// Returns the line of an entry that is at a place, from 0, and the number of its lines; `nil`
  /// without an entry there.
  public func line(at position: Screen.Cursor, in rect: Rect) -> (index: Int, count: Int)? {
    let layout = DayGridLayout(self, in: rect)
    for place in layout.days {
      guard let block = place.blocks.first(where: { $0.rect.contains(position) }) else { continue }
      let line = position.row - place.rect.row + layout.lines.lowerBound
      return (line - block.block.top, block.block.bottom - block.block.top)
    }
    return nil
  }

  /// Returns the cells of the selected entry that are seen; `nil` for none.
  public func selectedRect(in rect: Rect) -> Rect? {
    let layout = DayGridLayout(self, in: rect)
    let day = layout.days.first { $0.index == selectedDay }
    let block = day?.blocks.first { $0.block.index == selectedEntry }
    return block.flatMap { $0.rect.isEmpty ? nil : $0.rect }
  }

  /// Returns how many rows are seen, for ``DayGridState/scroll(by:count:rows:)``.
  ///
  /// - Complexity: O(rows + days).
  public func hourCount(in rect: Rect) -> Int64 {
    let layout = DayGridLayout(outlineOf: self, in: rect)
    return Int64(layout.grid.rows / layout.linesPerRow)
  }

  /// Returns how many lines a row has.
  ///
  /// - Complexity: O(rows + days).
  public func rowLines(in rect: Rect) -> Int {
    DayGridLayout(outlineOf: self, in: rect).linesPerRow
  }

  /// The index of the selected day.
  var selectedDay: Int { Int(index: state.day, of: days.count) }

  /// The index of the selected entry in its day.
  var selectedEntry: Int? {
    guard let entry = state.entry, !days.isEmpty, !days[selectedDay].entries.isEmpty else {
      return nil
    }
    return Int(index: entry, of: days[selectedDay].entries.count)
  }
}

extension DayGrid {
  private func drawNote(_ text: String, in rect: Rect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    let row = Rect(column: rect.column, row: rect.row, columns: rect.columns, rows: 1)
    canvas.fill(row)
    canvas.drawLine(text, style: Style(foreground: .accent), in: row)
  }

  private func drawHeading(_ layout: DayGridLayout, on canvas: inout Canvas) {
    for place in layout.days {
      let isSelected = place.index == selectedDay
      var style: Style = days[place.index].isToday ? .title : .strong
      if isSelected { style.attributes.insert(.underline) }
      let title = (isSelected && days.count > 1 ? "›" : "") + days[place.index].title
      canvas.drawLine(title, style: style, in: place.heading)
      canvas.drawLine(days[place.index].detail, style: .faint, in: place.detail)
    }
    guard let first = layout.days.first, let last = layout.days.last else { return }
    let after = days.count - 1 - last.index
    if first.index > 0 { drawNote("‹\(first.index)", in: layout.corner, on: &canvas) }
    guard after > 0, !last.heading.isEmpty else { return }
    let text = " \(after)›"
    var heading = last.heading
    drawNote(text, in: heading.removeRight(TextWidth.of(text)), on: &canvas)
  }

  private func drawHours(_ layout: DayGridLayout, on canvas: inout Canvas) {
    for row in rows.indices {
      let line = row * layout.linesPerRow
      guard layout.lines.contains(line) else { continue }
      let place = Rect(
        column: layout.gutter.column, row: layout.grid.row + line - layout.lines.lowerBound,
        columns: max(layout.gutter.columns - 1, 0), rows: 1)
      canvas.drawLine(rows[row], style: .faint, in: place)
      guard layout.linesPerRow > 1 else { continue }
      var hour = layout.grid
      (hour.row, hour.rows) = (place.row, 1)
      canvas.fill(hour, with: "╌", style: Style(foreground: .border))
    }
    for place in layout.days.dropFirst() {
      let line = Rect(
        column: place.rect.column - 1, row: place.rect.row, columns: 1, rows: place.rect.rows)
      canvas.fill(line, with: "│", style: Style(foreground: .border))
    }
  }

  /// Draws a pattern in the rows that a day does not have.
  private func drawMissingRows(
    _ place: DayGridLayout.Day, _ layout: DayGridLayout, on canvas: inout Canvas
  ) {
    let day = days[place.index]
    for row in rows.indices where row >= day.rowStarts.count || day.rowStarts[row] == nil {
      let line = row * layout.linesPerRow
      let lines = (line..<line + layout.linesPerRow).clamped(to: layout.lines)
      let missing = Rect(
        column: place.rect.column, row: place.rect.row + lines.lowerBound - layout.lines.lowerBound,
        columns: place.rect.columns, rows: lines.count)
      canvas.fill(missing, with: "░", style: .faint)
    }
  }

  /// Draws the line of the present, where no entry is.
  private func drawNow(
    _ place: DayGridLayout.Day, _ layout: DayGridLayout, on canvas: inout Canvas
  ) {
    let day = days[place.index]
    guard let now = day.now else { return }
    let line = day.line(ofMinute: now, linesPerRow: layout.linesPerRow)
    guard layout.lines.contains(line) else { return }
    let row = place.rect.row + line - layout.lines.lowerBound
    canvas.fill(
      Rect(column: place.rect.column, row: row, columns: place.rect.columns, rows: 1), with: "─",
      style: .warning)
  }

  /// Draws the label of the mark beside its line, if that is seen.
  private func drawMark(_ layout: DayGridLayout, on canvas: inout Canvas) {
    guard let mark, !layout.gutter.isEmpty else { return }
    let line = days[selectedDay].line(ofMinute: mark.minute, linesPerRow: layout.linesPerRow)
    guard layout.lines.contains(line) else { return }
    let row = layout.grid.row + line - layout.lines.lowerBound
    var place = Rect(
      column: layout.gutter.column, row: row, columns: layout.gutter.columns, rows: 1)
    canvas.fill(place)
    canvas.drawLine("›", style: .title, in: place.removeRight(1))
    canvas.drawLine(mark.label, style: .title, in: place)
  }

  /// Counts the entries of groups whose lanes do not fit.
  private func drawHiddenCounts(
    _ place: DayGridLayout.Day, _ layout: DayGridLayout, on canvas: inout Canvas
  ) {
    for (rect, count) in place.hidden {
      canvas.drawLine("+\(count)", style: Style(foreground: .accent), in: rect)
    }
  }

  private func draw(
    _ block: DayGridLayout.Block, of place: DayGridLayout.Day, _ layout: DayGridLayout,
    on canvas: inout Canvas
  ) {
    let rect = block.rect
    guard !rect.isEmpty else { return }
    let entry = days[place.index].entries[block.block.index]
    let isSelected = place.index == selectedDay && block.block.index == selectedEntry
    let style = Style(background: .surface, attributes: isSelected ? [.reversed, .bold] : [])
    canvas.fill(rect, style: style)
    drawEdge(block, color: entry.color, isRunning: entry.isRunning, layout, on: &canvas)
    var text = rect.dropLeft(1)
    var title = entry.title
    if entry.isRunning { title = "● " + title }
    if isSelected { title = "›" + title }
    let wrapped = WrappedText(title, columns: text.columns)
    let hasDetail = !entry.detail.isEmpty && text.rows > wrapped.rows.count
    let area = text.removeTop(min(wrapped.rows.count, text.rows))
    canvas.draw(wrapped, style: style, showsCut: true, in: area)
    if hasDetail {
      var faint = style
      if !isSelected { faint.foreground = .faint }
      canvas.drawLine(entry.detail, style: faint, in: text)
    }
  }

  /// Draws the left edge of a block, which shows where it begins and ends; a running one is open.
  private func drawEdge(
    _ block: DayGridLayout.Block, color: Color, isRunning: Bool, _ layout: DayGridLayout,
    on canvas: inout Canvas
  ) {
    let rect = block.rect
    let style = Style(foreground: color, background: .surface, attributes: .bold)
    let edge = Rect(column: rect.column, row: rect.row, columns: 1, rows: rect.rows)
    guard block.block.bottom - block.block.top > 1 else {
      canvas.fill(edge, with: "▌", style: style)
      return
    }
    canvas.fill(edge, with: "│", style: style)
    if block.block.top >= layout.lines.lowerBound {
      canvas.fill(
        Rect(column: edge.column, row: edge.row, columns: 1, rows: 1), with: "┌", style: style)
    }
    if block.block.bottom <= layout.lines.upperBound, !isRunning {
      canvas.fill(
        Rect(column: edge.column, row: edge.endRow - 1, columns: 1, rows: 1), with: "└",
        style: style)
    }
  }
}
