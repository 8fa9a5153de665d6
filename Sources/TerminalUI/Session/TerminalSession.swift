public import RetraceScreen
public import RetraceSystem

/// A terminal in full-screen use: it shows screens and gives keys, while this value lives.
///
/// The end of its life, and signals that end the process, restore the terminal.
public struct TerminalSession: ~Copyable {
  /// What happened at the terminal.
  public enum Event: Hashable, Sendable {
    /// Keys were pressed, in this order.
    case keys([Key])
    /// The size changed: the screen has to be made again for ``TerminalSession/size``.
    case resized
    /// Another thread called `Terminal.wake()`: there may be something new to show.
    case woken
    /// Nothing happened for the time given.
    case tick
    /// The terminal went away.
    case ended
  }

  private let mode: RawMode
  private var renderer: AnsiRenderer
  private var decoder = KeyDecoder()

  /// Takes the terminal of the standard input and output over.
  ///
  /// - Parameter usesColor: Whether colors are used; see
  /// ``AnsiRenderer/wantsColor(noColor:term:)``.
  /// - Throws: `SystemError`, `.notATerminal` if the standard input is not one.
  public init(usesColor: Bool) throws(SystemError) {
    var renderer = AnsiRenderer(usesColor: usesColor)
    // The mode comes first: from then on every end of the process writes the epilogue.
    let mode = try RawMode(epilogue: Array(renderer.leave().utf8))
    try Terminal.reportResizes()
    try Console.write(renderer.enter())
    self.renderer = renderer
    self.mode = mode
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
    if !text.isEmpty { try Console.write(text) }
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
      case .ended: return .ended
      }
      if !keys.isEmpty { return .keys(keys) }
    }
  }
}
