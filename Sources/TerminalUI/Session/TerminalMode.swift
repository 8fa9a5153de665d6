/// A mode of a terminal: what switches it on, and what switches it off.
///
/// The names are those of xterm's list of control sequences.
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

  /// What a frame may leave on when it is cut anywhere: a string, colors, a hidden cursor.
  ///
  /// Switching it on writes nothing.
  public static let frame = TerminalMode(set: "", reset: "\u{1B}\\\u{1B}[0m\u{1B}[?25h")
}

/// The modes of a terminal that are on, in the order in which they were switched on.
///
/// The epilogue switches them off in the reverse order. So a mode of one screen, such as the stack
/// of the keyboard protocol, is switched off on that screen.
public struct TerminalModes: Hashable, Sendable {
  /// The modes, the first one on first.
  public var modes: [TerminalMode]

  /// Creates a list of modes.
  public init(_ modes: [TerminalMode]) {
    self.modes = modes
  }

  /// What a program on the whole screen switches on.
  ///
  /// The frame is last, so that the epilogue ends it first.
  public static let fullScreen = TerminalModes([
    .alternateScreen, .noAutowrap, .bracketedPaste, .frame,
  ])

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

  /// These modes, and those of others that are not among them.
  public func union(_ others: TerminalModes) -> TerminalModes {
    TerminalModes(modes + others.modes.filter { !modes.contains($0) })
  }
}
