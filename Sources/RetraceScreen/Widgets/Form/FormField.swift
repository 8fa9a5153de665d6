/// A field of a form: its label, what it takes, and what is wrong with it.
public struct FormField: Hashable, Sendable {
  /// What a field takes.
  public enum Content: Hashable, Sendable {
    /// A text, a number, a date or a time, as it is typed.
    case text(TextInput)
    /// One of several values.
    case choice(ChoiceInput)
    /// On or off.
    case toggle(SwitchInput)
  }

  /// What the field is called.
  public var label: String
  /// What the field takes.
  public var content: Content
  /// What is wrong with it, shown below it; empty for nothing.
  public var problem: String

  /// Creates a field.
  public init(_ label: String, _ content: Content, problem: String = "") {
    self.label = label
    self.content = content
    self.problem = problem
  }

  /// Returns what the field takes; a text shows its cursor if the field has the focus.
  func content(isFocused: Bool, isNarrow: Bool) -> Content {
    guard case .text(var input) = content else { return content }
    input.hasFocus = isFocused
    if isNarrow { input.reading = "" }
    return .text(input)
  }

  /// What the text of the field means, with a sign; a narrow form shows it beside the label.
  var reading: String {
    guard case .text(let input) = content else { return "" }
    return input.signedReading
  }
}

extension FormField.Content: Widget {
  /// Draws the field.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    switch self {
    case .text(let input): input.draw(in: rect, on: &canvas)
    case .choice(let input): input.draw(in: rect, on: &canvas)
    case .toggle(let input): input.draw(in: rect, on: &canvas)
    }
  }

  /// Returns the place of the cursor in a text.
  public func cursor(in rect: Rect) -> Screen.Cursor? {
    guard case .text(let input) = self else { return nil }
    return input.cursor(in: rect)
  }
}
