extension Canvas {
  /// The most bytes of one character that a cell keeps, such as a letter with very many marks.
  static var clusterBytesMax: Int { 60 }

  /// Draws a text in one row, from left to right.
  ///
  /// Line feeds and tabs are drawn as their escapes, like other control characters.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - row: The row.
  ///   - column: The column of the first cell, which may be outside of the rectangle.
  ///   - style: The style of the text.
  ///   - clip: The rectangle outside of which nothing is drawn.
  /// - Returns: The column after the text, or a column after the rectangle if it was cut.
  /// - Complexity: O(bytes of the text that are before the end of the rectangle).
  @discardableResult public mutating func draw(
    _ text: String, row: Int, column: Int, style: Style = .plain, in clip: Rect
  ) -> Int {
    let clip = clip.intersection(bounds)
    guard !clip.isEmpty, clip.row..<clip.endRow ~= row, column < clip.endColumn, !text.isEmpty
    else {
      return column
    }
    var pen = Pen(
      column: column, left: clip.column, right: clip.endColumn, base: row * size.columns,
      rowEnd: size.columns, style: style)
    pen.draw(text[...], on: &cells, keeping: &clusters)
    return pen.column
  }

  /// Draws runs of text in one row, from left to right.
  ///
  /// - Parameters:
  ///   - line: The runs.
  ///   - row: The row.
  ///   - column: The column of the first cell, which may be outside of the rectangle.
  ///   - clip: The rectangle outside of which nothing is drawn.
  /// - Returns: The column after the text, or a column after the rectangle if it was cut.
  /// - Complexity: O(bytes of the text that are before the end of the rectangle).
  @discardableResult public mutating func draw(
    _ line: Screen.Line, row: Int, column: Int, in clip: Rect
  ) -> Int {
    var column = column
    for run in line.runs {
      column = draw(run.text, row: row, column: column, style: run.style, in: clip)
    }
    return column
  }
}

/// Writes the cells of a text into a row.
private struct Pen {
  /// The column of the next cell.
  var column: Int
  /// The columns that may be drawn.
  let left: Int
  let right: Int
  /// The index of the row's first cell.
  let base: Int
  /// The columns of the row.
  let rowEnd: Int
  let style: Style
  /// Whether a cell was drawn.
  var hasDrawn = false

  mutating func draw(
    _ text: Substring, on array: inout [Cell], keeping clusters: inout [UInt8]
  ) {
    let bytes = text.utf8.span
    var cells = array.mutableSpan
    var offset = 0
    while offset < bytes.count, column < right {
      offset = drawASCII(bytes, from: offset, on: &cells)
      guard offset < bytes.count, column < right else { break }
      let cluster = Cluster(at: offset, in: bytes, of: text)
      switch cluster.kind {
      case .single:
        put(
          Cell(
            cluster.scalar, cells: cluster.cells, isDisputed: cluster.isDisputed, style: style),
          on: &cells)
      case .several:
        let isSeen = column + cluster.cells > left && cluster.cells > 0
        let place = isSeen ? Pen.keep(bytes, offset..<cluster.end, in: &clusters) : 0
        put(
          Cell(
            clusterAt: place, cells: cluster.cells, isDisputed: cluster.isDisputed, style: style),
          on: &cells)
      case .escape: drawEscape(of: cluster.scalar, on: &cells)
      }
      offset = cluster.end
    }
    // What followed the text may have lost its first cell.
    let end = min(column, right)
    if hasDrawn, end < rowEnd, cells[base + end].isContinued {
      cells[base + end] = Cell(blank: cells[base + end].style)
    }
  }

  /// Draws visible ASCII up to another byte; returns the offset of that byte.
  private mutating func drawASCII(
    _ bytes: Span<UInt8>, from start: Int, on cells: inout MutableSpan<Cell>
  ) -> Int {
    var offset = start
    while offset < bytes.count, column < right {
      let byte = bytes[offset]
      guard byte &- 0x20 < 0x5F, Cluster.isBreak(at: offset + 1, in: bytes) else { break }
      if column >= left {
        if !hasDrawn { begin(on: &cells) }
        cells[base + column] = Cell(UInt32(byte), cells: 1, style: style)
      }
      column += 1
      offset += 1
    }
    return offset
  }

  private mutating func drawEscape(of scalar: UInt32, on cells: inout MutableSpan<Cell>) {
    func put(_ byte: UInt8, _ pen: inout Pen) {
      pen.put(Cell(UInt32(byte), cells: 1, style: pen.style), on: &cells)
    }
    for byte: UInt8 in [0x5C, 0x75, 0x7B] { put(byte, &self) }
    for place in stride(from: Cluster.escapeCells(of: scalar) - 5, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: scalar >> UInt32(place * 4) & 15)
      put(digit < 10 ? 0x30 + digit : 0x41 + digit - 10, &self)
    }
    put(0x7D, &self)
  }

  /// Puts a character of one cell or two; one that is cut leaves a blank.
  private mutating func put(_ cell: Cell, on cells: inout MutableSpan<Cell>) {
    let count = cell.cells
    defer { column += count }
    guard count > 0, column + count > left, column < right else { return }
    if !hasDrawn { begin(on: &cells) }
    if count == 1 {
      cells[base + column] = cell
    } else if column >= left, column + 1 < right {
      cells[base + column] = cell
      cells[base + column + 1] = Cell(continuing: style)
    } else {
      cells[base + max(column, left)] = Cell(blank: style)
    }
  }

  /// Leaves a blank of a character whose second cell is drawn over.
  private mutating func begin(on cells: inout MutableSpan<Cell>) {
    hasDrawn = true
    let first = base + max(column, left)
    if cells[first].isContinued {
      cells[first - 1] = Cell(blank: cells[first - 1].style)
    }
  }

  /// Keeps the scalars of a character, and returns their offset.
  private static func keep(
    _ bytes: Span<UInt8>, _ range: Range<Int>, in clusters: inout [UInt8]
  ) -> Int {
    var end = range.upperBound
    if range.count > Canvas.clusterBytesMax {
      end = range.lowerBound + Canvas.clusterBytesMax
      // Back to the start of a scalar.
      while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let offset = clusters.count
    clusters.append(UInt8(end - range.lowerBound))
    for index in range.lowerBound..<end { clusters.append(bytes[index]) }
    return offset
  }
}
