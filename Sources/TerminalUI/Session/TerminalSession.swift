// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import RetraceScreen
@_exported public import RetraceSystem

/// A terminal in full-screen use: it shows screens and gives inputs, while this value lives.
///
/// The end of its life restores the terminal, and so does every other way out: the exit of the
/// process, a signal that ends or stops it, and a crash.
///
/// ```swift
/// func showKeys() throws {
///   var session = try TerminalSession(palette: TerminalPalette(.indexed, on: .dark))
///   var shown = "Press q to leave."
///   while true {
///     var screen = Screen(Screen.Line(shown), size: session.size)
///     screen.mouse = .buttons
///     try session.show(screen)
///     switch try session.next() {
///     case .inputs(let inputs):
///       for input in inputs {
///         switch input {
///         case Input.key(.text("q")): return
///         case .key(let key): shown = key.name
///         case .mouse(let mouse) where mouse.action == Mouse.Action.pressed(.left):
///           shown = "row \(mouse.row), column \(mouse.column)"
///         default: break
///         }
///       }
///     case .features(let features): shown = "kitty keys: \(features.hasKittyKeys)"
///     case .ended: return
///     default: break
///     }
///   }
/// }
/// ```
public struct TerminalSession: ~Copyable {
  /// What happened at the terminal.
  public enum Event: Hashable, Sendable {
    /// The user did something, in this order; never a change of the size.
    case inputs([Input])
    /// The size changed: the screen has to be made again for ``TerminalSession/size``.
    case resized
    /// What the terminal can do is settled, or the color scheme changed since.
    case features(TerminalFeatures)
    /// The process was stopped and continues: the screen has to be made again, for
    /// ``TerminalSession/size``, which may have changed.
    case resumed
    /// Another thread called ``TerminalSession/wake()`` or ``TerminalSession/ring()``: there may be
    /// something new to show.
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
  /// Whether the terminal tells the background, which neither the user nor the environment does.
  private let followsColorScheme: Bool
  private let pasteLimitBytes: Int
  private var decoder: InputDecoder
  private var queries: TerminalQueries
  /// When the wait for answers ends.
  private let answersUntil: Int64
  /// The size that the terminal last reported in its input.
  private var reportedSize: Screen.Size?
  /// What happened and was not returned yet.
  private var waiting: ArraySlice<TerminalEvent> = []
  private var hasNewFeatures = false
  private static let bell = Lock(Bell())

  /// Takes the terminal of the standard input and output over.
  ///
  /// In the background, the process is stopped first, until it comes to the foreground.
  ///
  /// - Parameters:
  ///   - palette: The colors of the terminal; `nil` for none, see
  ///     ``AnsiRenderer/wantsColor(noColor:term:)``. A background that is not known becomes the one
  ///     that the terminal tells.
  ///   - extensions: What the terminal offers beside text and colors.
  ///   - modes: The modes to switch on; by default those of a program on the whole screen. Those of
  ///     the terminal's features are switched on later.
  ///   - queries: What the terminal is asked; by default nothing.
  ///   - answerMilliseconds: How long answers are waited for, while screens are shown.
  ///   - pasteLimitBytes: The maximum size of a pasted text.
  /// - Throws: `SystemError`, `.notATerminal` if the standard input is not one.
  public init(
    palette: TerminalPalette?, extensions: TerminalExtensions = [], modes: TerminalModes? = nil,
    queries: TerminalQueries = TerminalQueries(term: nil), answerMilliseconds: Int = 500,
    pasteLimitBytes: Int = 1 << 20
  ) throws(SystemError) {
    let modes = modes ?? .fullScreen(extensions)
    try Terminal.reportResizes()
    let mode = try RawMode(
      prologue: Array(modes.prologue.utf8), epilogue: Array(modes.epilogue.utf8))
    // The first screen clears what a terminal shows of a question that it does not know.
    if !queries.request.isEmpty { try mode.write(Array(queries.request.utf8)) }
    self.mode = mode
    renderer = AnsiRenderer(palette: palette, extensions: extensions)
    followsColorScheme = palette?.background == .unknown
    self.modes = modes
    self.queries = queries
    self.pasteLimitBytes = pasteLimitBytes
    decoder = InputDecoder(pasteLimitBytes: pasteLimitBytes)
    answersUntil = MonotonicClock.deadline(inMilliseconds: answerMilliseconds)
    Self.bell.withLock { $0 = Bell(hasSession: true) }
  }

