import Retrace
import RetraceSystem
package import RetraceStorage
package import RetraceToolSupport

/// Reads a log in a child process, so that damage that crashes the reader becomes an error.
///
/// LMDB trusts its file, so reading a damaged one can raise a signal. A tool that checks a log
/// therefore starts itself again, passes on the output of that process, and reports the signal that
/// ended it.
package enum ChildProcessReader {
  /// The flag that makes a command read in its own process.
  package static var flag: String { "in-this-process" }

  /// Runs the command line of this process again in a child process.
  ///
  /// - Parameter path: The store to read.
  /// - Throws: The reason why a signal ended the child: damage after the last record read, or a
  ///   reducer that traps. If the child exits with a code other than 0, it has reported its error,
  ///   and this process exits with the same code.
  package static func run(reading path: String) throws(ToolFailure) {
    let words = Array(ThisProcess.arguments.dropFirst())
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let code = try run(
      "/proc/self/exe", words[..<end] + ["--\(flag)"] + words[end...], reading: path)
    guard code == ToolExit.success else { ThisProcess.exit(code) }
  }

  /// Runs a program that reads a store, and passes on its output.
  ///
  /// - Parameters:
  ///   - executable: The program.
  ///   - arguments: The arguments after its name.
  ///   - path: The store that it reads.
  /// - Returns: Its exit code.
  /// - Throws: The errors of ``run(reading:)``.
  package static func run(
    _ executable: String, _ arguments: [String], reading path: String
  ) throws(ToolFailure) -> Int32 {
    // After a crash at an unknown record, the second process notes the sequence of each record in a
    // file before it folds the record. So the second failure names the record.
    let notes = try ReaderNotes(reading: path)
    var ended = try runOnce(executable, arguments, noting: notes)
    if case .failure(.crashAtUnknownRecord) = ended {
      ended = try runOnce(executable, arguments, noting: notes)
    }
    switch ended {
    case .success(let code): return code
    case .failure(let end): throw ToolFailure(end.error(in: path))
    }
  }

  /// Explains a signal that ended a process while it read a store.
  ///
  /// - Parameters:
  ///   - process: The process.
  ///   - signal: The signal that ended it.
  ///   - path: The log that it read.
  ///   - notes: Where it noted what it did.
  /// - Returns: The error, and whether running the same process again would name the record at
  ///   which the reducer trapped.
  package static func failure(
    of process: Int32, by signal: Int32, reading path: String, noting notes: ReaderNotes
  ) -> (error: StoreError, shouldRetry: Bool) {
    let end = SignalEnd(of: process, by: signal, noting: notes)
    if case .crashAtUnknownRecord = end { return (end.error(in: path), true) }
    return (end.error(in: path), false)
  }

  private static func runOnce(
    _ executable: String, _ arguments: [String], noting notes: ReaderNotes
  ) throws(ToolFailure) -> Result<Int32, SignalEnd> {
    var options = ChildProcess.Options()
    options.variables = notes.variables
    options.variables["SWIFT_BACKTRACE"] = "enable=no"
    (options.input, options.output, options.error) = (.discard, .pipe, .pipe)
    do throws(SystemError) {
      let child = try ChildProcess.spawn(executable, arguments, options: options)
      let (output, errors) = try child.readAll()
      switch try child.wait() {
      case .exited(let code):
        if !output.isEmpty { Output.standard.printRaw(String(decoding: output, as: UTF8.self)) }
        for line in errors.split(separator: 0x0a, omittingEmptySubsequences: true) {
          // An error as JSON is passed on as a value, because a line of text may be cut.
          if let value = try? JSONValue(parsing: String(decoding: line, as: UTF8.self)) {
            Output.standard.printError(value)
          } else {
            Output.standard.printError(String(decoding: line, as: UTF8.self))
          }
        }
        return .success(code)
      case .signalled(let signal):
        return .failure(SignalEnd(of: child.identifier, by: signal, noting: notes))
      }
    } catch {
      throw ToolFailure(
        what: "The log could not be read.", why: "The process that reads it failed: \(error).",
        advice: "Try again when the system has free memory and processes.",
        exitCode: ToolExit.storage)
    }
  }
}

/// The reason why a signal ended a process that read a log.
private enum SignalEnd: Error {
  case damage(after: UInt64, signal: Int32)
  case trap(at: UInt64)
  /// A crash during a fold, at an unknown record.
  case crashAtUnknownRecord(signal: Int32)
  /// A signal sent by another process.
  case stopped(signal: Int32)

  /// Determines the reason from what the process noted.
  init(of process: Int32, by signal: Int32, noting notes: ReaderNotes) {
    let path = notes.folder
    let shutdown = UncleanShutdown.find(by: process, in: path)
    // 7 is SIGBUS, which reading a mapped page past the end of the file raises.
    guard StoreError.isTrap(signal) || signal == 7 else {
      shutdown?.remove(in: path)
      self = .stopped(signal: signal)
      return
    }
    guard let shutdown, shutdown.reducer != nil else {
      self = .damage(after: shutdown?.sequence ?? 0, signal: signal)
      return
    }
    guard shutdown.sequence > 0 else {
      self = .crashAtUnknownRecord(signal: signal)
      return
    }
    shutdown.remove(in: path)
    self =
      signal == 7
      ? .damage(after: shutdown.sequence - 1, signal: signal) : .trap(at: shutdown.sequence)
  }

  func error(in path: String) -> StoreError {
    switch self {
    case .damage(let sequence, let signal):
      .damaged(
        sequence: sequence + 1, detail: "a process that read it was ended by signal \(signal)")
    case .trap(let sequence): .reducerTrapped(sequence, in: path)
    case .crashAtUnknownRecord(let signal), .stopped(let signal):
      StoreError(
        .storageFailed, what: "The log of \(path) was not read to its end.",
        why: "The process that read it was ended by signal \(signal).", advice: "Try again.")
    }
  }
}
