package import Retrace
import RetraceSystem

/// The output of a tool; text is made safe for terminals first.
package final class Output: Sendable {
  package static let standard = Output(.process)

  package let streams: StandardStreams
  private let state: Lock<State>

  package init(_ streams: StandardStreams) {
    self.streams = streams
    state = Lock(State(streams: streams))
  }

  /// Prints a line, with control characters made visible.
  package func print(_ line: String) {
    write(SafeText.line(line) + "\n")
  }

  /// Prints a text, on lines that break at blanks if standard output is a terminal.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - indent: The blanks before each line but the first.
  package func printWrapped(_ text: String, indent: Int) {
    for line in lines(of: text, indent: indent, on: .output) { print(line) }
  }

  /// Returns a text as lines that fit on a terminal; as one line for another stream.
  private func lines(
    of text: String, indent: Int, on stream: StandardStreams.Stream
  ) -> [String] {
    guard let columns = streams.size(of: stream)?.columns else { return [text] }
    return TextWidth.lines(of: SafeText.line(text), fitting: columns, indent: indent)
  }

  /// Prints a JSON value, which escapes control characters; on one line unless `indented`.
  package func print(_ value: JSONValue, indented: Bool = false) {
    write(value.text(indented: indented) + "\n")
  }

  /// Prints a prompt, which has to be safe already, without ending the line.
  package func prompt(_ text: String) {
    write(text)
    flush()
  }

  /// Prints a prompt to standard error, with control characters made visible, without ending the
  /// line.
  package func promptError(_ text: String) {
    flush()
    try? streams.write(Array(SafeText.line(text).utf8), .error)
  }

  /// Prints text that is safe already, unchanged and with its line breaks.
  package func printRaw(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Prints bytes unchanged, without waiting for more.
  package func printBytes(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.error == nil else { return }
      state.pending += bytes
      state.flush()
    }
  }

  /// Prints a line to standard error, with control characters made visible.
  package func printError(_ line: String) {
    flush()
    try? streams.write(Array((SafeText.line(line) + "\n").utf8), .error)
  }

  /// Prints a text to standard error, on lines that break at blanks if that is a terminal.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - indent: The blanks before each line but the first.
  package func printErrorWrapped(_ text: String, indent: Int = 0) {
    for line in lines(of: text, indent: indent, on: .error) { printError(line) }
  }

  /// Prints a whole JSON value to standard error, on one line.
  package func printError(_ value: JSONValue) {
    flush()
    try? streams.write(Array((value.text() + "\n").utf8), .error)
  }

  /// Writes text that is safe already to standard error, unchanged and at once.
  package func writeError(safe text: String) { try? streams.write(Array(text.utf8), .error) }

  /// Buffers the output from now on, and writes it in large pieces, for commands that print many
  /// lines.
  ///
  /// The rest is written when the tool ends, or by ``flush()``.
  package func startBuffering() {
    state.withLock { $0.isBuffered = true }
  }

  /// Shows the output with a pager from now on, once it has more lines than the screen.
  ///
  /// Shorter output is printed as it is when the tool ends, or by ``flush()``. Output that a pager
  /// leaves unread is not a failure.
  package func startPaging(_ pager: Pager) {
    state.withLock { state in
      guard state.paging == nil else { return }
      state.flush()
      state.paging = .waiting(pager, lines: 0)
    }
  }

  /// Writes the buffered output, and waits until a pager has shown it.
  package func flush() {
    state.withLock { state in
      state.endPaging()
      state.flush()
    }
  }

  /// Whether standard output has failed, so that printing more is useless.
  package var hasFailed: Bool { state.withLock { $0.error != nil } }

  /// The failure of output that was cut off; `nil` if it was not, or if the reader closed the pipe.
  package var failure: ToolFailure? {
    guard let error = state.withLock({ $0.error }), error.code != .brokenPipe else { return nil }
    return ToolFailure(
      what: "The output is incomplete.", why: "\(error).",
      advice: "The command itself succeeded; free some space, or redirect the output.",
      exitCode: ToolExit.storage)
  }

  /// Writes the buffered output, and prints a failure to standard error.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - tool: The name of the tool.
  ///   - asJSON: Whether its four parts are printed as JSON, and not as text.
  ///   - isBrief: Whether text has two lines: what failed and why, and the advice.
  package func report(_ failure: ToolFailure, of tool: String, asJSON: Bool, isBrief: Bool) {
    if asJSON {
      printError(failure.json)
    } else if isBrief {
      // For an invalid command line, the reason is enough.
      let what = failure.exitCode == ToolExit.usage ? "" : "\(failure.what) "
      printErrorWrapped("\(tool): \(what)\(failure.why)", indent: tool.utf8.count + 2)
      printErrorWrapped("  \(failure.advice)", indent: 2)
    } else {
      printError("\(tool): \(failure.what)")
      printError("  why: \(failure.why)")
      printError("  do:  \(failure.advice)")
      printError("  exit code \(failure.exitCode)")
    }
  }

  private func write(_ text: String) {
    state.withLock { state in
      // A closed pipe or a full disk stops the output, but not the command's work.
      guard state.error == nil else { return }
      state.pending.append(contentsOf: text.utf8)
      if state.paging != nil { return state.page(text) }
      if !state.isBuffered || state.pending.count >= 1 << 16 { state.flush() }
    }
  }

  fileprivate struct State {
    let streams: StandardStreams
    var error: SystemError?
    var isBuffered = false
    var pending: [UInt8] = []
    var paging: Paging?

    mutating func flush() {
      guard error == nil, !pending.isEmpty else { return }
      do throws(SystemError) {
        try streams.write(pending, .output)
      } catch {
        self.error = error
      }
      pending.removeAll(keepingCapacity: true)
    }
  }

  fileprivate enum Paging {
    /// The output has fitted on the screen so far.
    case waiting(Pager, lines: Int)
    /// A pager is running. `sent` is the first part of its input.
    case running(ChildProcess, sent: [UInt8])
  }
}

extension Output.State {
  /// The most bytes that are kept, in case the shell does not find the pager.
  ///
  /// A pipe holds 65,536 bytes, so a pager that received more exists and has read some.
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

  mutating func endPaging() {
    sendToPager()
    let ended = paging
    paging = nil
    guard case .running(let child, let sent) = ended else { return }
    child.closeInput()
    // Without a pager, its input is printed.
    if Pager.wasMissing(try? child.wait()) { pending = sent + pending }
  }
}
