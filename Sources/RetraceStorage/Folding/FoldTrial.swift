public import RetraceArchitecture
public import RetraceAvro
public import RetraceLog
import RetraceSystem

/// How a program folds a log in a process of its own, when an earlier process ended while it did.
///
/// The program is started again with other words; there it calls
/// ``LogStorage/foldNotingEachRecord(_:at:)`` and ends. So a record at which the reducer ends the
/// program ends that process, and this one can tell which it is. Without a trial the program ends
/// twice more at the same record before it is named.
public struct FoldTrial: Hashable, Sendable {
  /// The words behind the program's name.
  public var arguments: [String]

  /// Makes a trial by the words behind the program's name.
  public init(arguments: [String]) { self.arguments = arguments }
}

extension LogStorage {
  /// Finds out whether a reducer can fold the log, if a process ended while it folded by it.
  ///
  /// - Parameters:
  ///   - trial: How to fold in a process of its own; without one nothing is found out here.
  ///   - reducer: The fingerprint of the reducer.
  /// - Complexity: O(1); O(records in the log) after a process ended while it folded.
  /// - Throws: ``StoreError/Code/reducerTrapped(sequence:)`` with the record that ends a process.
  public func requireFoldable(_ trial: FoldTrial?, by reducer: Digest) throws(StoreError) {
    guard let trial, folding.hasEnd(of: reducer) else { return }
    var options = ChildProcess.Options()
    (options.input, options.output, options.error) = (.discard, .discard, .discard)
    options.variables["SWIFT_BACKTRACE"] = "enable=no"
    let exit: ChildProcess.Exit
    let process: Int32
    do throws(SystemError) {
      // Whatever has the program's path by now.
      let child = try ChildProcess.spawn("/proc/self/exe", trial.arguments, options: options)
      process = child.identifier
      exit = try child.wait()
    } catch {
      throw StoreError(error, in: path, doing: "be folded in a process of its own")
    }
    switch exit {
    case .exited(0): folding.forget(reducer)
    // Its error is the one that folding here leads to.
    case .exited: return
    case .signalled(let signal): throw ended(process, by: signal)
    }
  }

  private func ended(_ process: Int32, by signal: Int32) -> StoreError {
    let end = UncleanEnd.left(by: process, in: path)
    end?.forget(in: path)
    if let end, end.sequence > 0, StoreError.isTrap(signal) {
      return .reducerTrapped(end.sequence, in: path)
    }
    return StoreError(
      .storageFailed, what: "The log of \(path) was not folded.",
      why: "The process that folded it was ended by signal \(signal).", advice: "Try again.")
  }

  /// Folds a log and notes each record before; what a program does that was started for a trial.
  ///
  /// - Complexity: O(records in the log), each noted by one system call.
  /// - Throws: ``StoreError``.
  public static func foldNotingEachRecord<App: ReplayableApp>(
    _ app: App.Type, at path: String
  ) throws(StoreError) {
    let storage = try open(at: path, access: .read)
    defer { storage.close() }
    storage.folding.noteAll()
    try storage.withSnapshot { snapshot throws(StoreError) in
      var records = RecordFold(plan: try snapshot.plan(for: App.self))
      try snapshot.fold(into: &records, through: snapshot.head.sequence)
    }
  }
}

extension StoreError {
  /// Whether a signal is one by which a program ends itself: a trap, an abort, a full stack.
  public static func isTrap(_ signal: Int32) -> Bool { [4, 5, 6, 8, 11].contains(signal) }
}

extension LogSnapshot {
  /// Lends the records of a range in order to be folded, and notes that they are.
  ///
  /// - Parameters:
  ///   - reducer: The fingerprint of the reducer.
  ///   - first: The first sequence wanted.
  ///   - last: The last sequence wanted; the log has to reach it.
  ///   - body: Takes each record.
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: As ``scan(from:through:_:)``; ``StoreError/Code/reducerTrapped(sequence:)`` if two
  ///   processes ended while they folded one record by this reducer.
  public func scan(
    foldingBy reducer: Digest, from first: UInt64, through last: UInt64,
    _ body: (borrowing RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let notes = folding else { return try scan(from: first, through: last, body) }
    let notesEach = try notes.begin(reducer)
    do throws(StoreError) {
      if notesEach {
        try scan(from: first, through: last) { record throws(StoreError) in
          notes.note(record.sequence)
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
