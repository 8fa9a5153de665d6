/// What a terminal offers beside text, colors and places of the cursor.
///
/// Sequences of an extension are sent only to terminals that have it.
///
/// ```swift
/// var extensions = TerminalExtensions.assumed(term: "xterm-256color")
/// extensions.insert(.synchronizedOutput)
/// ```
public struct TerminalExtensions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a set of extensions from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A frame is shown as a whole: mode 2026, which a terminal offers in its answer to a query.
  public static let synchronizedOutput = TerminalExtensions(rawValue: 1)
  /// Text can be a link: OSC 8.
  public static let links = TerminalExtensions(rawValue: 2)
  /// The window has a title: OSC 2, and a stack of titles.
  public static let title = TerminalExtensions(rawValue: 4)
  /// The terminal shows progress: OSC 9;4.
  public static let progress = TerminalExtensions(rawValue: 8)
  /// The cursor has shapes.
  public static let cursorShape = TerminalExtensions(rawValue: 16)
  /// The terminal reports the mouse and the focus of its window.
  public static let reports = TerminalExtensions(rawValue: 32)

  /// Returns the extensions that a terminal has or ignores, from the environment variable `TERM`.
  ///
  /// None for the console of Linux, for the type `dumb` and for no type.
  public static func assumed(term: String?) -> TerminalExtensions {
    guard let term, !["", "dumb", "linux"].contains(term) else { return [] }
    return [.links, .title, .progress, .cursorShape, .reports]
  }
}
