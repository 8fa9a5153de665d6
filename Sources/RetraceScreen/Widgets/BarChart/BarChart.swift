/// Bars from left to right with their labels and values.
///
/// ```swift
/// let chart = BarChart([
///   BarChart.Bar("Mon", value: 450, text: "7:30"), BarChart.Bar("Tue", value: 90, text: "1:30"),
/// ])
/// print(Screen(chart, size: Screen.Size(columns: 40, rows: 2)).canvas.lines)
/// ```
public struct BarChart: Widget, Hashable, Sendable {
  /// A bar.
  public struct Bar: Hashable, Sendable {
    /// What the bar is for.
    public var label: String
    /// Its length; below 0 has none.
    public var value: Int64
    /// The value as text.
    public var text: String
    /// The color of the bar.
    public var color: Color

    /// Creates a bar.
    public init(_ label: String, value: Int64, text: String, color: Color = .accent) {
      self.label = label
      self.value = value
      self.text = text
      self.color = color
    }
  }

  /// The bars from top to bottom.
  public var bars: [Bar]
  /// The value of a bar that fills its row; `nil` for the greatest one.
  public var whole: Int64?
  /// The index of the selected bar.
  public var selected: Int64?
  /// The signs of the bars.
  public var signs: ChartSigns

  /// Creates a chart.
  ///
  /// - Parameters:
  ///   - bars: The bars from top to bottom.
  ///   - whole: The value of a bar that fills its row; `nil` for the greatest one.
  ///   - selected: The index of the selected bar, which is seen if any is.
  ///   - signs: The signs of the bars.
  public init(
    _ bars: [Bar], whole: Int64? = nil, selected: Int64? = nil, signs: ChartSigns = .blocks
  ) {
    self.bars = bars
    self.whole = whole
    self.selected = selected
    self.signs = signs
  }

  /// Draws the bars that fit, and counts the others in the last row.
  ///
  /// - Complexity: O(cells of the rectangle + number of bars).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let (range, rows, note) = layout(in: rect)
    guard !range.isEmpty else { return }
    let labels = bars[range].reduce(0) { max($0, TextWidth.of($1.label)) }
    let texts = bars[range].reduce(0) { max($0, TextWidth.of($1.text)) }
    let longest = max(whole ?? bars.reduce(0) { max($0, $1.value) }, 1)
    for (place, index) in range.enumerated() {
      let bar = bars[index]
      let isSelected = selected.map { Int(index: $0, of: bars.count) == index } ?? false
      var row = Rect(column: rows.column, row: rows.row + place, columns: rows.columns, rows: 1)
      if selected != nil {
        let mark = row.removeLeft(2)
        if isSelected { canvas.drawLine("›", style: .title, in: mark) }
      }
      // The value is the last to be cut.
      let value = row.removeRight(min(texts, row.columns))
      if texts > 0 { _ = row.removeRight(1) }
      let label = row.removeLeft(min(labels, max(row.columns / 3, row.columns - 24)))
      if labels > 0 { _ = row.removeLeft(1) }
      canvas.drawLine(bar.label, style: isSelected ? .strong : .plain, in: label)
      canvas.drawLine(bar.text, style: isSelected ? .strong : .plain, aligned: .right, in: value)
      let eighths = proportion(bar.value, of: longest, in: row.columns * 8)
      canvas.drawBar(
        eighths: bar.value > 0 ? max(eighths, 1) : 0, signs: signs,
        style: Style(foreground: bar.color), in: row)
      if bar.value > longest, row.columns > 0 {
        canvas.draw(
          "»", row: row.row, column: row.endColumn - 1,
          style: Style(foreground: bar.color, attributes: .reversed), in: row)
      }
    }
    let hidden = bars.count - range.count
    if hidden > 0 { canvas.drawLine("… \(hidden) more", style: .faint, in: note) }
  }

  /// Returns the index of the bar at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let (range, rows, _) = layout(in: rect)
    guard rows.contains(position) else { return nil }
    let index = range.lowerBound + position.row - rows.row
    return range.contains(index) ? index : nil
  }

  /// Returns the bars that are seen, their rows, and the row that counts the others.
  private func layout(in rect: Rect) -> (range: Range<Int>, rows: Rect, note: Rect) {
    var rows = rect
    guard !rect.isEmpty else { return (0..<0, rows, rows) }
    let note =
      bars.count > rect.rows && rect.rows > 1 ? rows.removeBottom(1) : Rect(columns: 0, rows: 0)
    var window = ScrollWindow(count: Int64(bars.count), rows: Int64(rows.rows), offset: 0)
    if let selected { window.show(selected) }
    return (Int(window.range.lowerBound)..<Int(window.range.upperBound), rows, note)
  }
}
