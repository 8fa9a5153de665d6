/// A question with choices, drawn over the middle of a rectangle.
///
/// Each choice shows its key. A text that is too long scrolls.
///
/// ```swift
/// let dialog = Dialog(
///   "Delete the entry?", text: "It has 2 h 10 min.",
///   choices: [Dialog.Choice("y", "Delete"), Dialog.Choice("esc", "Keep")],
///   state: DialogState(selected: 1))
/// print(Screen(dialog, size: Screen.Size(columns: 40, rows: 12)).canvas.lines)
/// ```
public struct Dialog: Widget, Hashable, Sendable {
  /// A choice of a dialog.
  public struct Choice: Hashable, Sendable {
    /// The name of its key.
    public var key: String
    /// What it does.
    public var label: String

    /// Creates a choice.
    public init(_ key: String, _ label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The question.
  public var title: String
  /// What is to be known before an answer; line feeds break it.
  public var text: String
  /// The choices.
  public var choices: [Choice]
  /// What is selected and shown.
  public var state: DialogState
  /// The columns that the dialog takes at most.
  public var columnsMax: Int

  /// Creates a dialog.
  public init(
    _ title: String, text: String, choices: [Choice], state: DialogState = DialogState(),
    columnsMax: Int = 60
  ) {
    self.title = title
    self.text = text
    self.choices = choices
    self.state = state
    self.columnsMax = columnsMax
  }

  /// Draws the dialog; what is around it stays as it is.
  ///
  /// - Complexity: O(cells of the dialog + bytes of the text).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    guard !layout.box.isEmpty else { return }
    let surface = Style(background: .surface)
    canvas.fill(layout.box, style: surface)
    if layout.hasBorder {
      canvas.drawBorder(layout.box, style: Style(foreground: .border, background: .surface))
    }
    let (first, end) = seenRows(layout)
    canvas.draw(layout.wrapped, from: first, style: surface, in: layout.text)
    drawTitle(layout, above: first, on: &canvas)
    let below = text.isEmpty ? 0 : layout.wrapped.rows.count - end
    drawNotes(layout, above: first, below: below, on: &canvas)
    for button in layout.buttons { drawButton(button, on: &canvas) }
    let hidden = choices.count - layout.buttons.count
    if hidden > 0 {
      canvas.drawLine(
        "… \(hidden) more", style: Style(foreground: .faint, background: .surface),
        in: layout.hiddenChoices)
    }
  }

  /// Returns the rectangle that the dialog covers.
  public func box(in rect: Rect) -> Rect { layout(in: rect).box }

  /// Returns the index of the choice at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    layout(in: rect).buttons.first { $0.rect.contains(position) }?.index
  }

  /// Returns how many rows the text has, for ``DialogState/scroll(by:lines:rows:)``.
  public func lineCount(in rect: Rect) -> Int64 { Int64(layout(in: rect).wrapped.rows.count) }

  /// Returns how many rows of the text are shown.
  public func textRows(in rect: Rect) -> Int64 { Int64(layout(in: rect).text.rows) }

  private var selected: Int { Int(index: state.selected, of: choices.count) }

  private func seenRows(_ layout: Layout) -> (first: Int, end: Int) {
    let (count, rows) = (Int64(layout.wrapped.rows.count), Int64(layout.text.rows))
    let range = ScrollWindow(count: count, rows: rows, offset: state.offset).range
    return (Int(range.lowerBound), Int(range.upperBound))
  }
}

extension Dialog {
  private struct Button {
    var index: Int
    var rect: Rect
  }

  private struct Layout {
    var box: Rect
    var hasBorder: Bool
    var title: Rect
    var text: Rect
    var wrapped: WrappedText
    var buttons: [Button]
    var hiddenChoices: Rect
  }

