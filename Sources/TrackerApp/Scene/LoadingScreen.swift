import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TerminalUI

/// What a terminal shows while the store is opened, if that takes longer than a moment.
///
/// A store that opens in milliseconds never shows it.
public struct LoadingScreen: Sendable {
  /// The time in milliseconds after which it is shown.
  static var delayMilliseconds: Int { 300 }
  /// The interval at which it is painted again.
  private static var tickMilliseconds: Int { 250 }

  private let store: String
  private let palette: TerminalPalette?

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - store: The directory of the store.
  ///   - palette: The colors of the terminal; `nil` for none.
  public init(store: String, palette: TerminalPalette?) {
    (self.store, self.palette) = (store, palette)
  }

  /// How far the opening is; the terminal is another thread's.
  private final class Progress: Sendable {
    let step = Lock(OpeningStep.openingFiles)
    let isOver = Lock(false)
    let ended = Semaphore()
    let began = MonotonicClock.nanoseconds()

    var seconds: Int { Int((MonotonicClock.nanoseconds() - began) / 1_000_000_000) }
  }

  /// Opens a store, and shows the screen meanwhile.
  ///
  /// The terminal is restored before the call returns. The keys ctrl-c and ctrl-d end the process,
  /// which loses nothing. Other keys do nothing.
  ///
  /// - Parameter open: Opens the store, and calls its argument with each step.
  /// - Throws: The errors of `open`.
  public func during<Opened>(
    _ open: (@escaping @Sendable (OpeningStep) -> Void) throws(StoreError) -> Opened
  ) throws(StoreError) -> Opened {
    let progress = Progress()
    let worker = WorkerThread(name: "track-loading")
    worker.submit { self.show(progress) }
    defer {
      progress.isOver.withLock { $0 = true }
      progress.ended.signal()
      TerminalSession.wake()
      worker.waitForSubmittedJobs()
    }
    return try open { step in
      progress.step.withLock { $0 = step }
      TerminalSession.wake()
    }
  }

  private func show(_ progress: Progress) {
    let start = MonotonicClock.deadline(inMilliseconds: Self.delayMilliseconds)
    if progress.ended.wait(until: start) { return }
    do throws(SystemError) {
      var session = try TerminalSession(palette: palette)
      while !progress.isOver.withLock({ $0 }) {
        let screen = self.screen(
          at: progress.step.withLock { $0 }, after: progress.seconds, size: session.size)
        try session.show(screen)
        switch try session.next(tickMilliseconds: Self.tickMilliseconds) {
        case .inputs(let inputs):
          if inputs.contains(.key(.ctrl("c"))) || inputs.contains(.key(.ctrl("d"))) {
            // The exit restores the terminal.
            ThisProcess.exit(130)
          }
        case .ended: return
        case .resized, .features, .resumed, .woken, .tick: break
        }
      }
    } catch {
      // Without a terminal, the app tells the error when it opens its own.
    }
  }

  /// Returns the screen of a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - seconds: The seconds since the opening began.
  ///   - size: The size of the screen.
  func screen(at step: OpeningStep, after seconds: Int, size: Screen.Size) -> Screen {
    func wrapped(_ text: String, _ style: Style = .plain) -> [Screen.Line] {
      TextWidth.lines(of: SafeText.line(text), cutTo: size.columns, indent: 2, linesMax: 3)
        .map { Screen.Line($0, style) }
    }
    let lines =
      wrapped("Opening \(store)", .title) + [Screen.Line("")]
      + wrapped("\(Self.text(of: step)) (\(seconds) s)")
      + wrapped("ctrl-c leaves; nothing is lost.", .faint)
    return Screen(lines, size: size)
  }

  private static func text(of step: OpeningStep) -> String {
    switch step {
    case .openingFiles: "Opening the files; another process may be opening or closing them."
    case .folding: "Reading the records that no snapshot has."
    case .recovering: "Recovering what an earlier session left."
    }
  }
}
