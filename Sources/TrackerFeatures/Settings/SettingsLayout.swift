import Retrace

/// The parts of the settings, from top to bottom; of a low screen, the field and the rows are left.
struct SettingsLayout {
  let title: Rect
  let list: Rect
  /// The label of the field.
  var label = Rect(columns: 0, rows: 0)
  /// The field of a typed value.
  var input: Rect
  /// The rectangle of the help, a problem or a question.
  let remarks: Rect

  /// Divides a rectangle.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - hasInput: Whether there is a field.
  ///   - remarks: The number of lines below it.
  init(_ rect: Rect, hasInput: Bool, remarks: Int) {
    var rest = rect
    title = rest.removeTop(rect.rows > 5 ? 1 : 0)
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    let least = (hasInput ? 1 : 0) + (rect.rows > 2 ? 1 : 0)
    self.remarks = rest.removeBottom(min(remarks, max(0, rest.rows - least)))
    input = rest.removeBottom(hasInput ? 1 : 0)
    _ = rest.removeBottom(rect.rows > 12 ? 1 : 0)
    list = rest
  }
}

/// A row of the settings as it is drawn: the label, the value, and where that comes from.
struct SettingsRowView: Widget {
  let line: SettingsFrame.Line
  /// The columns of the label, the value and its origin.
  let columns: [Int]

  /// The cells between two columns.
  private static var gap: Int { 2 }
  /// The cells of a list that are not of its rows: the sign of the selection, and a scrollbar.
  private static var marks: Int { 3 }
  /// The most cells of a value for which all rows make room.
  private static var valueMax: Int { 24 }

  /// Returns the widths of the columns in a list.
  static func columns(of items: [SettingsItem], in room: Int) -> [Int] {
    let room = max(0, room - marks)
    let label = items.reduce(1) { max($0, TextWidth.of($1.label)) }
    // A value without an origin has the room of that, too.
    let value = items.filter { !$0.origin.isEmpty }.reduce(1) {
      max($0, TextWidth.of(TextWidth.prefix(of: $1.value, fitting: valueMax)))
    }
    let origin = items.reduce(1) { max($0, TextWidth.of($1.origin)) }
    let rules = [
      ColumnRule(width: label, cutTo: min(label, 8), priority: 1),
      ColumnRule(width: value, cutTo: min(value, 6), priority: 2, grows: true),
    ]
    let all = rules + [ColumnRule(width: origin, priority: 0)]
    let wanted = label + value + origin + 2 * gap
    return ColumnRule.widths(of: wanted <= room ? all : rules, gap: gap, in: room)
  }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    switch line {
    case .heading(let title): canvas.drawLine(title, style: .strong, in: rect)
    case .item(let item):
      var rest = rect
      canvas.drawLine(item.label, in: rest.removeLeft(columns[0]))
      _ = rest.removeLeft(Self.gap)
      let isSet = item.origin.utf8.count > "default".utf8.count
      // A long text has the room of an origin that the row has not.
      let room = item.origin.isEmpty ? rest.columns : columns[1]
      canvas.drawLine(
        item.value, style: isSet || item.origin.isEmpty ? .plain : .faint, in: rest.removeLeft(room)
      )
      guard columns.count > 2, !item.origin.isEmpty else { return }
      _ = rest.removeLeft(Self.gap)
      canvas.drawLine(item.origin, style: .faint, in: rest)
    }
  }
}
