public import RetraceScreen

/// A mode of a terminal: what switches it on, and what switches it off.
///
/// The names are from xterm's list of control sequences.
public struct TerminalMode: Hashable, Sendable {
  /// The sequences that switch the mode on.
  public var set: String
  /// The sequences that switch the mode off.
  public var reset: String

  /// Creates a mode of two texts of control sequences.
  public init(set: String, reset: String) {
    (self.set, self.reset) = (set, reset)
  }

  /// Creates a private mode of DEC (DECSET, DECRST), which is off in a shell.
  public static func dec(_ number: Int) -> TerminalMode {
    TerminalMode(set: "\u{1B}[?\(number)h", reset: "\u{1B}[?\(number)l")
  }

  /// Flags of the kitty keyboard protocol, pushed on the stack of the present screen.
  public static func keyboard(flags: Int) -> TerminalMode {
    TerminalMode(set: "\u{1B}[>\(flags)u", reset: "\u{1B}[<u")
  }

  /// The alternate screen, with the cursor saved before it (1049).
  public static let alternateScreen = dec(1049)

  /// Lines that are cut at the right edge, where a shell has autowrap (DECAWM, 7).
  public static let noAutowrap = TerminalMode(set: "\u{1B}[?7l", reset: "\u{1B}[?7h")

  /// Marks around pasted text (2004).
  public static let bracketedPaste = dec(2004)

  /// Reports of the size in the input, in order with the keys (2048).
  public static let sizeReports = dec(2048)

  /// Reports of a changed color scheme (2031).
  public static let colorSchemeReports = dec(2031)

  /// What a frame may leave on when it is cut anywhere: a string, colors, a hidden cursor.
  ///
  /// Switching it on writes nothing.
  public static let frame = TerminalMode(set: "", reset: "\u{1B}\\\u{1B}[0m\u{1B}[?25h")

  /// Frames that are shown as a whole (2026), of which one may be cut.
  ///
  /// Switching it on writes nothing.
  public static let synchronizedFrames = TerminalMode(set: "", reset: "\u{1B}[?2026l")

  /// What screens change with extensions of a terminal: the title that a stack keeps, links,
  /// progress, the shape of the cursor, and reports of the mouse and of the focus.
  ///
  /// - Parameter extensions: The extensions of the terminal.
  public static func fields(of extensions: TerminalExtensions) -> TerminalMode {
    var mode = TerminalMode(set: "", reset: "")
    if extensions.contains(.links) { mode.reset += "\u{1B}]8;;\u{1B}\\" }
    if extensions.contains(.progress) { mode.reset += AnsiRenderer.code(of: nil) }
    if extensions.contains(.cursorShape) { mode.reset += AnsiRenderer.code(of: .standard) }
    if extensions.contains(.reports) {
      mode.reset += AnsiRenderer.code(of: .off) + AnsiRenderer.focusCode(false)
    }
    if extensions.contains(.title) {
      mode.set += "\u{1B}[22;0t"
      mode.reset += "\u{1B}[23;0t"
    }
    return mode
  }
}

/// The modes of a terminal that are on, in the order in which they were switched on.
///
/// The epilogue switches them off in the reverse order. So a mode of one screen, such as the stack
/// of the keyboard protocol, is switched off on that screen.
///
/// ```swift
/// let modes = TerminalModes([TerminalMode.alternateScreen, .bracketedPaste])
/// var features = TerminalFeatures()
/// features.hasSizeReports = true
/// print(modes.with(features).prologue.utf8.count, modes.epilogue.utf8.count)
/// ```
public struct TerminalModes: Hashable, Sendable {
  /// The modes, the first one on first.
  public var modes: [TerminalMode]

  /// Creates a list of modes.
  public init(_ modes: [TerminalMode]) {
    self.modes = modes
  }

  /// Returns what a program on the whole screen switches on.
  ///
  /// The frame is last, so that the epilogue ends it first.
  ///
  /// - Parameter extensions: The extensions of the terminal, which screens may use.
  public static func fullScreen(_ extensions: TerminalExtensions = []) -> TerminalModes {
    var modes: [TerminalMode] = [.alternateScreen, .noAutowrap, .bracketedPaste]
    if !extensions.isEmpty { modes.append(.fields(of: extensions)) }
    return TerminalModes(modes + [.frame])
  }

  /// Returns these modes with those that help on every screen, as far as a terminal has them: the
  /// first level of the kitty keyboard protocol with the places of keys on a standard keyboard,
  /// reports of the size and of the color scheme, and frames that are shown as a whole.
  ///
  /// The frames stay last.
  public func with(_ features: TerminalFeatures) -> TerminalModes {
    var offered: [TerminalMode] = []
    // Keys that can be told apart (1), with their place on a standard keyboard (4).
    if features.hasKittyKeys { offered.append(.keyboard(flags: 1 | 4)) }
    if features.hasSizeReports { offered.append(.sizeReports) }
    if features.hasColorSchemeReports { offered.append(.colorSchemeReports) }
    let place = modes.lastIndex(of: .frame) ?? modes.endIndex
    var result = modes[..<place] + offered.filter { !modes.contains($0) } + modes[place...]
    if features.hasSynchronizedOutput, !modes.contains(.synchronizedFrames) {
      result.append(.synchronizedFrames)
    }
    return TerminalModes(Array(result))
  }

  /// What switches all modes on.
  public var prologue: String { modes.map(\.set).joined() }

  /// What switches all modes off, in the reverse order.
  public var epilogue: String { modes.reversed().map(\.reset).joined() }

  /// What to write when these modes replace others: modes that are gone are switched off, the last
  /// one first, and new ones are switched on.
  ///
  /// - Complexity: O(modes before × modes after).
  public func change(from before: TerminalModes) -> String {
    let gone = before.modes.reversed().filter { !modes.contains($0) }
    let new = modes.filter { !before.modes.contains($0) }
    return gone.map(\.reset).joined() + new.map(\.set).joined()
  }

  /// These modes, and all modes of another set.
  public func union(_ others: TerminalModes) -> TerminalModes {
    TerminalModes(modes + others.modes.filter { !modes.contains($0) })
  }
}
