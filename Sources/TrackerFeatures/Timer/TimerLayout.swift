import Retrace

/// The parts of the timer, from top to bottom; of a low one, the running entry and the list are
/// left.
struct TimerLayout: Hashable, Sendable {
  let title: Rect
  let running: Rect
  let note: Rect
  let list: Rect
  /// The row that says that there are older entries.
  let older: Rect

  /// The columns beyond which a duration is too far from its text.
  private static var columnsMax: Int { 100 }

  init(_ rect: Rect) {
    var rest = rect
    var title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    title.columns = min(title.columns, Self.columnsMax)
    self.title = title
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    running = rest.removeTop(1)
    note = rest.removeTop(rect.rows > 6 ? 1 : 0)
    rest.columns = min(rest.columns, Self.columnsMax)
    older = rest.removeBottom(rect.rows > 4 ? 1 : 0)
    list = rest
  }

  /// The shape of the page of the log: at least one row, and headings where there is room.
  var shape: LogShape { LogShape(rows: max(1, list.rows), hasHeadings: list.rows > 3) }
}
