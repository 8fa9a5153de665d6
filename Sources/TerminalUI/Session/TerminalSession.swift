public import RetraceScreen
public import RetraceSystem

/// A terminal in full-screen use: it shows screens and gives keys, while this value lives.
///
/// The end of its life restores the terminal, and so does every other way out: the exit of the
/// process, a signal that ends or stops it, and a crash.
public struct TerminalSession: ~Copyable {
  /// What happened at the terminal.
  public enum Event: Hashable, Sendable {
    /// Keys were pressed, in this order.
    case keys([Key])
    /// The size changed: the screen has to be made again for ``TerminalSession/size``.
    case resized
    /// The process was stopped and continues: the screen has to be made again, for
    /// ``TerminalSession/size``, which may have changed.
    case resumed
    /// Another thread called `Terminal.wake()`: there may be something new to show.
    case woken
    /// Nothing happened for the time given.
    case tick
    /// The terminal went away, or a signal that ends the process restored it.
    case ended
  }

  /// The modes that are on.
  public private(set) var modes: TerminalModes
  private var mode: RawMode
  private var renderer: AnsiRenderer
  private var decoder = KeyDecoder()

  /// Takes the terminal of the standard input and output over.
  ///
  /// In the background, the process is stopped first, until it comes to the foreground.
  ///
  /// - Parameters:
  ///   - usesColor: Whether colors are used; see ``AnsiRenderer/wantsColor(noColor:term:)``.
  ///   - modes: The modes to switch on.
  /// - Throws: `SystemError`, `.notATerminal` if the standard input is not one.
  public init(usesColor: Bool, modes: TerminalModes = .fullScreen) throws(SystemError) {
    try Terminal.reportResizes()
    mode = try RawMode(prologue: Array(modes.prologue.utf8), epilogue: Array(modes.epilogue.utf8))
    renderer = AnsiRenderer(usesColor: usesColor)
    self.modes = modes
  }

  /// The size of the terminal, or 80 by 24 cells if it does not know.
  public var size: Screen.Size {
    let size = Terminal.size() ?? (columns: 80, rows: 24)
    return Screen.Size(columns: size.columns, rows: size.rows)
  }

  /// Shows a screen; only lines that changed are written.
  ///
  /// - Complexity: O(cells of the size).
  /// - Throws: `SystemError` if the terminal cannot be written to.
  public mutating func show(_ screen: Screen) throws(SystemError) {
    let text = renderer.draw(screen, size: size)
    if !text.isEmpty { try mode.write(text) }
  }

  /// Switches modes on and off, so that these are on.
  ///
  /// Whenever the process ends meanwhile, each mode that is on is switched off.
  ///
  /// - Throws: `SystemError` if the terminal cannot be written to.
  public mutating func switchModes(to modes: TerminalModes) throws(SystemError) {
    guard modes != self.modes else { return }
    try prepare(modes.union(self.modes))
    try mode.write(modes.change(from: self.modes))
    try prepare(modes)
    self.modes = modes
  }

  private func prepare(_ modes: TerminalModes) throws(SystemError) {
    try mode.replace(prologue: Array(modes.prologue.utf8), epilogue: Array(modes.epilogue.utf8))
  }

  /// Stops the process and its group, as the suspend key of a terminal does outside of raw mode.
  ///
  /// The terminal is the shell's until the process continues. Then ``next(tickMilliseconds:)``
  /// returns `.resumed`.
  public func suspend() {
    RawMode.suspend()
  }

  /// Waits for what happens next.
  ///
  /// - Parameter tickMilliseconds: How long to wait at most, or `nil` for as long as it takes.
  /// - Throws: `SystemError` if the terminal cannot be read.
  public mutating func next(tickMilliseconds: Int? = nil) throws(SystemError) -> Event {
    while true {
      // A sequence that has begun is completed by the bytes that follow at once, or not at all.
      let isPending = decoder.isPending
      let timeout = isPending ? KeyDecoder.sequenceTimeoutMilliseconds : tickMilliseconds
      let keys: [Key]
      switch try Terminal.read(timeoutMilliseconds: timeout) {
      case .bytes(let bytes): keys = decoder.feed(bytes.span)
      case .woken: return .woken
      case .timedOut:
        guard isPending else { return .tick }
        keys = decoder.timeout()
      case .resized:
        renderer.invalidate()
        return .resized
      case .continued:
        guard try mode.resume() else { return .ended }
        renderer.invalidate()
        decoder = KeyDecoder()
        return .resumed
      case .ended: return .ended
      }
      if !keys.isEmpty { return .keys(keys) }
    }
  }
}
