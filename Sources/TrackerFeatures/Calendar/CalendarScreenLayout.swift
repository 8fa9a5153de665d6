import Retrace

/// The parts of the screen of the calendar, from top to bottom; of a low one, the grid is left.
struct CalendarScreenLayout: Hashable, Sendable {
  let title: Rect
  /// The row of the shown days, or of the field in which one is typed.
  let days: Rect
  let grid: Rect

  /// The columns beyond which days are wider than their texts need.
  private static var columnsMax: Int { 160 }

  /// Divides a rectangle.
  init(_ rect: Rect) {
    var rest = rect
    rest.columns = min(rest.columns, Self.columnsMax)
    title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    days = rest.removeTop(rect.rows > 2 ? 1 : 0)
    grid = rest
  }
}
