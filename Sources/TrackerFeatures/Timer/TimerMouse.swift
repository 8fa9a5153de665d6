import Retrace
import TimeTracking

extension TimerFrame {
  /// The rows by which a step of the wheel scrolls.
  private static var wheelRows: Int { 3 }

  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    switch mouse.action {
    case .pressed(.left):
      let layout = TimerLayout(rect)
      let place = Screen.Cursor(row: mouse.row, column: mouse.column)
      guard let index = list().index(at: place, in: layout.list),
        case .entry(let entry) = page.rows[index]
      else { return [] }
      return [selecting(entry.entry)]
    case .scrolled(.down):
      guard let rest = page.rest else { return [] }
      let step = min(Self.wheelRows, page.entries.count - 1)
      return scrolling(to: step > 0 ? page.entries[step].place : older(from: rest))
    case .scrolled(.up):
      guard route.top != nil else { return [] }
      return scrolling(to: newer(by: Self.wheelRows).flatMap { top(at: $0) })
    default: return []
    }
  }

  /// Returns the step that scrolls to a place; the selected entry stays selected.
  private func scrolling(to place: EntryPlace?) -> [KeyStep] {
    [.screen(.timer(.selected(route.selection, top: place)))]
  }
}
