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
    title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    running = rest.removeTop(1)
    note = rest.removeTop(rect.rows > 6 ? 1 : 0)
    rest.columns = min(rest.columns, Self.columnsMax)
    older = rest.removeBottom(rect.rows > 4 ? 1 : 0)
    list = rest
  }

  /// Whether there is room for the headings of the list.
  var hasHeadings: Bool { list.rows > 3 }

  /// The number of entries of the list that fit, at least 1.
  var rowsShown: Int {
    let table = Table(columns: [], count: 0, state: ListState(), hasHeadings: hasHeadings) {
      _, _, _ in Screen.Run("")
    }
    return max(1, Int(table.rows(in: list)))
  }
}
