/// A field for a text of several lines, which breaks after blanks and scrolls.
///
/// The text is a ``TextDraft``. The arrow keys between its rows depend on the width, so the edge of
/// the app records where they lead; see ``replacement(for:in:)``.
///
/// ```swift
/// let area = TextArea(TextDraft("one two three", cursor: 0), hasFocus: true)
/// let down = area.replacement(for: .down, in: Rect(columns: 8, rows: 3))
/// print(down.cursor)
/// ```
public struct TextArea: Widget, Hashable, Sendable {
  /// A move of the cursor between the rows that are shown.
  public enum Move: UInt8, Hashable, Sendable, CaseIterable {
    /// To the row above.
    case up
    /// To the row below.
    case down
    /// As many rows up as are shown.
    case pageUp
    /// As many rows down as are shown.
    case pageDown
    /// To the start of the row.
    case rowStart
    /// To the end of the row.
    case rowEnd
  }

  /// The text and the cursor.
  public var draft: TextDraft
  /// The first row.
  public var state: TextAreaState
  /// What is shown in place of an empty text.
  public var placeholder: String
  /// Whether the field shows its cursor, and scrolls to it.
  public var hasFocus: Bool

  /// Creates a field.
  public init(
    _ draft: TextDraft, state: TextAreaState = TextAreaState(), placeholder: String = "",
    hasFocus: Bool = false
  ) {
    self.draft = draft
    self.state = state
    self.placeholder = placeholder
    self.hasFocus = hasFocus
  }

  /// Draws the rows that fit, and arrows in the last column if there are others.
  ///
  /// - Complexity: O(bytes of the text).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    let style = Style(background: .surface)
    canvas.fill(rect, style: style)
    if draft.text.isEmpty {
      canvas.drawLine(placeholder, style: Style(foreground: .faint, background: .surface), in: rect)
      return
    }
    let wrapped = wrapped(in: rect)
    let first = firstRow(of: wrapped, rows: rect.rows)
    let text = Rect(
      column: rect.column, row: rect.row, columns: min(wrapped.columns, rect.columns),
      rows: rect.rows)
    canvas.draw(wrapped, from: first, style: style, in: text)
    let sign = Style(foreground: .accent, background: .surface)
    let column = rect.endColumn - 1
    if first + rect.rows < wrapped.rows.count {
      canvas.draw("↓", row: rect.endRow - 1, column: column, style: sign, in: rect)
    }
    if first > 0 { canvas.draw("↑", row: rect.row, column: column, style: sign, in: rect) }
  }

  /// Returns the place of the cursor, if the field has the focus.
  public func cursor(in rect: Rect) -> Screen.Cursor? {
    guard hasFocus, !rect.isEmpty else { return nil }
    let wrapped = wrapped(in: rect)
    let row = wrapped.row(of: cursor) - firstRow(of: wrapped, rows: rect.rows)
    let column = min(wrapped.column(of: cursor), rect.columns - 1)
    return Screen.Cursor(row: rect.row + row, column: rect.column + column, shape: .bar)
  }

  /// Returns the offset in the text, in bytes of UTF-8, of the character at a place.
  ///
  /// Beside the text, it is the nearest one. The result is `nil` outside of the rectangle.
  public func offset(at position: Screen.Cursor, in rect: Rect) -> Int64? {
    guard rect.contains(position) else { return nil }
    let wrapped = wrapped(in: rect)
    let row = position.row - rect.row + firstRow(of: wrapped, rows: rect.rows)
    return Int64(wrapped.offset(row: row, column: position.column - rect.column))
  }

  /// Returns what a move of the cursor means for the text, as an action records it.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - rect: The rectangle of the field.
  /// - Complexity: O(bytes of the text).
  public func replacement(for move: Move, in rect: Rect) -> TextReplacement {
    let wrapped = wrapped(in: rect)
    let (row, column) = (wrapped.row(of: cursor), wrapped.column(of: cursor))
    let page = max(rect.rows - 1, 1)
    let offset: Int
    switch move {
    case .up: offset = row == 0 ? 0 : wrapped.offset(row: row - 1, column: column)
    case .down: offset = below(row + 1, column, in: wrapped)
    case .pageUp: offset = row == 0 ? 0 : wrapped.offset(row: row - page, column: column)
    case .pageDown: offset = below(row + page, column, in: wrapped)
    case .rowStart: offset = wrapped.rows[row].start
    case .rowEnd: offset = wrapped.offset(row: row, column: wrapped.columns)
    }
    let place = draft.cursor
    return TextReplacement(start: place, end: place, text: "", cursor: Int64(offset))
  }

  /// Returns how many rows the text has, for ``TextAreaState/scroll(by:lines:rows:)``.
  public func lineCount(in rect: Rect) -> Int64 { Int64(wrapped(in: rect).rows.count) }

  private func below(_ row: Int, _ column: Int, in wrapped: WrappedText) -> Int {
    let last = wrapped.rows.count - 1
    let isLast = wrapped.row(of: cursor) == last
    return isLast ? draft.text.utf8.count : wrapped.offset(row: min(row, last), column: column)
  }

  private var cursor: Int { min(Int(clamping: draft.cursor), draft.text.utf8.count) }

  /// Breaks the text; the last column is for arrows, and for a cursor after a full row.
  private func wrapped(in rect: Rect) -> WrappedText {
    WrappedText(draft.text, columns: rect.columns - 1)
  }

  private func firstRow(of wrapped: WrappedText, rows: Int) -> Int {
    var window = ScrollWindow(
      count: Int64(wrapped.rows.count), rows: Int64(rows), offset: state.offset)
    if hasFocus { window.show(Int64(wrapped.row(of: cursor))) }
    return Int(window.offset)
  }
}
