/// A row of a ``ChoiceList``: a mark and what can be chosen.
private struct ChoiceRow<Content: Widget>: Widget {
  let isChosen: Bool
  let content: Content

  func draw(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let mark = rest.removeLeft(rect.columns > 7 ? 4 : 2)
    let text = mark.columns < 4 ? (isChosen ? "x" : " ") : isChosen ? "[x]" : "[ ]"
    canvas.drawLine(text, style: isChosen ? .title : .faint, in: mark)
    content.draw(in: rest, on: &canvas)
  }
}

/// A list of which more than one row can be chosen, such as completions of tags.
///
/// The last row counts what is chosen, because it may not be among the rows that are shown.
///
/// ```swift
/// let tags = ["billable", "meeting", "travel"]
/// let state = ChoiceListState(chosen: [2])
/// let list = ChoiceList(count: tags.count, state: state, id: { Int64($0) }) {
///   Screen.Line(tags[$0])
/// }
/// print(Screen(list, size: Screen.Size(columns: 20, rows: 5)).canvas.lines)
/// ```
public struct ChoiceList<Row: Widget>: Widget {
  /// What is chosen.
  public var state: ChoiceListState
  /// The background of the rows.
  public var background: Color
  private let list: List<ChoiceRow<Row>>

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - state: The selection, the scroll position and what is chosen.
  ///   - isFocused: Whether keys go to the list.
  ///   - emptyText: What a list without rows shows.
  ///   - background: The background of the rows.
  ///   - id: Returns the number of what the row of an index offers.
  ///   - row: Makes the row of an index.
  public init(
    count: Int, state: ChoiceListState, isFocused: Bool = true, emptyText: String = "",
    background: Color = .background, id: @escaping (Int) -> Int64, row: @escaping (Int) -> Row
  ) {
    self.state = state
    self.background = background
    list = List(
      count: count, state: state.list, isFocused: isFocused, emptyText: emptyText,
      background: background
    ) { ChoiceRow(isChosen: state.isChosen(id($0)), content: row($0)) }
  }

  /// Draws the visible rows and the number of choices.
  ///
  /// - Complexity: O(cells + visible rows · number of choices) and what the visible rows take.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    list.draw(in: parts.rows, on: &canvas)
    let style = Style(foreground: .faint, background: background)
    canvas.fill(parts.note, style: style)
    let text = state.chosen.isEmpty ? "none chosen" : "\(state.chosen.count) chosen"
    canvas.drawLine(text, style: style, in: parts.note.dropLeft(RowMark.columns))
  }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the list is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    list.index(at: position, in: parts(in: rect).rows)
  }

  /// Returns the number of rows that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 { Int64(parts(in: rect).rows.rows) }

  private func parts(in rect: Rect) -> (rows: Rect, note: Rect) {
    var rest = rect
    let note = rest.removeBottom(rect.rows > 3 ? 1 : 0)
    return (rest, note)
  }
}
