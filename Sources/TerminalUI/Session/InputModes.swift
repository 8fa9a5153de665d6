public import RetraceScreen

/// What a terminal is told to report besides keys.
///
/// ```swift
/// var modes = InputModes()
/// modes.mouse = .buttons
/// print(modes.sequences(after: InputModes()).isEmpty)
/// ```
public struct InputModes: Hashable, Sendable {
  /// Which inputs of the mouse are reported.
  public enum Mouse: Hashable, Sendable {
    /// None; the terminal selects text with the mouse.
    case off
    /// Presses, releases, drags and the wheel.
    case buttons
    /// The mouse in each cell that it enters, too.
    case hover
  }

  /// Which inputs of the mouse are reported.
  public var mouse = Mouse.off
  /// Whether the gain and the loss of the focus are reported.
  public var reportsFocus = false
  /// Whether keys come in the first level of the kitty keyboard protocol.
  public var usesKittyKeys = false
  /// Whether the size is reported in the input, in order with the keys.
  public var reportsSize = false
  /// Whether changes of the color scheme are reported.
  public var reportsColorScheme = false

  /// Creates modes that are all off.
  public init() {}

  /// Creates the modes that help on every screen, as far as a terminal has them.
  public init(_ features: TerminalFeatures) {
    usesKittyKeys = features.hasKittyKeys
    reportsSize = features.hasSizeReports
    reportsColorScheme = features.hasColorSchemeReports
  }

  /// Returns what to write to change the modes of a terminal; empty if nothing changes.
  ///
  /// A terminal keeps the kitty keyboard protocol for each of its pages, so write this on the page
  /// of the screens.
  ///
  /// - Parameter before: The modes that the terminal has.
  public func sequences(after before: InputModes) -> String {
    var text = ""
    func set(_ number: Int, _ isOn: Bool, _ wasOn: Bool) {
      if isOn != wasOn { text += "\u{1B}[?\(number)\(isOn ? "h" : "l")" }
    }
    if usesKittyKeys != before.usesKittyKeys { text += usesKittyKeys ? "\u{1B}[>1u" : Self.pop }
    set(1002, mouse == .buttons, before.mouse == .buttons)
    set(1003, mouse == .hover, before.mouse == .hover)
    set(1006, mouse != .off, before.mouse != .off)
    set(1004, reportsFocus, before.reportsFocus)
    set(2048, reportsSize, before.reportsSize)
    set(2031, reportsColorScheme, before.reportsColorScheme)
    return text
  }

  /// What to write to switch all of these modes off, whichever are on.
  ///
  /// It is for the end of a process, and for terminals that can be asked: one that never heard of
  /// a mode ignores it.
  public static var allOff: String {
    pop + [2031, 2048, 1004, 1006, 1003, 1002].map { "\u{1B}[?\($0)l" }.joined()
  }

  private static var pop: String { "\u{1B}[<u" }
}
