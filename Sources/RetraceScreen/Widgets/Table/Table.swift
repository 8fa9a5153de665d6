/// Rows of cells in columns, with headings and totals.
///
/// Only the visible rows are made. Where there is too little room, columns become narrower by their
/// rules; a heading row that ends in `…` has columns that are not shown.
///
/// ```swift
/// let columns = [
///   TableColumn("Project", ColumnRule(width: 20, cutTo: 6, priority: 1, grows: true)),
///   TableColumn("Time", ColumnRule(width: 6, priority: 2), aligned: .right),
/// ]
/// let cells = [["Design", "1:30"], ["Review", "12:05"]]
/// let table = Table(columns: columns, count: cells.count, state: ListState()) { row, column, _ in
///   Screen.Run(cells[row][column])
/// }
/// print(Screen(table, size: Screen.Size(columns: 40, rows: 5)).canvas.lines)
/// ```
public struct Table: Widget {
  /// The columns from left to right.
  public var columns: [TableColumn]
  /// The number of rows.
  public var count: Int
  /// The selection and the scroll position.
  public var state: ListState
  /// Whether a row is selected; else the state only scrolls.
  public var hasSelection: Bool
  /// Whether keys go to the table.
  public var isFocused: Bool
  /// Whether the columns have headings.
  public var hasHeadings: Bool
  /// The cells of the last row, such as totals, by columns; none for no such row.
  public var footer: [Screen.Run]
  /// What a table without rows shows.
  public var emptyText: String
  private let cell: (_ row: Int, _ column: Int, _ width: Int) -> Screen.Run

  /// The cells between two columns.
  private static var gap: Int { 2 }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - columns: The columns from left to right.
  ///   - count: The number of rows.
  ///   - state: The selection and the scroll position.
  ///   - hasSelection: Whether a row is selected; else the state only scrolls.
  ///   - isFocused: Whether keys go to the table.
  ///   - hasHeadings: Whether the columns have headings.
  ///   - footer: The cells of the last row, by columns; none for no such row.
  ///   - emptyText: What a table without rows shows.
  ///   - cell: Makes the text of a row and a column, written in at most so many cells.
  public init(
    columns: [TableColumn], count: Int, state: ListState, hasSelection: Bool = true,
    isFocused: Bool = true, hasHeadings: Bool = true, footer: [Screen.Run] = [],
    emptyText: String = "",
    cell: @escaping (_ row: Int, _ column: Int, _ width: Int) -> Screen.Run
  ) {
    self.columns = columns
    self.count = max(count, 0)
    self.state = state
    self.hasSelection = hasSelection
    self.isFocused = isFocused
    self.hasHeadings = hasHeadings
    self.footer = footer
    self.emptyText = emptyText
    self.cell = cell
  }

  /// Draws the headings, the visible rows and the totals.
  ///
  /// - Complexity: O(cells + columns²) and what the visible cells take.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    let rows = ListRows(
      count: count, state: state, hasSelection: hasSelection, in: parts.rows)
    let fields = fields(of: rows)
    drawHeadings(fields, on: parts, hasAll: !fields.contains { $0.isEmpty }, canvas: &canvas)
    if count == 0 {
      canvas.drawLine(emptyText, style: .faint, in: parts.rows.dropLeft(RowMark.columns))
    }
    for index in rows.range {
      let row = rows.rect(of: index)
      for (column, field) in fields.enumerated() where !field.isEmpty {
        draw(cell(index, column, field.columns), column: column, in: field, row: row.row, &canvas)
      }
      canvas.markRow(
        row, isSelected: index == rows.selected, isFocused: isFocused, background: .background)
    }
    rows.drawScrollbar(background: .background, on: &canvas)
    drawFooter(fields, on: parts, canvas: &canvas)
  }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the table is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let parts = parts(in: rect)
    return ListRows(count: count, state: state, in: parts.rows).index(at: position)
  }

  /// Returns the index of the column whose heading is at a place of the screen, such as for
  /// sorting.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the table is drawn into.
  public func column(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let parts = parts(in: rect)
    guard parts.headings.contains(position) else { return nil }
    return fields(of: ListRows(count: count, state: state, in: parts.rows)).firstIndex {
      !$0.isEmpty && $0.column..<$0.endColumn + Table.gap ~= position.column
    }
  }

  /// Returns the number of rows that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 {
    Int64(parts(in: rect).rows.rows)
  }

  private func parts(in rect: Rect) -> TableParts {
    TableParts(in: rect, hasHeadings: hasHeadings, hasFooter: !footer.isEmpty)
  }

  /// Returns the places of the columns; empty ones are not shown.
  private func fields(of rows: ListRows) -> [Rect] {
    var room = rows.rect.dropLeft(RowMark.columns)
    // No key path: Embedded Swift has none.
    let rules = columns.map { $0.rule }
    var widths = ColumnRule.widths(of: rules, gap: Table.gap, in: room.columns)
    if widths.contains(0), rows.scrollbar.isEmpty {
      // The `…` for columns that are left out takes a cell.
      widths = ColumnRule.widths(of: rules, gap: Table.gap, in: room.columns - 1)
    }
    return widths.map { width in
      let field = room.removeLeft(width)
      if width > 0 { _ = room.removeLeft(Table.gap) }
      return field
    }
  }

  private func draw(
    _ run: Screen.Run, column: Int, in field: Rect, row: Int, _ canvas: inout Canvas
  ) {
    canvas.drawLine(
      run.text, style: run.style, aligned: columns[column].alignment,
      in: Rect(column: field.column, row: row, columns: field.columns, rows: 1))
  }

  private func drawHeadings(
    _ fields: [Rect], on parts: TableParts, hasAll: Bool, canvas: inout Canvas
  ) {
    guard !parts.headings.isEmpty else { return }
    for (column, field) in fields.enumerated() where !field.isEmpty {
      let heading = Screen.Run(columns[column].heading, .title)
      draw(heading, column: column, in: field, row: parts.headings.row, &canvas)
    }
    if !hasAll {
      var rest = parts.headings
      canvas.drawLine("…", style: .faint, in: rest.removeRight(1))
    }
    canvas.fill(parts.headingLine, with: "─", style: Style(foreground: .border))
  }

  private func drawFooter(_ fields: [Rect], on parts: TableParts, canvas: inout Canvas) {
    canvas.fill(parts.footerLine, with: "─", style: Style(foreground: .border))
    guard !parts.footer.isEmpty else { return }
    for (column, field) in fields.enumerated() where !field.isEmpty && column < footer.count {
      draw(footer[column], column: column, in: field, row: parts.footer.row, &canvas)
    }
  }
}

/// The parts of a table; those for which there is too little room are empty.
private struct TableParts {
  let headings: Rect
  let headingLine: Rect
  let rows: Rect
  let footerLine: Rect
  let footer: Rect

  /// Divides a rectangle: the rows come first, then the headings, the totals and the lines.
  init(in rect: Rect, hasHeadings: Bool, hasFooter: Bool) {
    var rest = rect
    headings = rest.removeTop(hasHeadings && rect.rows > 1 ? 1 : 0)
    footer = rest.removeBottom(hasFooter && rect.rows > 2 ? 1 : 0)
    let hasLines = rect.rows > 7
    headingLine = rest.removeTop(hasLines && hasHeadings ? 1 : 0)
    footerLine = rest.removeBottom(hasLines && hasFooter ? 1 : 0)
    rows = rest
  }
}
