/// Where the rows of a list are in a rectangle.
struct ListRows {
  /// The rows, without the scrollbar.
  let rect: Rect
  /// The scrollbar; without columns if all rows are visible.
  let scrollbar: Rect
  let rowHeight: Int
  /// The index of the selected row; `nil` for none.
  let selected: Int?
  private let window: ScrollWindow

  init(
    count: Int, state: ListState, rowHeight: Int = 1, hasSelection: Bool = true, in rect: Rect
  ) {
    let fit = ListRows.count(in: rect, rowHeight: rowHeight)
    window = state.window(count: Int64(count), rows: fit)
    selected = hasSelection ? Int(index: state.selected, of: count) : nil
    self.rowHeight = rowHeight
    var rest = rect
    scrollbar = rest.removeRight(window.thumb != nil && rect.columns > 5 ? 1 : 0)
    self.rect = rest
  }

  /// Returns the number of rows that fit: a part of a row is shown only if no row fits.
  static func count(in rect: Rect, rowHeight: Int) -> Int64 {
    Int64(max(rect.rows / rowHeight, min(rect.rows, 1)))
  }

  /// The indices of the visible rows.
  var range: Range<Int> { Int(window.range.lowerBound)..<Int(window.range.upperBound) }

  func rect(of index: Int) -> Rect {
    Rect(
      column: rect.column, row: rect.row + (index - range.lowerBound) * rowHeight,
      columns: rect.columns, rows: min(rowHeight, rect.rows))
  }

  func index(at position: Screen.Cursor) -> Int? {
    guard rect.contains(position), window.rows > 0 else { return nil }
    let index = range.lowerBound + (position.row - rect.row) / rowHeight
    return range.contains(index) ? index : nil
  }

  func drawScrollbar(background: Color, on canvas: inout Canvas) {
    guard let thumb = window.thumb, !scrollbar.isEmpty else { return }
    let style = Style(foreground: .border, background: background)
    canvas.fill(scrollbar, with: "│", style: style)
    var rest = scrollbar
    rest.rows = Int(window.rows) * rowHeight
    rest = rest.intersection(scrollbar)
    _ = rest.removeTop(thumb.lowerBound * rowHeight)
    canvas.fill(rest.removeTop(thumb.count * rowHeight), with: "┃", style: style)
  }
}

/// The sign in front of a selected row, which shows without colors.
enum RowMark {
  /// The cells of the sign and the blank after it.
  static var columns: Int { 2 }
}

extension Canvas {
  /// Draws the sign of a selected row, and its background.
  ///
  /// - Parameters:
  ///   - rect: The row.
  ///   - isSelected: Whether the row is selected.
  ///   - isFocused: Whether keys go to the list.
  ///   - background: The background of the list.
  mutating func markRow(_ rect: Rect, isSelected: Bool, isFocused: Bool, background: Color) {
    let isShown = isSelected && isFocused
    if isSelected {
      let style = Style(foreground: isFocused ? .accent : .faint, attributes: .bold)
      draw("›", row: rect.row, column: rect.column, style: style, in: rect)
    }
    if isShown || background != .background {
      setBackground(
        isShown ? .selection : background, over: background, in: rect,
        adding: isShown ? .bold : [])
    }
  }

  /// Gives cells of the ordinary background, or of that of the list, another one; a mark of a color
  /// of its own keeps it.
  private mutating func setBackground(
    _ color: Color, over list: Color, in rect: Rect, adding attributes: Style.Attributes
  ) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    for row in rect.row..<rect.endRow {
      let start = row * size.columns
      for index in start + rect.column..<start + rect.endColumn {
        var style = cells[index].style
        if style.background == .background || style.background == list { style.background = color }
        style.attributes.formUnion(attributes)
        cells[index] = Cell(content: cells[index].content, style: style)
      }
    }
  }
}
