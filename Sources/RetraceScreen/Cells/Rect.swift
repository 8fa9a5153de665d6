/// A rectangle of cells: where a widget draws.
///
/// A layout cuts pieces off a rectangle. A piece is never larger than what is left.
///
/// ```swift
/// var rest = Rect(columns: 80, rows: 24)
/// let title = rest.removeTop(1)
/// let sidebar = rest.removeLeft(20)
/// print(title, sidebar, rest)
/// ```
public struct Rect: Hashable, Sendable {
  /// The column of the first cell, from 0.
  public var column: Int
  /// The row of the first cell, from 0.
  public var row: Int
  /// The number of columns, at least 0.
  public var columns: Int
  /// The number of rows, at least 0.
  public var rows: Int

  /// Creates a rectangle.
  ///
  /// - Parameters:
  ///   - column: The column of the first cell.
  ///   - row: The row of the first cell.
  ///   - columns: The number of columns; below 0 counts as 0.
  ///   - rows: The number of rows; below 0 counts as 0.
  public init(column: Int = 0, row: Int = 0, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }

  /// Creates the rectangle of all cells of a screen.
  public init(_ size: Screen.Size) { self.init(columns: size.columns, rows: size.rows) }

  /// The column after the last one.
  public var endColumn: Int { column + columns }

  /// The row after the last one.
  public var endRow: Int { row + rows }

  /// Whether the rectangle has no cells.
  public var isEmpty: Bool { columns == 0 || rows == 0 }

  /// Returns the cells that are in both rectangles; an empty rectangle if no cell is.
  public func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(column, other.column), max(row, other.row))
    return Rect(
      column: left, row: top, columns: min(endColumn, other.endColumn) - left,
      rows: min(endRow, other.endRow) - top)
  }

  /// Returns the rectangle without cells on each side, such as the cells of a border.
  ///
  /// - Parameters:
  ///   - columns: The columns to leave out on the left and on the right.
  ///   - rows: The rows to leave out at the top and at the bottom.
  public func inset(columns: Int, rows: Int) -> Rect {
    Rect(
      column: column + min(columns, self.columns / 2), row: row + min(rows, self.rows / 2),
      columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }

  /// Returns a rectangle of a size in the middle of this one; smaller if it does not fit.
  public func centered(_ size: Screen.Size) -> Rect {
    let (columns, rows) = (min(size.columns, self.columns), min(size.rows, self.rows))
    return Rect(
      column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }

  /// Removes rows at the top, and returns them.
  public mutating func removeTop(_ count: Int) -> Rect {
    let piece = Rect(column: column, row: row, columns: columns, rows: min(count, rows))
    row += piece.rows
    rows -= piece.rows
    return piece
  }

  /// Removes rows at the bottom, and returns them.
  public mutating func removeBottom(_ count: Int) -> Rect {
    let taken = max(0, min(count, rows))
    rows -= taken
    return Rect(column: column, row: endRow, columns: columns, rows: taken)
  }

  /// Removes columns on the left, and returns them.
  public mutating func removeLeft(_ count: Int) -> Rect {
    let piece = Rect(column: column, row: row, columns: min(count, columns), rows: rows)
    column += piece.columns
    columns -= piece.columns
    return piece
  }

  /// Removes columns on the right, and returns them.
  public mutating func removeRight(_ count: Int) -> Rect {
    let taken = max(0, min(count, columns))
    columns -= taken
    return Rect(column: endColumn, row: row, columns: taken, rows: rows)
  }
}
