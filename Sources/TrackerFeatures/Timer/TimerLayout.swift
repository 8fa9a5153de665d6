import Retrace

/// The parts of the timer, from top to bottom; of a low one, the running entry and the list are
/// left.
struct TimerLayout: Hashable, Sendable {
  let title: Rect
  let running: Rect
  let note: Rect
  /// The rows of the suggestions; empty without any.
  let suggestions: Rect
  /// The label of the filter.
  let label: Rect
  /// The field of the filter; empty without one.
  let filter: Rect
  /// What is to be known about the filter.
  let remarks: Rect
  let list: Rect
  /// The row that says that there are older entries.
  let older: Rect

  /// The columns beyond which a duration is too far from its text.
  private static var columnsMax: Int { 100 }

  /// The rows that the suggestions leave to the list.
  private static var listRowsMin: Int { 6 }

  /// Divides a rectangle.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - suggestions: The rows of the suggestions, for which there is room.
  ///   - hasFilter: Whether there is a filter.
  ///   - labelColumns: The columns of the label of the field.
  ///   - remarks: The number of lines about the filter.
  init(
    _ rect: Rect, suggestions: Int = 0, hasFilter: Bool = false, labelColumns: Int = 0,
    remarks: Int = 0
  ) {
    var rest = rect
    var title = rest.removeTop(rect.rows > (hasFilter ? 4 : 3) ? 1 : 0)
    title.columns = min(title.columns, Self.columnsMax)
    self.title = title
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    running = rest.removeTop(1)
    note = rest.removeTop(rect.rows > 6 ? 1 : 0)
    rest.columns = min(rest.columns, Self.columnsMax)
    var filter = rest.removeTop(hasFilter && rest.rows > 1 ? 1 : 0)
    label = filter.removeLeft(min(labelColumns + 1, filter.columns / 2))
    self.filter = filter
    self.remarks = rest.removeTop(min(remarks, max(0, rest.rows - 2)))
    older = rest.removeBottom(rect.rows > 4 ? 1 : 0)
    self.suggestions = rest.removeTop(suggestions)
    _ = rest.removeTop(suggestions > 0 && rest.rows > Self.listRowsMin ? 1 : 0)
    list = rest
  }

  /// Whether a layout without suggestions has room for a number of rows of them.
  func hasRoom(forSuggestions rows: Int) -> Bool { list.rows >= rows + Self.listRowsMin }

  /// The shape of the page of the log: at least one row, and headings where there is room.
  var shape: LogShape { LogShape(rows: max(1, list.rows), hasHeadings: list.rows > 3) }
}
