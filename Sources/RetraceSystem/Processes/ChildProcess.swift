import Glibc

/// A program that this process started.
///
/// Destroying this object kills the program, unless ``wait()`` has returned its exit.
package final class ChildProcess: Sendable {
  package enum Exit: Hashable, Sendable {
    case exited(Int32)
    /// This signal killed it.
    case signalled(Int32)
  }

  package enum Stream: Hashable, Sendable {
    /// A pipe to or from this process.
    case pipe
    /// The stream of this process.
    case inherit
    /// `/dev/null`: no input, and the output is dropped.
    case discard
    /// A file: read as input, or created or truncated for output.
    case file(String)
    /// An open descriptor of this process, such as one end of a terminal.
    case descriptor(Int32)
  }

  package struct Options: Hashable, Sendable {
    /// The environment; `nil` for the environment of this process.
    package var environment: [String: String]?
    package var variables: [String: String] = [:]
    /// The directory in which the program starts; `nil` for the directory of this process.
    ///
    /// It is set by `env` of coreutils, which then executes the program.
    package var workingDirectory: String?
    /// The user that the program runs as, without supplementary groups; only root can choose one.
    ///
    /// It is set by `setpriv` of util-linux, which then executes the program under the same process
    /// identifier.
    package var userIdentifier: UInt32?
    package var input: Stream = .pipe
    package var output: Stream = .pipe
    package var error: Stream = .pipe

    /// Whether the program leads a new process group, which ``ChildProcess/killGroup()`` kills.
    package var ownGroup = false

    /// The path of a terminal that becomes the controlling terminal of the program, in a new
    /// session.
    ///
    /// All three streams use it; their own options are ignored.
    package var terminal: String?

    /// Creates options with pipes for all three streams; everything else is inherited.
    package init() {}
  }

  package let identifier: Int32

  private struct State {
    var exit: Exit?
    var input: Int32?
  }

  private let state: Lock<State>
  let outputDescriptor: Int32?
  let errorDescriptor: Int32?
  let outputReader: Lock<LineReader>
  let errorReader: Lock<LineReader>

  init(_ identifier: Int32, input: Int32?, output: Int32?, error: Int32?) {
    self.identifier = identifier
    state = Lock(State(input: input))
    outputDescriptor = output
    errorDescriptor = error
    outputReader = Lock(LineReader(descriptor: output ?? -1))
    errorReader = Lock(LineReader(descriptor: error ?? -1))
  }

  deinit {
    closeInput()
    if state.withLock({ $0.exit }) == nil {
      kill(SIGKILL)
      _ = try? wait()
    }
    if let outputDescriptor { System.close(outputDescriptor) }
    if let errorDescriptor { System.close(errorDescriptor) }
  }
}

extension ChildProcess {
  /// Waits until the program ends; the C function is `waitpid`.
  package func wait() throws(SystemError) -> Exit {
    while true {
      if let exit = try wait(timeoutMilliseconds: 1000) { return exit }
    }
  }

  /// Waits until the program ends, or until a timeout.
  ///
  /// - Returns: How the program ended; `nil` if it is still running.
  package func wait(timeoutMilliseconds: Int) throws(SystemError) -> Exit? {
    let deadline = MonotonicClock.deadline(inMilliseconds: timeoutMilliseconds)
    while true {
      if let exit = try poll() { return exit }
      if MonotonicClock.nanoseconds() >= deadline { return nil }
      MonotonicClock.sleep(milliseconds: 1)
    }
  }

  private func poll() throws(SystemError) -> Exit? {
    try state.withLock { state throws(SystemError) in
      if let exit = state.exit { return exit }
      var status: Int32 = 0
      // Unsafe: C writes to a local variable.
      let ended = try System.call(.waitpid, nil) {
        unsafe waitpid(identifier, &status, WNOHANG)
      }
      guard ended == identifier else { return nil }
      // The low 7 bits are the signal. If they are 0, the next 8 bits are the exit code.
      let signal = status & 0x7f
      state.exit = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
      return state.exit
    }
  }

  /// Sends a signal, unless the program is known to have ended; the C function is `kill`.
  ///
  /// - Parameter signal: The signal; by default 9, `SIGKILL`.
  package func kill(_ signal: Int32 = 9) {
    // The lock keeps the identifier from being reused before the signal is sent.
    state.withLock { state in
      if state.exit == nil { _ = Glibc.kill(identifier, signal) }
    }
  }

  /// Kills the program and the processes that it started, unless the program is known to have
  /// ended; only for a program that was started with ``Options/ownGroup``.
  package func killGroup() {
    state.withLock { state in
      if state.exit == nil { _ = Glibc.kill(-identifier, SIGKILL) }
    }
  }

  /// This process's end of the program's input; `nil` if it is closed or not a pipe.
  var inputDescriptor: Int32? { state.withLock { $0.input } }

  /// Writes bytes to the program's input.
  ///
  /// - Throws: ``SystemError``, `.brokenPipe` if the program no longer reads, `.badFileDescriptor`
  ///   if its input is closed or not a pipe.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    ThisProcess.ignoreBrokenPipes()
    guard let input = inputDescriptor else {
      throw SystemError(.badFileDescriptor, during: .write)
    }
    try writeAll(bytes.span, to: input, nil)
  }

  /// Writes a text to the program's input, without adding a line end.
  package func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8))
  }

  package func closeInput() {
    state.withLock { state in
      if let input = state.input { System.close(input) }
      state.input = nil
    }
  }

  /// Reads a line of the program's output.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: The longest wait; `nil` for no limit.
  ///   - limitBytes: The largest size of a line.
  /// - Returns: The line without its end, or `nil` at the end of the output.
  /// - Throws: ``SystemError``, `.tryAgain` after the timeout.
  package func readLine(
    timeoutMilliseconds: Int? = nil, limitBytes: Int = 1 << 24
  ) throws(SystemError) -> String? {
    let deadline = timeoutMilliseconds.map { MonotonicClock.deadline(inMilliseconds: $0) }
    let line = try outputReader.withLock { reader throws(SystemError) in
      try reader.next(limitBytes: limitBytes, deadline: deadline)
    }
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads the program's standard error to its end.
  package func readError(limitBytes: Int = 1 << 30) throws(SystemError) -> [UInt8] {
    try errorReader.withLock { reader throws(SystemError) in
      try reader.readToEnd(limitBytes: limitBytes)
    }
  }
}
