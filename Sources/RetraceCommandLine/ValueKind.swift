/// The kind of the value of an option or an operand, so that a shell can complete it.
public enum ValueKind: Hashable, Sendable {
  /// Any text, for which nothing is offered.
  case text
  /// One of some words.
  case words([String])
  /// Several of some words, separated by commas.
  case list([String])
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// A value from the data of the tool. The payload names its kind.
  case data(String)
}
