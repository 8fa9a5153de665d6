import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage

/// Folding what other processes appended.
extension Engine {
  /// For how long records are folded while every other writer waits, at the first try, in
  /// nanoseconds: as long as a group of another may take, which was committed right before.
  ///
  /// It has to grow from try to try: others may append as fast as this folds.
  static var turnTimeMin: Int64 { 50_000_000 }
  /// The most records that are folded in one read transaction.
  private static var recordsPerSnapshotMax: UInt64 { 1024 }

  /// Folds what others had appended when the call began; the log may have gone on meanwhile.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  mutating func catchUp(in storage: LogStorage) throws(StoreError) {
    // A store that closed for writing keeps the state that it had; one whose commits wait is alone.
    guard !storage.isClosedForWriting, !storage.isDeferring else { return }
    _ = try catchUp(to: storage.head(), within: .max, in: storage)
  }

  /// Folds what others append, for as long as it gains on them.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  mutating func gainOnOthers(in storage: LogStorage) throws(StoreError) {
    var end = try storage.head()
    while true {
      let here = committed.fold.sequence
      _ = try catchUp(to: end, within: Self.turnTimeMin, in: storage)
      let next = try storage.head()
      let (folded, appended) = (committed.fold.sequence - here, next.sequence - end.sequence)
      guard next.sequence > committed.fold.sequence, folded / 2 > appended else { return }
      end = next
    }
  }

  /// Folds what is missing up to a head of the log, in the write transaction or outside of it.
  ///
  /// - Parameter time: After how many nanoseconds it stops; what was folded by then stays.
  /// - Returns: Whether the state now stands there.
  mutating func catchUp(
    to head: Head, within time: Int64, in storage: LogStorage
  ) throws(StoreError) -> Bool {
    let first = committed.fold.sequence
    if head.sequence == first { return true }
    // Taken at the end: what is folded while somebody holds the state before has to be copied.
    defer {
      if committed.fold.sequence > first {
        caughtUp = Store.Published(committed.fold, pages: keeper.pages)
      }
    }
    let begin = MonotonicClock.nanoseconds()
    repeat {
      let last = min(head.sequence, committed.fold.sequence + Self.recordsPerSnapshotMax)
      // In the write transaction nobody can commit, so a view that begins now is its view.
      try storage.withSnapshot { snapshot throws(StoreError) in
        try fold(snapshot, through: last, in: storage)
      }
      if head.sequence == committed.fold.sequence { return true }
    } while MonotonicClock.nanoseconds() - begin < time
    return false
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
