public import RetraceScreen
public import RetraceSystem

/// A terminal in full-screen use: it shows screens and gives inputs, while this value lives.
///
/// The end of its life, and signals that end the process, restore the terminal.
public struct TerminalSession: ~Copyable {
  /// What happened at the terminal.
  public enum Event: Hashable, Sendable {
    /// The user did something, in this order; never a change of the size.
    case inputs([Input])
    /// The size changed: the screen has to be made again for ``TerminalSession/size``.
    case resized
    /// What the terminal can do is settled, or the color scheme changed since.
    case features(TerminalFeatures)
    /// Another thread called `Terminal.wake()`: there may be something new to show.
    case woken
    /// Nothing happened for the time given.
    case tick
    /// The terminal went away.
    case ended
  }

  private let mode: RawMode
  private var renderer: AnsiRenderer
  private var decoder: InputDecoder
  private var queries: TerminalQueries
  /// When the wait for answers ends.
  private let answersUntil: Int64
  private var modes = InputModes()
  /// The size that the terminal last reported in its input.
  private var reportedSize: Screen.Size?
  /// What happened and was not returned yet.
  private var waiting: ArraySlice<TerminalEvent> = []
  private var hasNewFeatures = false

  /// Takes the terminal of the standard input and output over.
  ///
  /// - Parameters:
  ///   - usesColor: Whether colors are used; see ``AnsiRenderer/wantsColor(noColor:term:)``.
  ///   - queries: What the terminal is asked; by default nothing.
  ///   - answerMilliseconds: How long answers are waited for, while screens are shown.
  ///   - pasteLimitBytes: The maximum size of a pasted text.
  /// - Throws: `SystemError`, `.notATerminal` if the standard input is not one.
  public init(
    usesColor: Bool, queries: TerminalQueries = TerminalQueries(term: nil),
    answerMilliseconds: Int = 500, pasteLimitBytes: Int = 1 << 20
  ) throws(SystemError) {
    var renderer = AnsiRenderer(usesColor: usesColor)
    let epilogue = (queries.isSettled ? "" : InputModes.allOff) + renderer.leave()
    // The mode comes first: from then on every end of the process writes the epilogue.
    let mode = try RawMode(epilogue: Array(epilogue.utf8))
    try Terminal.reportResizes()
    // The first screen clears what a terminal shows of a question that it does not know.
    try Console.write(renderer.enter() + queries.request)
    self.renderer = renderer
    self.mode = mode
    self.queries = queries
    decoder = InputDecoder(pasteLimitBytes: pasteLimitBytes)
    answersUntil = MonotonicClock.deadline(inMilliseconds: answerMilliseconds)
  }

  deinit {
    // An answer that came after the end would be typed into the shell.
    var (decoder, queries) = (decoder, queries)
    while !queries.isSettled, let left = Self.millisecondsLeft(until: answersUntil) {
      switch try? Terminal.read(timeoutMilliseconds: left) {
      case .bytes(let bytes):
        for case .report(let report) in decoder.feed(bytes.span) { queries.take(report) }
      case .woken, .resized: continue
      case .timedOut, .ended, nil: return
      }
    }
  }

  /// The size of the terminal, or 80 by 24 cells if it does not know.
  public var size: Screen.Size {
    if let reportedSize { return reportedSize }
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
      case .woken: return .woken
      case .timedOut:
        if decoder.waitMilliseconds != nil {
          waiting = decoder.timeOut()[...]
        } else if wait != left || left == tickMilliseconds {
          return .tick
        }
      case .resized:
        reportedSize = nil
        renderer.invalidate()
        return .resized
      case .ended: return .ended
      }
    }
  }

  /// Returns the event of what was read and not returned yet; `nil` if there is none.
  private mutating func takeWaiting() throws(SystemError) -> Event? {
    var inputs: [Input] = []
    while let event = waiting.first {
      if case .input(.resized) = event, !inputs.isEmpty { break }
      waiting.removeFirst()
      switch event {
      case .input(.resized(let size)):
        // Without the mode, a report is none of the terminal's own.
        guard modes.reportsSize, size != self.size else { continue }
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
    let wanted = InputModes(queries.features)
    if wanted != modes { try Console.write(wanted.sequences(after: modes)) }
    modes = wanted
    return .features(queries.features)
  }

  /// Returns how long it is until a moment, rounded up; `nil` if the moment has passed.
  private static func millisecondsLeft(until moment: Int64) -> Int? {
    let left = moment - MonotonicClock.nanoseconds()
    return left > 0 ? Int((left + 999_999) / 1_000_000) : nil
  }
}
