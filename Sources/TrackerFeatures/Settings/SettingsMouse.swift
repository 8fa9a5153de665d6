import Retrace

extension SettingsFrame {
  /// A click selects a row, changes the selected one, chooses a value or sets the cursor; the wheel
  /// moves the selection.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (layout, place) = (layout(in: rect), Screen.Cursor(row: mouse.row, column: mouse.column))
    switch mouse.action {
    case .pressed(.left): return steps(forClickAt: place, layout, in: rect)
    case .scrolled(let direction) where direction == .up || direction == .down:
      guard route.dialog == nil else { return [] }
      let step = selecting(after: direction == .up ? .up : .down)
      return step == .screen(.settings(.selected(route.row))) ? [] : [step]
    default: return []
    }
  }

  private func steps(
    forClickAt place: Screen.Cursor, _ layout: SettingsLayout, in rect: Rect
  ) -> [KeyStep] {
    if let menu {
      let box = menuRect(menu, in: rect)
      guard let index = menu.index(at: place, in: box) else {
        return box.contains(place) ? [] : [.screen(.settings(.opened(nil)))]
      }
      return (try? choosing(index)) ?? []
    }
    if case .text(let draft)? = route.dialog,
      let offset = input?.offset(at: place, in: layout.input)
    {
      return [.screen(.settings(.edited(draft.moving(to: offset))))]
    }
    guard let index = list(rows: layout.list.rows).index(at: place, in: layout.list),
      let item = lines[index].item
    else { return [] }
    if item.row == route.row, route.dialog == nil { return (try? opening) ?? [] }
    return [selecting(item)]
  }
}