  /// Takes the terminal of the standard input and output over, as environment variables tell what
  /// it offers and what it can be asked.
  ///
  /// - Parameters:
  ///   - palette: The colors of the terminal; `nil` for none.
  ///   - pasteLimitBytes: The maximum size of a pasted text.
  ///   - variable: Returns the value of an environment variable, `TERM` or `TERM_PROGRAM`.
  /// - Throws: `SystemError`, `.notATerminal` if the standard input is not one.
  public init(
    palette: TerminalPalette?, pasteLimitBytes: Int, variable: (String) -> String?
  ) throws(SystemError) {
    let term = variable("TERM")
    try self.init(
      palette: palette, extensions: .assumed(term: term),
      queries: TerminalQueries(term: term, program: variable("TERM_PROGRAM")),
      pasteLimitBytes: pasteLimitBytes)
  }

  deinit {
    Self.bell.withLock { $0 = Bell() }
    // An answer that came after the end would be typed into the shell.
    var (decoder, queries) = (decoder, queries)
    while !queries.isSettled, let left = Self.millisecondsLeft(until: answersUntil) {
      switch try? Terminal.read(timeoutMilliseconds: left) {
      case .bytes(let bytes):
        for case .report(let report) in decoder.feed(bytes.span) { queries.take(report) }
      case .woken, .resized: continue
      case .timedOut, .continued, .ended, nil: return
      }
    }
  }

  /// The size of the terminal, or 80 by 24 cells if it does not know.
  public var size: Screen.Size {
    if let reportedSize { return reportedSize }
    let size = Terminal.size() ?? (columns: 80, rows: 24)
    return Screen.Size(columns: size.columns, rows: size.rows)
  }

  /// Shows a screen; only cells that changed are written.
  ///
  /// - Complexity: O(cells of the size).
  /// - Throws: `SystemError` if the terminal cannot be written to.
  public mutating func show(_ screen: Screen) throws(SystemError) {
    let bytes = renderer.draw(screen, size: size)
    if !bytes.isEmpty { try mode.write(bytes) }
  }

  /// Switches modes on and off, so that these are on.
  ///
  /// Whenever the process ends meanwhile, each mode that is on is switched off.
  ///
  /// - Throws: `SystemError` if the terminal cannot be written to.
  public mutating func switchModes(to modes: TerminalModes) throws(SystemError) {
    guard modes != self.modes else { return }
    try prepare(modes.union(self.modes))
    try mode.write(Array(modes.change(from: self.modes).utf8))
    try prepare(modes)
    self.modes = modes
  }

  private func prepare(_ modes: TerminalModes) throws(SystemError) {
    try mode.replace(prologue: Array(modes.prologue.utf8), epilogue: Array(modes.epilogue.utf8))
  }

  /// Sends a text to the clipboard of the terminal, which the user's other programs read.
  ///
  /// A terminal may ignore the text, and sends no answer. Few terminals say beforehand that
  /// programs may write to their clipboard, `TerminalFeatures.hasClipboard`.
  ///
  /// ```swift
  /// func copy(_ text: String, to session: inout TerminalSession) throws -> String {
  ///   try session.copy(text) ? "Sent to the clipboard." : "The terminal has no clipboard."
  /// }
  /// ```
  ///
  /// - Returns: Whether the text was sent: it has at most about 75,000 bytes, and the terminal has
  ///   answered the request for its attributes, so it drops sequences that it does not know.
  /// - Throws: `SystemError` if the terminal cannot be written to.
  public func copy(_ text: String) throws(SystemError) -> Bool {
    guard queries.features.hasAnswered, let bytes = ClipboardCode.bytes(of: text) else {
      return false
    }
    try mode.write(bytes)
    return true
  }

  /// Stops the process and its group, as the suspend key of a terminal does outside of raw mode.
  ///
  /// The terminal is the shell's until the process continues. Then ``next(tickMilliseconds:)``
  /// returns `.resumed`.
  public func suspend() {
    RawMode.suspend()
  }

  /// Makes the next ``show(_:)`` write all cells, also those that another program wrote over.
  public mutating func redraw() { renderer.invalidate() }

  /// Makes ``next(tickMilliseconds:)`` return `.woken`, on whichever thread waits in it.
  ///
  /// Call it from any thread when there is something new to show. A call before the wait is kept;
  /// several count once. Without a session it does nothing.
  ///
  /// ```swift
  /// func redraw(after changes: Store<CounterApp>) -> Observation {
  ///   changes.observe { (_: CounterState) in TerminalSession.wake() }
  /// }
  /// ```
  public static func wake() { Terminal.wake() }