  private func layout(in rect: Rect) -> Layout {
    let hasBorder = min(rect.columns, columnsMax) >= 12 && rect.rows >= 5
    let frame = Screen.Size(columns: hasBorder ? 4 : 0, rows: hasBorder ? 2 : 1)
    let widest = choices.reduce(TextWidth.of(title) + 2) { $0 + Dialog.cells(of: $1) }
    let lines = text.split(separator: "\n").reduce(0) { max($0, TextWidth.of($1)) }
    let columns = min(max(widest, lines, 16) + frame.columns, max(columnsMax, 1), rect.columns)
    let wrapped = WrappedText(text, columns: columns - frame.columns)
    var rows = buttonRows(in: columns - frame.columns)
    // Of a small dialog, the text has half, and the question one row.
    let most = max(1, (rect.rows - frame.rows + 1) / 2)
    var hidden = false
    if rows.count > most {
      hidden = most > 1
      let row = rows.firstIndex { $0.contains { $0.index == selected } } ?? 0
      let count = hidden ? most - 1 : 1
      let first = min(row, rows.count - count)
      rows = Array(rows[first..<first + count])
    }
    let choiceRows = rows.count + (hidden ? 1 : 0)
    let textRows = text.isEmpty ? 0 : wrapped.rows.count
    let gap = textRows + choiceRows + 1 + frame.rows <= rect.rows && textRows > 0 ? 1 : 0
    let box = rect.centered(
      Screen.Size(columns: columns, rows: textRows + gap + choiceRows + frame.rows))
    var inner = hasBorder ? box.inset(columns: 2, rows: 1) : box
    var title = Rect(column: box.column + 1, row: box.row, columns: box.columns - 2, rows: 1)
    if !hasBorder {
      // A single row has the choices.
      title = inner.rows > 1 ? inner.removeTop(1) : Rect(columns: 0, rows: 0)
    }
    var foot = inner.removeBottom(choiceRows)
    _ = inner.removeBottom(gap)
    let more = hidden ? foot.removeBottom(1) : Rect(columns: 0, rows: 0)
    return Layout(
      box: box, hasBorder: hasBorder, title: title, text: inner, wrapped: wrapped,
      buttons: placed(rows, in: foot), hiddenChoices: more)
  }

  /// The cells of a choice with its key and a blank on each side.
  private static func cells(of choice: Choice) -> Int {
    TextWidth.of(choice.key) + TextWidth.of(choice.label) + 5
  }

  /// Divides the choices into rows; a place has the column of the first cell from 0.
  private func buttonRows(in columns: Int) -> [[Button]] {
    var (rows, column): ([[Button]], Int) = ([], 0)
    for (index, choice) in choices.enumerated() {
      let cells = min(Dialog.cells(of: choice), max(columns, 0))
      if rows.isEmpty || column + cells > columns {
        rows.append([])
        column = 0
      }
      rows[rows.count - 1].append(
        Button(index: index, rect: Rect(column: column, columns: cells, rows: 1)))
      column += cells + 1
    }
    return rows
  }

  private func placed(_ rows: [[Button]], in foot: Rect) -> [Button] {
    var buttons: [Button] = []
    for (row, items) in rows.enumerated() {
      for var button in items {
        button.rect.column += foot.column
        button.rect.row = foot.row + row
        button.rect = button.rect.intersection(foot)
        if !button.rect.isEmpty { buttons.append(button) }
      }
    }
    return buttons
  }

  private func drawTitle(_ layout: Layout, above: Int, on canvas: inout Canvas) {
    var place = layout.title
    if above > 0, layout.hasBorder { _ = place.removeRight(TextWidth.of("\(above)") + 4) }
    var style = Style.title
    style.background = .surface
    canvas.drawLine(layout.hasBorder ? " \(title) " : title, style: style, in: place)
  }

  /// Counts the rows of the text that are not seen.
  private func drawNotes(
    _ layout: Layout, above: Int, below: Int, on canvas: inout Canvas
  ) {
    let style = Style(foreground: .accent, background: .surface)
    let rows = layout.hasBorder ? layout.box : layout.text
    func draw(_ text: String, row: Int) {
      let cells = min(TextWidth.of(text), rows.columns - 2)
      guard row >= rows.row, cells > 0 else { return }
      let place = Rect(column: rows.endColumn - 1 - cells, row: row, columns: cells, rows: 1)
      canvas.drawLine(text, style: style, in: place.intersection(rows))
    }
    if above > 0 { draw(" ↑ \(above) ", row: rows.row) }
    if below > 0 { draw(" ↓ \(below) more ", row: rows.endRow - 1) }
  }

  private func drawButton(_ button: Button, on canvas: inout Canvas) {
    let (choice, isSelected) = (choices[button.index], button.index == selected)
    let style = Style(
      background: .surface, attributes: isSelected ? [.reversed, .bold] : [])
    var key = style
    if !isSelected { key.foreground = .accent }
    canvas.fill(button.rect, style: style)
    canvas.drawLine(
      Screen.Line([
        Screen.Run(isSelected ? "›" : " ", style), Screen.Run("[\(choice.key)]", key),
        Screen.Run(" \(choice.label)", style),
      ]), in: button.rect)
  }
}
