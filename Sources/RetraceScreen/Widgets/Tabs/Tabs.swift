/// The names of several pages in one row, of which one is selected.
///
/// The selected name is in brackets. If the names do not fit, those around the selected one are
/// shown, and `‹` and `›` stand for the others.
///
/// ```swift
/// let tabs = Tabs(["Timer", "Entries", "Reports"], selected: 1)
/// print(Screen(tabs, size: Screen.Size(columns: 40, rows: 1)).canvas.lines)
/// ```
public struct Tabs: Widget, Hashable, Sendable {
  /// The names of the pages.
  public var names: [String]
  /// The index of the selected page; the nearest one counts.
  public var selected: Int64
  /// Whether keys go to the tabs.
  public var isFocused: Bool

  /// Creates tabs.
  public init(_ names: [String], selected: Int64, isFocused: Bool = false) {
    self.names = names
    self.selected = selected
    self.isFocused = isFocused
  }

  /// Draws the names in the first row.
  ///
  /// - Complexity: O(bytes of the names).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    canvas.drawLine("‹", style: .faint, in: parts.before)
    for (index, tab) in parts.tabs {
      let isSelected = index == self.index
      var style = isSelected ? Style.title : .faint
      if isSelected, isFocused { style.background = .selection }
      canvas.fill(tab, style: style)
      canvas.drawLine(names[index], style: style, in: tab.inset(columns: 1, rows: 0))
      guard isSelected, tab.columns > 1 else { continue }
      canvas.draw("[", row: tab.row, column: tab.column, style: style, in: tab)
      canvas.draw("]", row: tab.row, column: tab.endColumn - 1, style: style, in: tab)
    }
    canvas.drawLine("›", style: .faint, in: parts.after)
  }

  /// Returns the index of the page whose name is at a place of the screen; `nil` elsewhere.
  ///
  /// A place on `‹` or `›` leads to the nearest page that is not shown.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the tabs are drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let parts = parts(in: rect)
    if let tab = parts.tabs.first(where: { $0.rect.contains(position) }) { return tab.index }
    guard let first = parts.tabs.first, let last = parts.tabs.last else { return nil }
    if parts.before.contains(position) { return first.index - 1 }
    return parts.after.contains(position) ? last.index + 1 : nil
  }

  private var index: Int { Int(index: selected, of: names.count) }

  /// Returns the places of the signs and of the names that are shown.
  private func parts(
    in rect: Rect
  ) -> (before: Rect, tabs: [(index: Int, rect: Rect)], after: Rect) {
    var rest = rect
    var row = rest.removeTop(1)
    guard !names.isEmpty, !row.isEmpty else { return (.none, [], .none) }
    let widths = names.map { TextWidth.of($0) + 2 }
    let isWhole = widths.reduce(0, +) <= row.columns
    let hasSigns = !isWhole && row.columns > 4
    let before = row.removeLeft(hasSigns ? 1 : 0)
    let after = row.removeRight(hasSigns ? 1 : 0)
    // The first name such that the selected one fits.
    var (first, width) = (index, widths[index])
    while first > 0, width + widths[first - 1] <= row.columns {
      first -= 1
      width += widths[first]
    }
    var tabs: [(index: Int, rect: Rect)] = []
    for index in first..<names.count where row.columns > 2 || index == self.index {
      guard index <= self.index || widths[index] <= row.columns else { break }
      tabs.append((index, row.removeLeft(widths[index])))
    }
    let end = tabs.last?.index ?? 0
    return (first > 0 ? before : .none, tabs, end < names.count - 1 ? after : .none)
  }
}

extension Rect {
  /// A rectangle without cells.
  fileprivate static var none: Rect { Rect(columns: 0, rows: 0) }
}
