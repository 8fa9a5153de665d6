import Retrace

extension EntryEditorFrame {
  /// A click takes a suggestion over, or gives a field the focus; one into a text sets the cursor,
  /// and one on the switch turns it.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    if mouse.action == .pressed(.left), let list = listRect(in: rect), list.contains(place) {
      return suggestionRows()?.index(at: place, in: list).map { taking($0) } ?? []
    }
    return stepsOfForm(for: mouse, in: rect)
  }

  var field: EditorField { route.field }
  var isTyped: Bool { route.isTyped }
  func draft(of field: EditorField) -> TextDraft? { route[field] }
  func focusing(_ field: EditorField) -> KeyStep { .screen(.entryEditor(.focused(field))) }
  func editing(_ field: EditorField, _ edit: TextReplacement) -> KeyStep {
    .screen(.entryEditor(.edited(field, edit)))
  }
  var switching: KeyStep { .screen(.entryEditor(.billable(!(isBillable ?? false)))) }
}

extension EditorField: FieldOfForm {}
