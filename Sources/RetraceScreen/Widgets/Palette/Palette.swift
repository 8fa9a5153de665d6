/// An action that a ``Palette`` offers.
public struct PaletteItem: Hashable, Sendable {
  /// What the action is called, in which the palette searches.
  public var label: String
  /// The name of the key that does the same; empty for none.
  public var key: String

  /// Creates an item.
  public init(_ label: String, key: String = "") {
    self.label = label
    self.key = key
  }
}

/// A box with a field for a search and the actions that match it, the best first.
///
/// The feature searches with ``FuzzyPattern/ranked(count:text:)`` when the text changes, and keeps
/// the result; the palette makes the visible rows only.
///
/// ```swift
/// let actions = ["Start an entry", "Stop the entry", "Switch the project"]
/// let draft = TextDraft("ste")
/// let found = FuzzyPattern(draft.text).ranked(count: actions.count) { actions[$0] }
/// let palette = Palette(draft, count: found.count, state: ListState()) {
///   PaletteItem(actions[found[$0]])
/// }
/// print(Screen(palette, size: Screen.Size(columns: 40, rows: 8)).canvas.lines)
/// ```
public struct Palette: Widget {
  /// The text that is searched for.
  public var draft: TextDraft
  /// The number of actions that match.
  public var count: Int
  /// The selection and the scroll position.
  public var state: ListState
  /// What an empty field shows.
  public var placeholder: String
  private let item: (Int) -> PaletteItem

  /// Creates a palette.
  ///
  /// - Parameters:
  ///   - draft: The text that is searched for.
  ///   - count: The number of actions that match.
  ///   - state: The selection and the scroll position.
  ///   - placeholder: What an empty field shows.
  ///   - item: Makes the item of an index among those that match.
  public init(
    _ draft: TextDraft, count: Int, state: ListState, placeholder: String = "Search actions",
    item: @escaping (Int) -> PaletteItem
  ) {
    self.draft = draft
    self.count = max(count, 0)
    self.state = state
    self.placeholder = placeholder
    self.item = item
  }

  /// Draws the field, the number of matches and the visible items.
  ///
  /// - Complexity: O(cells) and what the visible items take.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = PaletteParts(in: rect, count: count)
    let border = Style(foreground: .border, background: .surface)
    canvas.fill(rect, style: border)
    if parts.hasBorder { canvas.drawBorder(rect, style: border) }
    field.draw(in: parts.field, on: &canvas)
    let note = Style(foreground: .faint, background: .surface)
    canvas.drawLine("\(count)", style: note, aligned: .right, in: parts.note)
    canvas.fill(parts.line, with: "─", style: border)
    list.draw(in: parts.rows, on: &canvas)
  }

  /// Returns the place of the cursor in the field.
  public func cursor(in rect: Rect) -> Screen.Cursor? {
    field.cursor(in: PaletteParts(in: rect, count: count).field)
  }

  /// Returns the index of the item at a place of the screen; `nil` where no item is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the palette is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    list.index(at: position, in: PaletteParts(in: rect, count: count).rows)
  }

  /// Returns the number of items that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 {
    Int64(PaletteParts(in: rect, count: count).rows.rows)
  }

  private var field: TextInput {
    TextInput(draft, placeholder: placeholder, hasFocus: true)
  }

  private var list: List<PaletteRow> {
    let pattern = FuzzyPattern(draft.text)
    return List(
      count: count, state: state, emptyText: "Nothing matches.", background: .surface
    ) { PaletteRow(item: item($0), pattern: pattern) }
  }
}

/// An item with its key at the right.
private struct PaletteRow: Widget {
  let item: PaletteItem
  let pattern: FuzzyPattern

  func draw(in rect: Rect, on canvas: inout Canvas) {
    var label = rect
    canvas.drawLine(item.key, style: .faint, in: label.removeKey(item.key, of: item.label))
    MatchedText(item.label, pattern: pattern).draw(in: label, on: &canvas)
  }
}

/// The parts of a palette; those for which there is too little room are empty.
private struct PaletteParts {
  let hasBorder: Bool
  let field: Rect
  let note: Rect
  let line: Rect
  let rows: Rect

  init(in rect: Rect, count: Int) {
    hasBorder = rect.columns > 9 && rect.rows > 4
    var rest = hasBorder ? rect.inset(columns: 1, rows: 1) : rect
    var top = rest.removeTop(1)
    if hasBorder { top = top.inset(columns: 1, rows: 0) }
    let cells = "\(count)".utf8.count + 1
    note = top.removeRight(top.columns > 4 * cells ? cells : 0)
    field = top
    line = rest.removeTop(hasBorder && rest.rows > 3 ? 1 : 0)
    rows = rest
  }
}
