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

  /// Prints a text, on lines that break at blanks if standard output is a terminal.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - indent: The blanks before each line but the first.
  package static func printWrapped(_ text: String, indent: Int) {
    for line in lines(of: text, indent: indent, on: 1) { print(line) }
  }

  /// Returns a text as lines that fit on a terminal, or as one line if the descriptor is not a
  /// terminal.
  static func lines(of text: String, indent: Int, on descriptor: Int32) -> [String] {
    guard Terminal.isTerminal(descriptor), let columns = Terminal.size(descriptor)?.columns else {
      return [text]
    }
    return TextWidth.lines(of: SafeText.line(text), fitting: columns, indent: indent)
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

  /// Shows the output with a pager from now on, once it has more lines than the screen.
  ///
  /// Shorter output is printed as it is when the tool ends, or by ``flush()``. Output that a pager
  /// leaves unread is not a failure.
  package static func startPaging(_ pager: Pager) {
    state.withLock { state in
      guard state.paging == nil else { return }
      state.flush()
      state.paging = .waiting(pager, lines: 0)
    }
  }

  /// Writes the buffered output, and waits until a pager has shown it.
  package static func flush() {
    state.withLock { state in
      state.endPaging()
      state.flush()
    }
  }

  /// Whether standard output has failed, so that printing more is useless.
  package static var hasFailed: Bool { state.withLock { $0.error != nil } }

  /// The error that ended the output early, if any, except that the reader closed the pipe.
  static var failure: SystemError? {
    state.withLock { $0.error.flatMap { $0.code == .brokenPipe ? nil : $0 } }
  }

  private static func write(_ text: String) {
    state.withLock { state in
      // A closed pipe or a full disk stops the output, but not the command's work.
      guard state.error == nil else { return }
      state.pending.append(contentsOf: text.utf8)
      if state.paging != nil { return state.page(text) }
      if !state.isBuffered || state.pending.count >= 1 << 16 { state.flush() }
    }
  }

  private static let state = Lock(State())

  fileprivate struct State {
    var error: SystemError?
    var isBuffered = false
    var pending: [UInt8] = []
    var paging: Paging?

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

  /// The state of paging.
  fileprivate enum Paging {
    /// The output has fitted on the screen so far.
    case waiting(Pager, lines: Int)
    /// A pager runs; the first part of what it got.
    case running(ChildProcess, sent: [UInt8])
  }
}

extension Output.State {
  /// The most bytes that are kept in case that the shell does not find the pager.
  ///
  /// A pipe holds 65,536 bytes, so a pager that got more has read some.
  private static var keptMax: Int { 1 << 17 }

  /// Counts the lines of a text that is pending, and starts the pager if they are too many.
  mutating func page(_ text: String) {
    switch paging {
    case nil: break
    case .waiting(let pager, let before):
      let lines = before + text.utf8.count { $0 == UInt8(ascii: "\n") }
      paging = .waiting(pager, lines: lines)
      guard lines >= pager.rows else { return }
      switch pager.start() {
      case .plain:
        paging = nil
        isBuffered = true
      case .running(let child): paging = .running(child, sent: [])
      }
    case .running where pending.count >= 1 << 16: sendToPager()
    case .running: break
    }
  }

  private mutating func sendToPager() {
    guard case .running(let child, var sent) = paging, error == nil else { return }
    do throws(SystemError) {
      try child.write(pending)
      if sent.count < Self.keptMax { sent += pending }
      pending.removeAll(keepingCapacity: true)
    } catch {
      // The user has left the pager, or the shell found none.
      if Pager.wasMissing(try? child.wait(timeoutMilliseconds: 1_000)) {
        paging = nil
        isBuffered = true
        pending = sent + pending
        return
      }
      pending = []
      self.error = error
    }
    paging = .running(child, sent: sent)
  }

  /// Waits for the end of the pager.
  mutating func endPaging() {
    sendToPager()
    let ended = paging
    paging = nil
    guard case .running(let child, let sent) = ended else { return }
    child.closeInput()
    // What nothing has read is printed.
    if Pager.wasMissing(try? child.wait()) { pending = sent + pending }
  }
}
