import Retrace

/// The parts of the screen of the reports, from top to bottom; of a low one, the lines or the chart
/// are left.
struct ReportsLayout: Hashable, Sendable {
  let title: Rect
  /// The row of the range, or of the open field.
  let range: Rect
  /// The row below it, for what is wrong with the typed text; empty on a low screen.
  let problem: Rect
  let chart: Rect
  let lines: Rect
  let note: Rect

  /// The columns beyond which a time is too far from its name.
  private static var columnsMax: Int { 100 }
  /// The rows of the lines beside which a chart has room.
  private static var linesMin: Int { 8 }

  /// Divides a rectangle.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - bars: The number of bars of the chart.
  ///   - showsChart: Whether the chart is shown where there is room for it or for the lines.
  init(_ rect: Rect, bars: Int, showsChart: Bool) {
    var rest = rect
    rest.columns = min(rest.columns, Self.columnsMax)
    title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    range = rest.removeTop(rect.rows > 2 ? 1 : 0)
    problem = rest.removeTop(rect.rows > 8 ? 1 : 0)
    note = rest.removeBottom(rect.rows > 6 ? 1 : 0)
    if bars > 0, rest.rows >= bars + 1 + Self.linesMin {
      chart = rest.removeTop(bars)
      _ = rest.removeTop(1)
      lines = rest
    } else if showsChart {
      (chart, lines) = (rest, Rect(column: rest.column, row: rest.row, columns: 0, rows: 0))
    } else {
      (chart, lines) = (Rect(column: rest.column, row: rest.row, columns: 0, rows: 0), rest)
    }
  }
}
