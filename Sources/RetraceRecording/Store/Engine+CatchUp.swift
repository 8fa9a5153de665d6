import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage

/// Folding what other processes appended.
extension Engine {
  /// The most records that are folded while every other writer waits, at the first try.
  static var recordsUnderLockMax: UInt64 { 256 }
  /// The most records that are folded in one read transaction.
  private static var recordsPerSnapshotMax: UInt64 { 8192 }

  /// Folds what others appended, up to the end of the log.
  ///
  /// - Complexity: O(records folded), in read transactions of some thousand records.
  mutating func catchUp(in storage: LogStorage) throws(StoreError) {
    // A store that closed for writing keeps the state that it had; one whose commits wait is alone.
    guard !storage.isClosedForWriting, !storage.isDeferring else { return }
    var isBehind = true
    while isBehind {
      isBehind = try storage.withSnapshot { snapshot throws(StoreError) in
        let here = committed.fold.sequence
        let end = snapshot.head.sequence
        guard end != here else { return false }
        try fold(snapshot, through: min(end, here + Self.recordsPerSnapshotMax), in: storage)
        return committed.fold.sequence < end
      }
    }
  }

  /// Folds the little that is missing, inside the write transaction.
  ///
  /// - Parameter limit: The most records to fold. It has to grow from try to try: a writer of large
  ///   batches may have appended more whenever it is this process's turn.
  /// - Returns: Whether the state now stands at the end of the log; `false` if more is missing than
  ///   others should wait for.
  mutating func catchUp(
    to head: Head, limit: UInt64, in storage: LogStorage
  ) throws(StoreError) -> Bool {
    let here = committed.fold.sequence
    if head.sequence == here { return true }
    if head.sequence > here, head.sequence - here > limit { return false }
    // Nobody can commit meanwhile, so a view that begins now is that of the write transaction.
    try storage.withSnapshot { snapshot throws(StoreError) in
      try fold(snapshot, through: head.sequence, in: storage)
    }
    return true
  }

  /// Folds records of others up to a sequence; what was folded before one that cannot be stays.
  ///
  /// Effects are dropped: they belong to the session that appended their record.
  private mutating func fold(
    _ snapshot: borrowing LogSnapshot, through last: UInt64, in storage: LogStorage
  ) throws(StoreError) {
    let first = committed.fold.sequence
    guard last > first else {
      throw StoreError(
        .storageFailed, what: "The store cannot go on.",
        why: "The log ends at record \(last), this process had folded \(first).",
        advice: "Close the store and open it again.")
    }
    defer { if committed.fold.sequence > first { caughtUp = committed.fold } }
    do throws(StoreError) {
      try scan(snapshot, through: last)
    } catch {
      if error.code == .incompatible { storage.closeForWriting(error) }
      throw error
    }
  }

  private mutating func scan(
    _ snapshot: borrowing LogSnapshot, through last: UInt64
  ) throws(StoreError) {
    committed.fold.prepare(for: last - committed.fold.sequence)
    try snapshot.scan(
      from: committed.fold.sequence + 1, through: last
    ) { record throws(StoreError) in
      if record.kind == .sessionOpened { try checkReducer(record) }
      if record.kind == .action, !committed.records.plan.decodesDirectly(record.schema),
        committed.records.plan.schema(record.schema) == nil
      {
        // Others may have brought this build's own schema to the log.
        committed.records.plan = try snapshot.planWithVerdicts(for: App.self)
        // What would have to be resolved was written by another build.
        guard committed.records.plan.decodesDirectly(record.schema) else {
          throw StoreError(
            FoldError.otherSchema(sequence: record.sequence, schema: record.schema))
        }
      }
      try snapshot.take(record, into: &committed.records)
      committed.recordsSinceHash =
        record.stateHash != nil ? 0 : committed.recordsSinceHash + (record.kind == .action ? 1 : 0)
    }
  }

  /// Refuses to go on beside a session whose reducer may lead to another state.
  private borrowing func checkReducer(
    _ record: borrowing RecordCursor
  ) throws(StoreError) {
    guard identity.reducerFingerprint != .zero,
      let opened = try? SessionOpened(encoded: record.payload),
      opened.reducer != .zero, opened.reducer != identity.reducerFingerprint
    else { return }
    throw StoreError(
      .incompatible, what: "The store was closed for writing; what it shows is not the latest.",
      why: "Record \(record.sequence) opens a session of build \(opened.build), "
        + "whose reducer is not that of this build.",
      advice: "Close this program and start the build that the others use; nothing is lost.")
  }
}
