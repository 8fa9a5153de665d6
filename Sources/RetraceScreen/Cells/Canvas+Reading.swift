extension Canvas {
  /// Returns the character that a cell of this canvas shows; none for a cell that continues
  /// another.
  public func text(of cell: Cell) -> String {
    var text = ""
    append(cell, to: &text)
    return text
  }

  /// Returns the characters of a row, without the blanks at its end.
  ///
  /// - Complexity: O(columns).
  public func text(ofRow row: Int) -> String {
    guard 0..<size.rows ~= row else { return "" }
    var text = ""
    for column in 0..<textEnd(ofRow: row) {
      append(cells[row * size.columns + column], to: &text)
    }
    return text
  }

  /// The characters of all rows, without the blanks at their ends and without empty rows at the
  /// end.
  ///
  /// - Complexity: O(cells).
  public var lines: [String] {
    var lines = (0..<size.rows).map { text(ofRow: $0) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Returns the column after the last character of a row that is not a blank.
  private func textEnd(ofRow row: Int) -> Int {
    var end = size.columns
    while end > 0, cells[row * size.columns + end - 1].isBlank { end -= 1 }
    return end
  }

  private func append(_ cell: Cell, to text: inout String) {
    if let offset = cell.clusterOffset {
      let end = offset + 1 + Int(clusters[offset])
      text += String(decoding: clusters[offset + 1..<end], as: UTF8.self)
    } else if !cell.isContinued, let scalar = Unicode.Scalar(cell.scalar) {
      text.unicodeScalars.append(scalar)
    }
  }

  /// Returns the column after the last cell of a row that is not a plain blank.
  ///
  /// - Complexity: O(columns).
  package func plainEnd(ofRow row: Int) -> Int {
    let start = row * size.columns
    var end = size.columns
    while end > 0, cells[start + end - 1].isPlainBlank { end -= 1 }
    return end
  }

  /// Returns the end of the cells that have the style of the first one, and agreed widths.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The column of the first cell.
  ///   - limit: The column to end at, or after it at the end of a character.
  /// - Complexity: O(columns of the result).
  package func runEnd(inRow row: Int, from column: Int, limit: Int) -> Int {
    let start = row * size.columns
    let style = cells[start + column].style
    var end = column + 1
    while end < size.columns {
      let cell = cells[start + end]
      let isMore = end < limit && !cell.isDisputed && cell.style == style
      guard cell.isContinued || isMore else { break }
      end += 1
    }
    return end
  }

  /// Appends the UTF-8 of the characters in a range of columns.
  ///
  /// - Complexity: O(columns).
  package func append(row: Int, columns: Range<Int>, to bytes: inout [UInt8]) {
    for column in columns { append(cells[row * size.columns + column], to: &bytes) }
  }

  /// Appends the UTF-8 of the character that a cell of this canvas shows.
  package func append(_ cell: Cell, to bytes: inout [UInt8]) {
    if let offset = cell.clusterOffset {
      bytes += clusters[offset + 1...offset + Int(clusters[offset])]
    } else if !cell.isContinued {
      if cell.scalar < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: cell.scalar))
      } else if let scalar = Unicode.Scalar(cell.scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }

  /// Returns the most cells that a terminal may give the character of a cell of this canvas: those
  /// of its scalars, if it does not join them.
  package func cellsMax(of cell: Cell) -> Int {
    let counts = text(of: cell).unicodeScalars.map { Canvas.cellsMax(of: $0) }
    return max(counts.reduce(0, +), cell.cells)
  }

  /// Returns the most cells that a terminal may give a scalar.
  package static func cellsMax(of scalar: Unicode.Scalar) -> Int {
    let entry = WidthTable.entry(of: scalar.value)
    return entry.cells == 2 || entry.widens ? 2 : 1
  }
}
