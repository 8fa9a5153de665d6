/// Lines of values at equal distances, from left to right.
///
/// Several lines differ without colors, too: they are solid, dashed and dotted, and each sign of
/// ASCII is its own.
///
/// ```swift
/// let chart = LineChart(
///   [LineChart.Series("hours", values: [7, 8, nil, 6, 9])], texts: ("0 h", "9 h"),
///   labels: ["Mon", "Fri"])
/// print(Screen(chart, size: Screen.Size(columns: 40, rows: 12)).canvas.lines)
/// ```
public struct LineChart: Widget, Hashable, Sendable {
  /// A line.
  public struct Series: Hashable, Sendable {
    /// What the line is, shown if there are several.
    public var name: String
    /// The values from left to right; `nil` leaves a gap.
    public var values: [Int64?]
    /// The color of the line.
    public var color: Color

    /// Creates a line.
    public init(_ name: String, values: [Int64?], color: Color = .accent) {
      self.name = name
      self.values = values
      self.color = color
    }
  }

  /// The lines; a later one is drawn over those before it.
  public var series: [Series]
  /// The values at the bottom and at the top; others are drawn at the nearer of them.
  public var range: ClosedRange<Int64>
  /// The value at the bottom as text.
  public var lowerText: String
  /// The value at the top as text.
  public var upperText: String
  /// Texts below the chart, from its left end to its right end.
  public var labels: [String]
  /// The signs of the lines.
  public var signs: ChartSigns

  /// Creates a chart.
  ///
  /// - Parameters:
  ///   - series: The lines.
  ///   - range: The values at the bottom and at the top; `nil` for 0 and the values.
  ///   - texts: The values at the bottom and at the top as texts.
  ///   - labels: Texts below the chart, from its left end to its right end.
  ///   - signs: The signs of the lines.
  public init(
    _ series: [Series], range: ClosedRange<Int64>? = nil,
    texts: (lower: String, upper: String) = ("", ""), labels: [String] = [],
    signs: ChartSigns = .braille
  ) {
    self.series = series
    self.range = range ?? LineChart.range(of: series)
    lowerText = texts.lower
    upperText = texts.upper
    self.labels = labels
    self.signs = signs
  }

  private static func range(of series: [Series]) -> ClosedRange<Int64> {
    var (lower, upper): (Int64, Int64) = (0, 0)
    for line in series {
      for case let value? in line.values { (lower, upper) = (min(lower, value), max(upper, value)) }
    }
    return lower...max(upper, lower.saturatingAdd(1))
  }

  /// Draws the chart; of a small one, the lines are the last to be left out.
  ///
  /// - Complexity: O(cells of the rectangle × lines + number of values).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    var rest = rect
    if series.count > 1, rest.rows > 4 { drawLegend(in: rest.removeTop(1), on: &canvas) }
    let texts = max(TextWidth.of(lowerText), TextWidth.of(upperText))
    var gutter = texts > 0 && rest.columns >= texts + 10 ? rest.removeLeft(texts + 2) : nil
    if rest.rows > 3 {
      if !labels.isEmpty {
        drawLabels(in: rest.removeBottom(1), on: &canvas)
        _ = gutter?.removeBottom(1)
      }
    }
    if let gutter {
      var axis = gutter
      canvas.fill(
        axis.removeRight(1), with: signs == .plain ? "|" : "│", style: Style(foreground: .border))
      _ = axis.removeRight(1)
      canvas.drawLine(upperText, style: .faint, aligned: .right, in: axis)
      if axis.rows > 1 {
        canvas.drawLine(lowerText, style: .faint, aligned: .right, in: axis.removeBottom(1))
      }
    }
    drawLines(in: rest, on: &canvas)
  }

  private func drawLegend(in rect: Rect, on canvas: inout Canvas) {
    var runs: [Screen.Run] = []
    for (index, line) in series.enumerated() {
      if index > 0 { runs.append(Screen.Run("  ")) }
      let sign = signs == .plain ? LineDots.plainSigns[index % 4] : LineDots.legendSigns[index % 3]
      let text = String(repeating: sign, count: signs == .plain ? 1 : 3)
      runs.append(Screen.Run(text, Style(foreground: line.color)))
      runs.append(Screen.Run(" " + line.name))
    }
    canvas.drawLine(Screen.Line(runs), in: rect)
  }

  /// Draws the texts below the chart that have room, the first one at the left, the last at the
  /// right.
  private func drawLabels(in rect: Rect, on canvas: inout Canvas) {
    var end = rect.column
    for (index, label) in labels.enumerated() {
      let cells = TextWidth.of(label)
      let free = rect.columns - cells
      guard free >= 0 else { continue }
      let column = rect.column + (labels.count > 1 ? free * index / (labels.count - 1) : 0)
      let isLast = index + 1 == labels.count
      let last = labels.last.map { rect.endColumn - TextWidth.of($0) - 1 } ?? rect.endColumn
      guard column >= end, isLast || column + cells <= last || labels.count == 1 else { continue }
      end = canvas.draw(label, row: rect.row, column: column, style: .faint, in: rect) + 1
    }
  }

  private func drawLines(in rect: Rect, on canvas: inout Canvas) {
    var dots = LineDots(signs, columns: rect.columns, rows: rect.rows)
    for (index, line) in series.enumerated() { dots.add(line.values, range: range, number: index) }
    dots.draw(in: rect, colors: series.map { $0.color }, on: &canvas)
  }
}
