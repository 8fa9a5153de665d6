import RetraceSystem

/// Stops the writer thread at a phase, so that a test can end the process right there.
final class PhaseHolder: Sendable {
  private let armed = Lock<String?>(nil)

  /// Sets the phase at which the writer stops, such as `reducing(0)` or `committing`.
  func arm(_ phase: String) { armed.withLock { $0 = phase } }

  /// Prints `holding PHASE` and stops until a line comes, if the phase is the armed one.
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
