public import RetraceAvro

/// What a terminal can do and what it looks like, as far as it has answered.
///
/// A screen may depend on it, so an app that shows such screens records it once a session.
public struct TerminalFeatures: Recordable, Hashable, Sendable {
  /// Whether the terminal answered in time.
  ///
  /// If it did not, what it does not tell may exist nevertheless.
  public var hasAnswered: Bool
  /// Whether it shows all changes of a frame at once.
  public var hasSynchronizedOutput: Bool
  /// Whether it sends keys in the kitty keyboard protocol, which loses no modifiers.
  public var hasKittyKeys: Bool
  /// Whether it takes each grapheme cluster as one character.
  public var hasGraphemeClusters: Bool
  /// Whether it reports its size in the input.
  public var hasSizeReports: Bool
  /// Whether it reports changes of the color scheme.
  public var hasColorSchemeReports: Bool
  /// Whether it tells that programs may write to the clipboard; most terminals do not tell.
  public var hasClipboard: Bool
  /// The color scheme that the user prefers, or that the background has.
  public var colorScheme: ColorScheme?
  /// The color of letters: red, green and blue in one byte each.
  public var foreground: Int32?
  /// The color of the background: red, green and blue in one byte each.
  public var background: Int32?

  /// Creates the features of a terminal that has told nothing.
  public init() {
    hasAnswered = false
    hasSynchronizedOutput = false
    hasKittyKeys = false
    hasGraphemeClusters = false
    hasSizeReports = false
    hasColorSchemeReports = false
    hasClipboard = false
  }
}

/// Whether colors are light on dark or dark on light.
public enum ColorScheme: Recordable, Hashable, Sendable {
  /// Light letters on a dark background.
  case dark
  /// Dark letters on a light background.
  case light
}
