public import Retrace
import RetraceSystem

/// The way to fold a log in a child process, after an earlier process crashed while folding it.
///
/// The program starts itself with other arguments, calls ``LogStorage/foldNotingEachRecord(_:at:)``
/// there and exits. If a record crashes the reducer, only the child crashes, and its parent can
/// name the record. Without a trial, the program crashes at that record twice more before it is
/// named.
public struct FoldTrial: Hashable, Sendable {
  /// The arguments after the program's name.
  public var arguments: [String]

  /// Creates a trial from the arguments after the program's name.
  public init(arguments: [String]) { self.arguments = arguments }
}

extension LogStorage {
  /// Checks in a child process that a reducer can fold the log, if a process crashed folding it.
  ///
  /// - Parameters:
  ///   - trial: How to fold in a child process; `nil` skips the check.
  ///   - reducer: The fingerprint of the reducer.
  /// - Complexity: O(1); O(records in the log) after a crash during a fold.
  /// - Throws: ``StoreError/Code/reducerTrapped(sequence:)`` with the record that crashed the
  ///   child.
  package func requireFoldable(_ trial: FoldTrial?, by reducer: Digest) throws(StoreError) {
    guard let trial, folding.hasCrashed(with: reducer) else { return }
    var options = ChildProcess.Options()
    (options.input, options.output, options.error) = (.discard, .discard, .discard)
    options.variables["SWIFT_BACKTRACE"] = "enable=no"
    let exit: ChildProcess.Exit
    let process: Int32
    do throws(SystemError) {
      // The running program, even if its path now leads to another one.
      let child = try ChildProcess.spawn("/proc/self/exe", trial.arguments, options: options)
      process = child.identifier
      exit = try child.wait()
    } catch {
      throw StoreError(error, in: path, doing: "be folded in a child process")
    }
    switch exit {
    case .exited(0): folding.forget(reducer)
    // Folding in this process then fails with the same error.
    case .exited: return
    case .signalled(let signal): throw trialError(process, by: signal)
    }
  }

  /// Returns whether a fold with a reducer notes each record, as it does after a crash in a fold.
  ///
  /// Damage that crashes LMDB in such a fold looks like a crash of the reducer. So a caller should
  /// finish all other reading of the log before the fold.
  package func notesEachRecord(foldedBy reducer: Digest) -> Bool {
    folding.notesEachRecord(foldedBy: reducer)
  }

  private func trialError(_ process: Int32, by signal: Int32) -> StoreError {
    let shutdown = UncleanShutdown.find(by: process, in: path)
    shutdown?.remove(in: path)
    if let shutdown, shutdown.sequence > 0, StoreError.isTrap(signal) {
      return .reducerTrapped(shutdown.sequence, in: path)
    }
    return StoreError(
      .storageFailed, what: "The log of \(path) was not folded.",
      why: "The process that folded it was ended by signal \(signal).", advice: "Try again.")
  }

  /// Folds a log and notes each record first; the child process of a trial calls this.
  ///
  /// - Complexity: O(records in the log), each noted by one system call.
  /// - Throws: ``StoreError``.
  public static func foldNotingEachRecord<App: ReplayableApp>(
    _ app: App.Type, at path: String
  ) throws(StoreError) {
    let storage = try open(at: path, access: .read)
    defer { storage.close() }
    storage.folding.noteAll()
    try storage.withReadView { view throws(StoreError) in
      var records = RecordFold(plan: try view.plan(for: App.self))
      try view.fold(into: &records, through: view.head.sequence)
    }
  }
}

extension StoreError {
  /// Returns whether a signal means that a program crashed: a trap, an abort, a stack overflow or a
  /// division error.
  package static func isTrap(_ signal: Int32) -> Bool { [4, 5, 6, 8, 11].contains(signal) }
}

extension ReadView {
  /// Calls `body` with each record of a range in order, and notes that the range is being folded.
  ///
  /// - Parameters:
  ///   - reducer: The fingerprint of the reducer.
  ///   - first: The first sequence.
  ///   - last: The last sequence, at most the head's.
  ///   - body: Receives each record.
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: As ``scan(from:through:_:)``; ``StoreError/Code/reducerTrapped(sequence:)`` if two
  ///   processes crashed while they folded one record with this reducer.
  public func scan(
    foldingBy reducer: Digest, from first: UInt64, through last: UInt64,
    _ body: (borrowing RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let notes = folding else { return try scan(from: first, through: last, body) }
    let notesEach = try notes.begin(reducer)
    do throws(StoreError) {
      if notesEach {
        try scan(from: first, through: last) { record throws(StoreError) in
          notes.noteFolding(record.sequence)
          try body(record)
        }
      } else {
        try scan(from: first, through: last, body)
      }
    } catch {
      notes.end(reducer, isWhole: false)
      throw error
    }
    notes.end(reducer, isWhole: last == head.sequence)
  }
}
