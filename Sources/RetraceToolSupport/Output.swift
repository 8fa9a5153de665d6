import RetraceArchitecture
package import RetraceAvro
import RetraceScreen
import RetraceSystem
import RetraceTerminal

/// The output of a tool; text is made safe for terminals first.
package enum Output {
  /// Prints a line, with control characters made visible.
  package static func print(_ line: String) {
    write(SafeText.line(line) + "\n")
  }

  /// Prints a JSON value, which escapes control characters; on one line unless `indented`.
  package static func print(_ value: JSONValue, indented: Bool = false) {
    write(value.text(indented: indented) + "\n")
  }

  /// Prints a prompt, which has to be safe already, without ending the line.
  package static func prompt(_ text: String) {
    write(text)
    flush()
  }

  /// Prints a prompt to standard error, with control characters made visible, without ending the
  /// line.
  package static func promptError(_ text: String) {
    flush()
    try? Console.write(SafeText.line(text), to: .standardError)
  }

  /// Prints text that is safe already, unchanged and with its line breaks.
  package static func printRaw(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Prints a line to standard error, with control characters made visible.
  package static func printError(_ line: String) {
    flush()
    try? Console.write(SafeText.line(line) + "\n", to: .standardError)
  }

  /// Prints a whole JSON value to standard error, on one line.
  package static func printError(_ value: JSONValue) {
    flush()
    try? Console.write(value.text() + "\n", to: .standardError)
  }

  /// Buffers the output from now on, and writes it in large pieces, for commands that print many
  /// lines.
  ///
  /// The rest is written when the tool ends, or by ``flush()``.
  package static func startBuffering() {
    state.withLock { $0.isBuffered = true }
  }

  /// Writes the buffered output.
  package static func flush() {
    state.withLock { $0.flush() }
  }

  /// Whether standard output has failed, so that printing more is useless.
  package static var hasFailed: Bool { state.withLock { $0.error != nil } }

  /// The error that cut the output off; `nil` if there is none, or if the reader closed the pipe.
  static var failure: SystemError? {
    state.withLock { $0.error.flatMap { $0.code == .brokenPipe ? nil : $0 } }
  }

  private static func write(_ text: String) {
    state.withLock { state in
      // A closed pipe or a full disk stops the output, but not the command's work.
      guard state.error == nil else { return }
      state.pending.append(contentsOf: text.utf8)
      if !state.isBuffered || state.pending.count >= 1 << 16 { state.flush() }
    }
  }

  private static let state = Lock(State())

  private struct State {
    var error: SystemError?
    var isBuffered = false
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
