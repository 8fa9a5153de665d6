import Retrace

extension EntryEditorFrame {
  /// A click takes a suggestion over, or gives a field the focus; one into a text sets the cursor,
  /// and one on the switch turns it.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (form, place) = (form, Screen.Cursor(row: mouse.row, column: mouse.column))
    if mouse.action == .pressed(.left), let list = listRect(in: rect), list.contains(place) {
      return suggestionRows()?.index(at: place, in: list).map { taking($0) } ?? []
    }
    let rect = parts(in: rect).form
    guard mouse.action == .pressed(.left), let index = form.index(at: place, in: rect) else {
      return []
    }
    let field = EditorField.allCases[index]
    var steps: [KeyStep] = field == route.field ? [] : [.screen(.entryEditor(.focused(field)))]
    if let draft = route[field], let offset = form.offset(at: place, in: rect),
      offset != draft.cursor
    {
      steps.append(.screen(.entryEditor(.edited(field, draft.moving(to: offset)))))
    }
    if field == .billable, form.inputRect(of: index, in: rect)?.contains(place) == true {
      steps.append(.screen(.entryEditor(.billable(!(route.isBillable ?? false)))))
    }
    return steps
  }
}