  /// Rings the bell of the terminal.
  ///
  /// Call it from any thread. The session writes the bell in ``next(tickMilliseconds:)``, which
  /// then returns `.woken`: at once if a thread waits there. Several calls before that ring once.
  /// Without a session, the bell is written to the standard output if that is a terminal.
  public static func ring() {
    if bell.withLock({ $0.ring() }) {
      Terminal.wake()
    } else if Terminal.isTerminal(1) {
      // A terminal that went away rings no more.
      try? Console.write([Bell.character])
    }
  }

  /// Waits for what happens next.
  ///
  /// - Parameter tickMilliseconds: How long to wait at most, or `nil` for as long as it takes.
  /// - Throws: `SystemError` if the terminal cannot be read.
  public mutating func next(tickMilliseconds: Int? = nil) throws(SystemError) -> Event {
    while true {
      if let event = try takeWaiting() { return event }
      let left = queries.isSettled ? nil : Self.millisecondsLeft(until: answersUntil) ?? 0
      if left == 0 {
        queries.stop()
        hasNewFeatures = true
        continue
      }
      // Bytes that began something are waited for, whatever else there is to wait for.
      let wait = decoder.waitMilliseconds ?? [left, tickMilliseconds].compactMap(\.self).min()
      switch try Terminal.read(timeoutMilliseconds: wait) {
      case .bytes(let bytes): waiting = InputDecoder.joined(decoder.feed(bytes.span))[...]
      case .woken:
        if Self.bell.withLock({ $0.takeRing() }) { try mode.write([Bell.character]) }
        return .woken
      case .timedOut:
        if decoder.waitMilliseconds != nil {
          waiting = decoder.timeOut()[...]
        } else if wait != left || left == tickMilliseconds {
          return .tick
        }
      case .resized:
        forgetSize()
        return .resized
      case .continued:
        guard try mode.resume() else { return ended() }
        forgetSize()
        renderer.restart()
        decoder = InputDecoder(pasteLimitBytes: pasteLimitBytes)
        return .resumed
      case .ended: return ended()
      }
    }
  }

  /// Returns the event of what was read and not returned yet; `nil` if all was returned.
  private mutating func takeWaiting() throws(SystemError) -> Event? {
    var inputs: [Input] = []
    while let event = waiting.first {
      if case .input(.resized) = event, !inputs.isEmpty { break }
      waiting.removeFirst()
      switch event {
      case .input(.resized(let size)):
        // Without the mode, a report is none of the terminal's own.
        guard modes.modes.contains(.sizeReports), size != self.size else { continue }
        reportedSize = size
        renderer.invalidate()
        return .resized
      case .input(let input): inputs.append(input)
      case .report(let report):
        if queries.take(report), queries.isSettled { hasNewFeatures = true }
      }
    }
    if !inputs.isEmpty { return .inputs(inputs) }
    guard hasNewFeatures else { return nil }
    hasNewFeatures = false
    try switchModes(to: modes.with(queries.features))
    if queries.features.hasSynchronizedOutput { renderer.extensions.insert(.synchronizedOutput) }
    if followsColorScheme, let depth = renderer.palette?.depth,
      let scheme = queries.features.colorScheme
    {
      renderer.palette = TerminalPalette(depth, on: scheme == .dark ? .dark : .light)
    }
    return .features(queries.features)
  }

  private mutating func forgetSize() {
    reportedSize = nil
    renderer.invalidate()
  }

  private mutating func ended() -> Event {
    queries.stop()
    return .ended
  }

  /// Returns how long it is until a moment, rounded up; `nil` if the moment has passed.
  private static func millisecondsLeft(until moment: Int64) -> Int? {
    let left = moment - MonotonicClock.nanoseconds()
    return left > 0 ? Int((left + 999_999) / 1_000_000) : nil
  }
}

/// Whether a session has to ring the bell of the terminal.
private struct Bell {
  /// The control character that rings.
  static var character: UInt8 { 7 }

  /// Whether there is a session, which then writes the bell.
  var hasSession = false
  private var isRung = false

  init(hasSession: Bool = false) { self.hasSession = hasSession }

  /// Asks the session for the bell; returns whether there is one.
  mutating func ring() -> Bool {
    isRung = hasSession
    return hasSession
  }

  /// Returns whether the bell was asked for, once.
  mutating func takeRing() -> Bool {
    defer { isRung = false }
    return isRung
  }
}
