/// Rows below one another, of which one is selected.
///
/// Only the visible rows are made, so a list of any length costs what it shows. A list that does
/// not fit has a scrollbar at the right. The selected row has the sign `›`.
///
/// ```swift
/// let names = ["Design", "Review", "Write"]
/// let list = List(count: names.count, state: ListState(selected: 1)) { Screen.Line(names[$0]) }
/// print(Screen(list, size: Screen.Size(columns: 20, rows: 5)).canvas.lines)
/// ```
public struct List<Row: Widget>: Widget {
  /// The number of rows.
  public var count: Int
  /// The selection and the scroll position.
  public var state: ListState
  /// Whether a row is selected; else the state only scrolls.
  public var hasSelection: Bool
  /// The height of a row in cells, at least 1.
  public var rowHeight: Int
  /// Whether keys go to the list.
  public var isFocused: Bool
  /// What a list without rows shows.
  public var emptyText: String
  /// The background of the rows.
  public var background: Color
  private let row: (Int) -> Row

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - state: The selection and the scroll position.
  ///   - hasSelection: Whether a row is selected; else the state only scrolls.
  ///   - rowHeight: The height of a row in cells.
  ///   - isFocused: Whether keys go to the list.
  ///   - emptyText: What a list without rows shows.
  ///   - background: The background of the rows.
  ///   - row: Makes the row of an index.
  public init(
    count: Int, state: ListState, hasSelection: Bool = true, rowHeight: Int = 1,
    isFocused: Bool = true, emptyText: String = "", background: Color = .background,
    row: @escaping (Int) -> Row
  ) {
    self.count = max(count, 0)
    self.state = state
    self.hasSelection = hasSelection
    self.rowHeight = max(rowHeight, 1)
    self.isFocused = isFocused
    self.emptyText = emptyText
    self.background = background
    self.row = row
  }

  /// Draws the visible rows.
  ///
  /// - Complexity: O(cells) and what the visible rows take.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    canvas.fill(rect, style: Style(background: background))
    guard count > 0 else {
      let style = Style(foreground: .faint, background: background)
      canvas.drawLine(emptyText, style: style, in: rect.dropLeft(RowMark.columns))
      return
    }
    let rows = ListRows(
      count: count, state: state, rowHeight: rowHeight, hasSelection: hasSelection, in: rect)
    rows.drawScrollbar(background: background, on: &canvas)
    for index in rows.range {
      let place = rows.rect(of: index)
      row(index).draw(in: place.dropLeft(RowMark.columns), on: &canvas)
      canvas.markRow(
        place, isSelected: index == rows.selected, isFocused: isFocused, background: background)
    }
  }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the list is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    ListRows(count: count, state: state, rowHeight: rowHeight, in: rect).index(at: position)
  }

  /// Returns the number of rows that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 {
    ListRows.count(in: rect, rowHeight: rowHeight)
  }
}
