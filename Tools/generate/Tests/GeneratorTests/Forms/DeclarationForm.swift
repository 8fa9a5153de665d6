import Testing

/// A form of declaration in Swift, and the expected reaction of the generator.
struct DeclarationForm: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// The generator writes a conformance; the lines of Swift check values, see `Checks`.
    case accepted([String])
    /// The generator refuses a line, counted from 1, with a message that contains a text.
    case rejected(line: Int, String)
  }

  var name: String
  /// The declarations.
  ///
  /// Names begin with `R_`; a number is inserted, so that the names of all forms differ.
  var source: String
  var outcome: Outcome

  var testDescription: String { name }

  /// A form that is accepted.
  static func accepts(_ name: String, _ source: String, _ checks: String...) -> DeclarationForm {
    DeclarationForm(name: name, source: source, outcome: .accepted(checks))
  }

  /// A form that is refused.
  static func rejects(
    _ name: String, _ source: String, _ line: Int, _ message: String
  ) -> DeclarationForm {
    DeclarationForm(name: name, source: source, outcome: .rejected(line: line, message))
  }

  /// A property of a struct that is refused.
  static func rejects(property: String, _ message: String) -> DeclarationForm {
    rejects(property, "struct R_A: Recordable {\n  \(property)\n}", 2, message)
  }

  /// A property of a state that is refused.
  static func rejects(stateProperty property: String, _ message: String) -> DeclarationForm {
    rejects(
      "\(property) in a state", "struct R_A: RecordedState {\n  \(property)\n}", 2, message)
  }
}
