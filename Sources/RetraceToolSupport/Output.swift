import RetraceArchitecture
public import RetraceAvro
import RetraceScreen
import RetraceSystem
import RetraceTerminal
import Synchronization

/// What a tool prints; text is made harmless for a terminal first.
public enum Output {
  /// Prints a line; control characters in it become visible.
  public static func print(_ line: String) {
    write(SafeText.line(line) + "\n")
  }

  /// Prints a JSON value, which escapes control characters by itself; on one line unless it is to
  /// be indented.
  public static func print(_ value: JSONValue, indented: Bool = false) {
    write(value.text(indented: indented) + "\n")
  }

  /// Prints a question of the program itself and stays on its line.
  public static func prompt(_ text: String) {
    write(text)
    flush()
  }

  /// Prints text of the program itself as it is, with its line ends.
  public static func printRaw(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Prints a line to standard error; control characters in it become visible.
  public static func printError(_ line: String) {
    flush()
    try? Console.write(SafeText.line(line) + "\n", to: .standardError)
  }

  /// Prints a JSON value to standard error, whole, on one line.
  public static func printError(_ value: JSONValue) {
    flush()
    try? Console.write(value.text() + "\n", to: .standardError)
  }

  /// Collects what is printed from now on and writes it in large pieces, for commands that print
  /// many lines; the rest is written when the tool ends, or by ``flush()``.
  public static func collect() {
    state.withLock { $0.collects = true }
  }

  /// Writes what was collected.
  public static func flush() {
    state.withLock { $0.flush() }
  }

  /// Whether nothing more can be printed, so that going on is of no use.
  public static var hasEnded: Bool { state.withLock { $0.error != nil } }

  /// Why not everything was printed; `nil` if it was, or if the reader had seen enough.
  static var failure: SystemError? {
    state.withLock { $0.error.flatMap { $0.code == .brokenPipe ? nil : $0 } }
  }

  private static func write(_ text: String) {
    state.withLock { state in
      // A reader that has gone away, or a full disk, ends the output, not the work.
      guard state.error == nil else { return }
      state.pending.append(contentsOf: text.utf8)
      if !state.collects || state.pending.count >= 1 << 16 { state.flush() }
    }
  }

  private static let state = Mutex(State())

  private struct State {
    var error: SystemError?
    var collects = false
    var pending: [UInt8] = []

    mutating func flush() {
      guard error == nil, !pending.isEmpty else { return }
      do throws(SystemError) {
        try Console.write(pending, to: .standardOutput)
      } catch {
        self.error = error
      }
      pending.removeAll(keepingCapacity: true)
    }
  }
}
