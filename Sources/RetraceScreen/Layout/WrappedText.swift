/// A text broken into rows of cells: after blanks, at line feeds, and in words that are too wide.
///
/// Blanks at the end of a row do not begin a new one. Places in the text are offsets in its UTF-8.
///
/// ```swift
/// let wrapped = WrappedText("write the report", columns: 9)
/// print(wrapped.rows.count, wrapped.row(of: 10))
/// ```
public struct WrappedText: Sendable {
  /// A row of the text.
  public struct Row: Hashable, Sendable {
    /// The offset of the first byte.
    public var start: Int
    /// The offset after the last byte, before a line feed.
    public var end: Int
  }

  /// The text.
  public let text: String
  /// The number of cells of a row.
  public let columns: Int
  /// The rows, at least one.
  public private(set) var rows: [Row] = []
  /// The number of cells that each row but the first leaves free at its start.
  let indent: Int
  /// Whether the text is one paragraph, whose words stay whole.
  private let isParagraph: Bool

  /// Breaks a text into rows.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - columns: The number of cells of a row; below 1 counts as 1.
  /// - Complexity: O(bytes of the text).
  public init(_ text: String, columns: Int) {
    self.init(text, columns: columns, indent: 0, isParagraph: false)
  }

  /// Breaks a text into rows.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - columns: The number of cells of a row.
  ///   - indent: The number of cells that each row but the first leaves free at its start.
  ///   - isParagraph: Whether rows break only between words; a line feed is a part of a word, and
  ///     blanks at the start belong to the first word.
  init(_ text: String, columns: Int, indent: Int, isParagraph: Bool) {
    self.text = text
    self.columns = max(columns, 1)
    self.indent = indent
    self.isParagraph = isParagraph
    breakRows()
  }

  private mutating func breakRows() {
    let (bytes, all) = (text.utf8.span, text[...])
    var (start, offset, width) = (0, 0, 0)
    // The place after the last blank of the row, and the cells before it.
    var place = (offset: 0, width: 0)
    // Whether the row has a word.
    var hasWord = !isParagraph
    while offset < bytes.count {
      if bytes[offset] == 0x0A, !isParagraph {
        rows.append(Row(start: start, end: offset))
        offset += 1
        (start, width, place) = (offset, 0, (offset, 0))
        continue
      }
      let cluster = Cluster(at: offset, in: bytes, of: all)
      let isBlank = bytes[offset] == 0x20
      let room = rows.isEmpty ? columns : columns - indent
      let canBreak = isParagraph ? place.offset > start : offset > start
      if !isBlank, width + cluster.cells > room, canBreak {
        let end = place.offset > start ? place : (offset, width)
        rows.append(Row(start: start, end: end.0))
        (start, width) = (end.0, width - end.1)
        place = (start, 0)
        // The word may be wider than a row.
        continue
      }
      width += cluster.cells
      offset = cluster.end
      hasWord = hasWord || !isBlank
      if isBlank, hasWord { place = (offset, width) }
    }
    rows.append(Row(start: start, end: offset))
  }

  /// Returns the text of a row.
  public subscript(row: Int) -> Substring {
    let row = rows[row]
    let start = text.utf8.index(text.startIndex, offsetBy: row.start)
    return text[start..<text.utf8.index(start, offsetBy: row.end - row.start)]
  }

  /// Returns the row that has an offset; the later one, if it is between two.
  ///
  /// - Complexity: O(log rows).
  public func row(of offset: Int) -> Int {
    var (low, high) = (0, rows.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if rows[middle].start <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the column of an offset in its row, at most ``columns``.
  ///
  /// - Complexity: O(log rows + bytes of the row).
  public func column(of offset: Int) -> Int {
    let index = row(of: offset)
    let (row, part) = (rows[index], self[index])
    let count = min(max(offset, row.start), row.end) - row.start
    let end = part.utf8.index(part.startIndex, offsetBy: count)
    return min(TextWidth.of(part[..<end]), columns)
  }

  /// Returns the offset of the character at a place, or of the end of its row.
  ///
  /// - Complexity: O(bytes of the row).
  public func offset(row: Int, column: Int) -> Int {
    let index = min(max(row, 0), rows.count - 1)
    let (row, part) = (rows[index], self[index])
    let prefix = TextWidth.prefix(of: part, fitting: max(column, 0))
    let isBroken = index + 1 < rows.count && rows[index + 1].start == row.end
    // The end of a row that goes on is the start of the next one.
    guard isBroken, prefix.utf8.count == part.utf8.count, let last = part.last else {
      return row.start + prefix.utf8.count
    }
    return row.end - last.utf8.count
  }
}

extension Canvas {
  /// Draws rows of a wrapped text.
  ///
  /// - Parameters:
  ///   - wrapped: The text.
  ///   - first: The index of the first row to draw.
  ///   - style: The style.
  ///   - showsCut: Whether the last row ends in `…` if there are others after it.
  ///   - rect: The rectangle, whose rows are drawn as far as the text has some.
  /// - Complexity: O(bytes of the rows that are drawn).
  mutating func draw(
    _ wrapped: WrappedText, from first: Int = 0, style: Style, showsCut: Bool = false,
    in rect: Rect
  ) {
    let end = min(first + rect.rows, wrapped.rows.count)
    guard first < end, rect.columns > 0 else { return }
    for index in first..<end {
      let row = rect.row + index - first
      let column = draw(
        String(wrapped[index]), row: row, column: rect.column, style: style, in: rect)
      guard showsCut, index + 1 == end, end < wrapped.rows.count else { continue }
      draw("…", row: row, column: min(column, rect.endColumn - 1), style: style, in: rect)
    }
  }
}
