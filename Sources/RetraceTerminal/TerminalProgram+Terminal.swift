import Retrace
import RetraceRecording
public import RetraceStorage
import RetraceSystem
import TerminalUI

extension TerminalProgram {
  /// Runs the app on the terminal of the standard input and output, until a key leaves it or the
  /// terminal goes away.
  ///
  /// A change of the state is shown at once, also one by an effect or by another process.
  ///
  /// - Throws: The errors of the store, and those of the terminal as `storageFailed`; the terminal
  ///   is restored first.
  public func runOnTerminal() throws(StoreError) {
    var session: TerminalSession
    do throws(SystemError) {
      session = try TerminalSession(palette: palette, pasteLimitBytes: pasteLimitBytes) {
        ThisProcess.environment($0)
      }
    } catch {
      throw Self.failure(error)
    }
    let observation = store.observe { (_: App.State) in TerminalSession.wake() }
    defer { observation.cancel() }
    var program = self
    while try program.step(&session) {}
  }

  /// Shows a frame and takes what happens next; returns whether to go on.
  private mutating func step(_ session: inout TerminalSession) throws(StoreError) -> Bool {
    size = session.size
    let (frame, screen) = try shown()
    let event: TerminalSession.Event
    do throws(SystemError) {
      try session.show(screen)
      event = try session.next(tickMilliseconds: frame?.refreshMilliseconds)
    } catch {
      throw Self.failure(error)
    }
    switch event {
    case .inputs(let inputs): return try take(inputs, seeing: frame, &session)
    case .tick, .woken: if let ended = store.writingError { throw ended }
    case .resized, .resumed, .features: break
    case .ended: return false
    }
    return true
  }

  /// Performs inputs, the first on what the user sees; returns whether to go on.
  private func take(
    _ inputs: [Input], seeing shown: App.Frame?, _ session: inout TerminalSession
  ) throws(StoreError) -> Bool {
    var seen = shown
    for input in inputs {
      switch try perform(input, on: seen) {
      case .nothing: break
      case .performed: seen = try frame()
      case .leave: return false
      case .redraw: session.redraw()
      // What was read after it was meant for the shell, and is dropped.
      case .suspend:
        session.suspend()
        return true
      }
    }
    return true
  }

  private static func failure(_ error: SystemError) -> StoreError {
    StoreError(
      .storageFailed, what: "The app left the terminal.", why: "\(error)",
      advice: "What was shown is kept; open it again, or use a pipe.")
  }
}
