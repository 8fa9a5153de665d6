import Retrace
import TimeTracking

extension TimerFrame {
  /// The rows by which a step of the wheel scrolls.
  private static var wheelRows: Int { 3 }
  /// The cells of a list before its rows.
  private static var markColumns: Int { 2 }

  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    switch mouse.action {
    case .pressed(.left):
      let layout = layout(in: rect)
      let place = Screen.Cursor(row: mouse.row, column: mouse.column)
      if let index = suggestionIndex(at: place, in: layout.suggestions) {
        return starting(suggestion: index) ?? []
      }
      if let splitInput {
        guard let offset = splitInput.offset(at: place, in: layout.filter) else { return [] }
        return [.screen(.timer(.splitEdited(splitInput.draft.moving(to: offset))))]
      }
      if let offset = filterInput.offset(at: place, in: layout.filter) {
        let focus = KeyStep.screen(.timer(.filterFocused(true)))
        return (route.isFiltering ? [] : [focus])
          + [.screen(.timer(.filterEdited(route.filter.moving(to: offset))))]
      }
      guard let index = list().index(at: place, in: layout.list), page.rows[index].isSelectable
      else { return [] }
      if case .group(let group, let isOpen) = page.rows[index],
        mouse.column < layout.list.column + Self.markColumns + signColumns
      {
        return toggling(group, isOpen: isOpen)
      }
      return [selecting(page.rows[index])]
    case .scrolled(.down):
      guard let rest = page.rest else { return [] }
      let step = min(Self.wheelRows, page.items.count - 1)
      return scrolling(to: step > 0 ? page.items[step].place : older(from: rest))
    case .scrolled(.up):
      guard route.top != nil else { return [] }
      return scrolling(to: place(newerBy: Self.wheelRows).flatMap { top(at: $0) })
    default: return []
    }
  }

  /// Returns the step that scrolls to a place; what is selected stays selected.
  private func scrolling(to place: EntryPlace?) -> [KeyStep] {
    if let group = route.group { return [.screen(.timer(.groupSelected(group, top: place)))] }
    return [.screen(.timer(.selected(route.selection, top: place)))]
  }
}
