/// A box of actions with their keys, drawn over what is there.
///
/// A menu is drawn at a place that ``rect(at:in:)`` returns. One that does not fit scrolls.
///
/// ```swift
/// let menu = Menu(
///   [MenuItem("Edit", key: "e"), .line, MenuItem("Delete", key: "d", isEnabled: false)],
///   state: ListState())
/// let screen = Rect(columns: 40, rows: 12)
/// print(menu.rect(at: Rect(column: 5, row: 2, columns: 8, rows: 1), in: screen))
/// ```
public struct Menu: Widget, Hashable, Sendable {
  /// The items from top to bottom.
  public var items: [MenuItem]
  /// The selection and the scroll position.
  public var state: ListState
  /// The text in the upper border; empty for none.
  public var title: String

  /// Creates a menu.
  public init(_ items: [MenuItem], state: ListState, title: String = "") {
    self.items = items
    self.state = state
    self.title = title
  }

  /// The size that shows all of the menu.
  ///
  /// - Complexity: O(bytes of the items).
  public var size: Screen.Size {
    var columns = TextWidth.of(title) + 4
    for item in items {
      let key = item.key.isEmpty ? 0 : TextWidth.of(item.key) + 2
      columns = max(columns, TextWidth.of(item.label) + key + RowMark.columns + 3)
    }
    return Screen.Size(columns: columns, rows: items.count + 2)
  }

  /// Returns the place of the menu: below a rectangle, or above it if there is more room.
  ///
  /// - Parameters:
  ///   - anchor: What the menu belongs to, such as a row, which stays visible.
  ///   - bounds: The rectangle that the menu stays in.
  /// - Complexity: O(bytes of the items).
  public func rect(at anchor: Rect, in bounds: Rect) -> Rect { bounds.popup(size, at: anchor) }

  /// Returns the index of the item that is some enabled items after the selected one.
  ///
  /// After the last item comes the first one. The result is for
  /// ``ListState/select(_:count:rows:)``; `nil` if no item is enabled.
  ///
  /// - Parameter distance: The number of enabled items, below 0 towards the first one.
  /// - Complexity: O(items).
  public func index(movedBy distance: Int64) -> Int64? {
    let enabled = items.indices.filter { items[$0].isEnabled }
    guard let selected, let place = enabled.firstIndex(of: selected) else { return nil }
    let (count, steps) = (enabled.count, Int(distance % Int64(enabled.count)))
    return Int64(enabled[(place + steps + count) % count])
  }

  /// Draws the menu with its border.
  ///
  /// - Complexity: O(cells + items).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let (inner, rows) = parts(in: rect)
    let border = Style(foreground: .border, background: .surface)
    canvas.fill(rect, style: border)
    if inner != rect {
      canvas.drawBorder(rect, style: border)
      if !title.isEmpty {
        var top = rect.inset(columns: 1, rows: 0)
        let style = Style(foreground: .accent, background: .surface, attributes: .bold)
        canvas.drawLine(" \(title) ", style: style, in: top.removeTop(1))
      }
    }
    for index in rows.range {
      let place = rows.rect(of: index)
      guard !items[index].isLine else {
        canvas.fill(place, with: "─", style: border)
        continue
      }
      draw(items[index], in: place.dropLeft(RowMark.columns), on: &canvas)
      canvas.markRow(
        place, isSelected: index == selected, isFocused: true, background: .surface)
    }
    rows.drawScrollbar(background: .surface, on: &canvas)
  }

  /// Returns the index of the enabled item at a place of the screen; `nil` elsewhere.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the menu is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    guard let index = parts(in: rect).rows.index(at: position), items[index].isEnabled else {
      return nil
    }
    return index
  }

  /// Returns the number of items that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 { Int64(parts(in: rect).inner.rows) }

  /// The index of the selected item, or of the first enabled one after it; `nil` if none is
  /// enabled.
  public var selected: Int? {
    let index = Int(index: state.selected, of: items.count)
    return items[index...].firstIndex { $0.isEnabled } ?? items.firstIndex { $0.isEnabled }
  }

  /// Returns the rectangle in the border, which a small rectangle has not, and the rows in it.
  private func parts(in rect: Rect) -> (inner: Rect, rows: ListRows) {
    let inner = rect.columns > 4 && rect.rows > 2 ? rect.inset(columns: 1, rows: 1) : rect
    var state = state
    state.selected = Int64(selected ?? 0)
    return (inner, ListRows(count: items.count, state: state, in: inner))
  }

  private func draw(_ item: MenuItem, in rect: Rect, on canvas: inout Canvas) {
    let color = item.isEnabled ? Color.text : .faint
    var label = rect
    canvas.drawLine(item.key, style: .faint, in: label.removeKey(item.key, of: item.label))
    canvas.drawLine(item.label, style: Style(foreground: color), in: label)
  }
}
