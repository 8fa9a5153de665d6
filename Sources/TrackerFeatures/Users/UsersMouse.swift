import Retrace

extension UsersFrame {
  /// A click selects a user or sets the cursor of the name, and the wheel moves the selection.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (parts, place) = (Self.parts(in: rect), Screen.Cursor(row: mouse.row, column: mouse.column))
    switch mouse.action {
    case .pressed(.left):
      if let row = list.index(at: place, in: parts.list) { return [selecting(row)] }
      guard let offset = input.offset(at: place, in: parts.name) else { return [] }
      return [.screen(.users(.edited(route.name.moving(to: offset))))]
    case .scrolled(let direction) where direction == .up || direction == .down:
      guard let last = rows.indices.last else { return [] }
      let step = ListStep(direction == .up ? .up : .down, rows: rowsShown)
      let row = step.row(from: selectedRow, last: last)
      return row == selectedRow ? [] : [selecting(row)]
    default: return []
    }
  }

  private func selecting(_ row: Int) -> KeyStep { .screen(.users(.selected(rows[row].id))) }
}
