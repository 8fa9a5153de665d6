extension Rect {
  /// Returns whether a place is in the rectangle.
  public func contains(_ position: Screen.Cursor) -> Bool {
    row <= position.row && position.row < endRow && column <= position.column
      && position.column < endColumn
  }

  /// Returns the rectangle without columns at its left.
  func dropLeft(_ count: Int) -> Rect {
    var rest = self
    _ = rest.removeLeft(count)
    return rest
  }

  /// Removes the place of a key's name at the right; an empty one if a label would be cut for it.
  mutating func removeKey(_ key: String, of label: String) -> Rect {
    let cells = TextWidth.of(key)
    guard cells > 0, TextWidth.of(label) + cells + 3 <= columns else {
      return Rect(columns: 0, rows: 0)
    }
    var place = removeRight(cells + 1)
    _ = place.removeRight(1)
    return place
  }

  /// Returns where something lies that belongs to a rectangle, such as a menu: below it, or above
  /// if there is more room; moved to the left as far as it takes to fit into this rectangle.
  ///
  /// - Parameters:
  ///   - size: The size; the result is smaller if it does not fit.
  ///   - anchor: The rectangle that stays visible, such as a field.
  public func popup(_ size: Screen.Size, at anchor: Rect) -> Rect {
    let (above, below) = (anchor.row - row, endRow - anchor.endRow)
    let isBelow = below >= size.rows || below >= above
    let rows = max(0, min(size.rows, isBelow ? below : above, self.rows))
    let columns = max(0, min(size.columns, self.columns))
    let top = isBelow ? anchor.endRow : anchor.row - rows
    return Rect(
      column: max(column, min(anchor.column, endColumn - columns)),
      row: max(row, min(top, endRow - rows)), columns: columns, rows: rows)
  }
}
