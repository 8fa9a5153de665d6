/// The kind of the value of an option or an operand, so that a shell can complete it.
public enum ValueKind: Hashable, Sendable {
  /// Any text, for which nothing is offered.
  case text
  /// One of some words.
  case words([String])
  /// Some of some words, with commas between them.
  case list([String])
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// A value that the tool finds in its data, by the name of what it is.
  case data(String)
}
