import Retrace

extension ListsFrame {
  /// A click chooses a kind, selects a row or sets the cursor of the field, and the wheel moves the
  /// selection.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (layout, place) = (layout(in: rect), Screen.Cursor(row: mouse.row, column: mouse.column))
    switch mouse.action {
    case .pressed(.left):
      if let index = tabs.index(at: place, in: layout.tabs) {
        let kind = ListKind.allCases[index]
        return kind == route.kind ? [] : [.screen(.lists(.kindSelected(kind)))]
      }
      if let row = list.index(at: place, in: layout.list) {
        return [selecting(items.found[row].id)]
      }
      guard let input, let offset = input.offset(at: place, in: layout.input) else { return [] }
      if let naming = route.naming {
        return [.screen(.lists(.named(naming.name.moving(to: offset))))]
      }
      let edit = KeyStep.screen(.lists(.searched(route.search.moving(to: offset))))
      return route.isSearching ? [edit] : [.screen(.lists(.searchFocused(true))), edit]
    case .scrolled(let direction) where direction == .up || direction == .down:
      guard let last = items.found.indices.last else { return [] }
      let step = ListStep(direction == .up ? .up : .down, rows: rowsShown)
      let row = step.row(from: selectedRow, last: last)
      return row == selectedRow ? [] : [selecting(items.found[row].id)]
    default: return []
    }
  }
}
