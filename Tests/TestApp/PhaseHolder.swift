import RetraceSystem
import RetraceTerminal
import Synchronization

/// Stops the writer thread at a phase, so that a test can end the process right there.
final class PhaseHolder: Sendable {
  private let armed = Mutex<String?>(nil)

  /// Waits for a phase, named as `reducing(0)` or `committing`.
  func arm(_ phase: String) { armed.withLock { $0 = phase } }

  /// Answers `holding PHASE` and stops until a line comes, if the phase is the one waited for.
  func entered(_ phase: String) {
    let holds = armed.withLock { armed in
      guard armed == phase else { return false }
      armed = nil
      return true
    }
    guard holds else { return }
    Answer.line("holding \(phase)")
    // The main thread waits for the batch meanwhile, so the input is free.
    _ = try? Console.readLine()
  }
}
