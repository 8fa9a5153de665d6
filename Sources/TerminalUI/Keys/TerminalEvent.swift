public import RetraceScreen

/// What the bytes of a terminal mean.
public enum TerminalEvent: Hashable, Sendable {
  /// The user did something.
  case input(Input)
  /// The terminal tells something about itself; the user did nothing.
  case report(TerminalReport)
}

/// What a terminal answers to a question, or tells of a change.
///
/// Its bytes are hostile input: a report may come late, never, or without a question. It has a
/// bounded size and is never a key.
///
/// ```swift
/// var decoder = InputDecoder()
/// let events: [TerminalEvent] = decoder.feed(Array("\u{1B}[?997;1n".utf8).span)
/// print(events == [.report(TerminalReport.colorScheme(ColorScheme.dark))])
/// ```
public enum TerminalReport: Hashable, Sendable {
  /// The primary device attributes, which every terminal answers.
  case deviceAttributes([Int])
  /// Whether the terminal knows a private mode.
  case mode(Int, isKnown: Bool)
  /// The flags of the kitty keyboard protocol that are set.
  case keyboardFlags(Int)
  /// Whether the user prefers dark or light colors.
  case colorScheme(ColorScheme)
  /// The color of letters: red, green and blue in one byte each.
  case foreground(Int32)
  /// The color of the background: red, green and blue in one byte each.
  case background(Int32)
}
