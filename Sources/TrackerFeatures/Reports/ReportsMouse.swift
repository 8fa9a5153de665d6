import Retrace

extension ReportsFrame {
  /// The lines by which a step of the wheel scrolls.
  private static var wheelRows: Int64 { 3 }

  /// A click selects a line or sets the cursor of the range, and the wheel scrolls.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let layout = layout(in: rect)
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    var list = route.list
    let (count, rows) = (Int64(lines.count), rowsShown)
    switch mouse.action {
    case .pressed(.left):
      guard let row = table.index(at: place, in: layout.lines) else { return [] }
      list.select(Int64(row), count: count, rows: rows)
    case .scrolled(.up): list.scroll(by: -Self.wheelRows, count: count, rows: rows)
    case .scrolled(.down): list.scroll(by: Self.wheelRows, count: count, rows: rows)
    default: return []
    }
    return list == route.list ? [] : [.screen(.reports(.listMoved(list)))]
  }
}
