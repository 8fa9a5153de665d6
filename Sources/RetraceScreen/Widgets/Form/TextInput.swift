/// A field for a line of text, such as a description, a number, a date or a time.
///
/// What the text means, such as the date of `fri`, is a text beside it, which the feature finds
/// while it makes the frame. A text that is too long is shown around its cursor.
///
/// ```swift
/// let input = TextInput(TextDraft("9:30"), reading: "09:30 today", hasFocus: true)
/// print(input.offset(at: Screen.Cursor(row: 0, column: 2), in: Rect(columns: 20, rows: 1)) ?? 0)
/// ```
public struct TextInput: Widget, Hashable, Sendable {
  /// The text and the cursor.
  public var draft: TextDraft
  /// What is shown in place of an empty text.
  public var placeholder: String
  /// What the text means; empty for nothing.
  public var reading: String
  /// The sign before the reading, such as an arrow before what will take the place of the text.
  public var readingSign: String
  /// Whether the reading is next to the text, as the rest of a name; else readings of several
  /// fields have one column.
  public var isReadingJoined: Bool
  /// Whether the field shows its cursor.
  public var hasFocus: Bool

  /// Creates a field.
  public init(
    _ draft: TextDraft, placeholder: String = "", reading: String = "",
    readingSign: String = "=", isReadingJoined: Bool = false, hasFocus: Bool = false
  ) {
    self.draft = draft
    self.placeholder = placeholder
    self.reading = reading
    self.readingSign = readingSign
    self.isReadingJoined = isReadingJoined
    self.hasFocus = hasFocus
  }

  /// Draws the text, and the reading if there is room for both.
  ///
  /// - Complexity: O(bytes of the text).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let (field, note) = parts(in: rect)
    guard !field.isEmpty else { return }
    var style = Style(background: .surface, attributes: hasFocus ? .underline : [])
    canvas.fill(field, style: style)
    if draft.text.isEmpty {
      style.foreground = .faint
      canvas.drawLine(placeholder, style: style, in: field)
    } else {
      let first = firstCell(in: field.columns)
      canvas.draw(
        draft.text, row: field.row, column: field.column - first, style: style, in: field)
      if first > 0 {
        canvas.draw("…", row: field.row, column: field.column, style: style, in: field)
      }
      if TextWidth.of(draft.text) - first > field.columns {
        let last = field.endColumn - 1
        canvas.draw("…", row: field.row, column: last, style: style, in: field)
      }
    }
    if !note.isEmpty { canvas.drawLine(signedReading, style: .faint, in: note) }
  }

  /// The reading with its sign; empty for none.
  var signedReading: String { reading.isEmpty ? "" : "\(readingSign) \(reading)" }

  /// Returns the place of the cursor in the text, if the field has the focus.
  public func cursor(in rect: Rect) -> Screen.Cursor? {
    let field = parts(in: rect).field
    guard hasFocus, !field.isEmpty else { return nil }
    let column = cursorCell - firstCell(in: field.columns)
    return Screen.Cursor(
      row: field.row, column: field.column + min(column, field.columns - 1), shape: .bar)
  }

  /// Returns the offset in the text, in bytes of UTF-8, of the character at a place.
  ///
  /// The result is `nil` for a place outside of the text's cells.
  public func offset(at position: Screen.Cursor, in rect: Rect) -> Int64? {
    let field = parts(in: rect).field
    guard field.contains(position) else { return nil }
    let cells = position.column - field.column + firstCell(in: field.columns)
    return Int64(TextWidth.prefix(of: draft.text, fitting: cells).utf8.count)
  }

  /// The cells of a field that has a reading, unless its text is longer: readings are of short
  /// texts.
  private static var columnsWithReading: Int { 24 }

  /// Divides the first row into the cells of the text and of its reading.
  private func parts(in rect: Rect) -> (field: Rect, note: Rect) {
    var rest = rect
    var row = rest.removeTop(1)
    let cells = TextWidth.of(signedReading) + 1
    let most = row.columns - min(max(10, row.columns / 3), row.columns)
    guard !reading.isEmpty, most >= min(cells, 8) else { return (row, Rect(columns: 0, rows: 0)) }
    let least = isReadingJoined ? 0 : TextInput.columnsWithReading
    let wanted = max(least, TextWidth.of(draft.text) + 1)
    let field = row.removeLeft(min(row.columns - min(cells, most), wanted))
    return (field, row.dropLeft(1))
  }

  /// The cells before the cursor.
  private var cursorCell: Int {
    let end = draft.text.utf8.index(
      draft.text.startIndex, offsetBy: min(Int(clamping: draft.cursor), draft.text.utf8.count))
    return TextWidth.of(draft.text[..<end])
  }

  /// Returns the cells of the text that are left of the field: none, if all of it fits.
  ///
  /// It changes by half of the field, so that the text stands still while the cursor moves.
  private func firstCell(in columns: Int) -> Int {
    let cell = cursorCell
    guard columns > 1 else { return cell }
    guard hasFocus, cell > columns - 2, TextWidth.of(draft.text) >= columns else { return 0 }
    let step = max(1, columns / 2)
    return (cell - (columns - 2) + step - 1) / step * step
  }
}
