import Retrace

/// The parts of the lists, from top to bottom.
struct ListsLayout {
  /// The row of the kinds.
  let tabs: Rect
  /// The label of the field.
  var label = Rect(columns: 0, rows: 0)
  /// The field of the search or of a name.
  var input: Rect
  /// The rectangle of the list.
  let list: Rect
  /// The rectangle of a question or a remark.
  let remarks: Rect

  /// Divides a rectangle; of a low one, the field and the list are left.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - hasInput: Whether there is a field.
  ///   - remarks: The number of lines of a question or a remark.
  init(_ rect: Rect, hasInput: Bool, remarks: Int) {
    var rest = rect
    tabs = rest.removeTop(rect.rows > (hasInput ? 2 : 1) ? 1 : 0)
    input = rest.removeTop(hasInput ? 1 : 0)
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    self.remarks = rest.removeBottom(min(remarks, max(0, rest.rows - 1)))
    list = rest
  }
}

/// A row of the lists as it is drawn: a mark, the color and the name, and the details.
struct ListRowView: Widget {
  let isMarked: Bool
  /// The color of a project.
  let color: Int32?
  let name: String
  let isArchived: Bool
  /// The details, by their columns.
  let cells: [String]
  /// The columns of the name and the details.
  let columns: [ColumnRule]

  /// A row without contents.
  static var empty: ListRowView {
    ListRowView(isMarked: false, color: nil, name: "", isArchived: false, cells: [], columns: [])
  }

  /// The cells between two columns.
  private static var gap: Int { 2 }
  /// The most cells of a detail, and of a name that has details beside it.
  private static var cellsMax: (detail: Int, name: Int) { (28, 32) }
  /// The fewest cells of a name.
  private static var nameMin: Int { 12 }

  /// Returns the columns of rows.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - cells: The details of each row.
  ///   - count: The number of details of a row.
  static func columns(names: [String], cells: [[String]], count: Int) -> [ColumnRule] {
    func width(_ texts: [String], _ most: Int) -> Int {
      // A name can be long, and only its first cells are shown.
      max(1, texts.reduce(0) { max($0, TextWidth.of(TextWidth.prefix(of: $1, fitting: most))) })
    }
    let name = width(names, cellsMax.name)
    var columns = [
      ColumnRule(width: name, cutTo: min(name, nameMin), priority: count + 1, grows: true)
    ]
    for index in 0..<count {
      let width = width(cells.map { $0[index] }, cellsMax.detail)
      columns.append(ColumnRule(width: width, priority: count - index))
    }
    return columns
  }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    guard !columns.isEmpty else { return }
    var rest = rect
    if isMarked { canvas.drawLine("+ ", style: .title, in: rest.removeLeft(2)) }
    if let color {
      let dot = rest.removeLeft(2)
      canvas.drawLine("●", style: Style(foreground: Color(rgb: color)), in: dot)
    }
    let note = isArchived ? "  archived" : ""
    let end = rest.removeRight(note.utf8.count < rest.columns / 2 ? note.utf8.count : 0)
    canvas.drawLine(note, style: .faint, in: end)
    let widths = ColumnRule.widths(of: columns, gap: Self.gap, in: rest.columns)
    let style: Style = isArchived ? .faint : .plain
    canvas.drawLine(name, style: style, in: rest.removeLeft(widths[0]))
    for (cell, width) in zip(cells, widths.dropFirst()) where width > 0 {
      _ = rest.removeLeft(Self.gap)
      canvas.drawLine(cell, style: .faint, in: rest.removeLeft(width))
    }
  }
}
