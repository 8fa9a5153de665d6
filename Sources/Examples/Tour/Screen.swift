import Retrace

/// Returns the edit of a text field that a key stands for.
func edit(for key: Key) -> TextEdit? {
  switch key {
  case .text(let text): .insert(text)
  case .backspace: .deleteBackward(1)
  case .delete: .deleteForward(1)
  case .left: .moveLeft
  case .right: .moveRight
  case .home, .ctrl("a"): .moveToStart
  case .end, .ctrl("e"): .moveToEnd
  default: nil
  }
}

/// Returns the edit of a draft that a key stands for, as an action records it.
///
/// It is made at the edge, where the characters that the user sees are known.
func replacement(for key: Key, in draft: TextDraft) -> TextReplacement? {
  edit(for: key).map { draft.replacement(for: $0) }
}

/// Returns a screen with a label, a text field and its cursor.
func screen(of field: TextField, label: String, error: String?) -> Screen {
  let style: Screen.Style = error == nil ? .strong : .warning
  let title = "\(SafeText.line(label)): "
  var lines = [
    Screen.Line([Screen.Run(title, style), Screen.Run(SafeText.line(field.text))])
  ]
  if let error { lines.append(Screen.Line(SafeText.line(error), .warning)) }
  let column = TextWidth.of(title) + TextWidth.of(field.textBeforeCursor)
  return Screen(lines: lines, cursor: Screen.Cursor(row: 0, column: column))
}

/// Returns the lines of a screen that fit into a size, cut to its width.
func text(of screen: Screen, fitting size: Screen.Size) -> [Substring] {
  screen.lines.prefix(size.rows).map { TextWidth.prefix(of: $0.text, fitting: size.columns) }
}
