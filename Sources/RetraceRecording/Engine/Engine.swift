import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage

/// The data that the writer's jobs work on: the state, the session and the saver of states.
///
/// Batches arrive encoded. In the write transaction, records of other processes are folded first.
/// Then the group is noted in the attempt, reduced on a copy of the state, appended and
/// committed. Only then does the copy become the state. Everything that appends or folds takes the
/// access value that only a job of the writer has.
struct Engine<App: ReplayableApp>: ~Copyable, Sendable {
  /// The state after the last known record of the log, from this or another process.
  private(set) var committed: LogState<App>
  /// The state after the last record on stable storage; `nil` unless durability is relaxed.
  private var durable: LogState<App>?
  /// The state after records of other processes, to be published; `nil` once taken.
  private var stateAfterCatchUp: PublishedState<App>?
  private var groups: GroupWriter<App>
  private var saver: StateSaver<App>
  let identity: AppIdentity
  private let configuration: StoreConfiguration

  init(
    records: RecordFold<App>, keeper: SnapshotKeeper<App>, configuration: StoreConfiguration,
    identity: AppIdentity, reducer: WorkerThread
  ) {
    committed = LogState(records)
    groups = GroupWriter(configuration: configuration, identity: identity, reducer: reducer)
    saver = StateSaver(keeper, releaser: reducer)
    self.configuration = configuration
    self.identity = identity
  }

  // MARK: Properties

  /// The state and the sequence of its last record.
  var fold: Fold<App> { committed.fold }

  /// The state to publish.
  var published: PublishedState<App> { PublishedState(committed.fold, pages: saver.keeper.pages) }

  /// The sequence of the last record on stable storage.
  var durableSequence: UInt64 { durable?.fold.sequence ?? committed.fold.sequence }

  /// The fingerprint with which states of this fold are saved.
  var foldFingerprint: FoldFingerprint { saver.keeper.fingerprint }

  /// Whether a page that the state was read from is damaged.
  var hasPageError: Bool { saver.hasPageError }

  /// Whether ``saveIfDue(by:hasMoreQueued:)`` may have work to do.
  var mayHaveToSave: Bool { saver.mayHaveToSave(committed) }

  /// Takes the state after records of other processes, if there were any since the last call.
  @inline(__always)
  mutating func takeStateAfterCatchUp() -> PublishedState<App>? {
    let taken = stateAfterCatchUp
    stateAfterCatchUp = nil
    return taken
  }

  // MARK: Committing

  /// Commits batches together, in order, and returns a receipt for each that needs one.
  ///
  /// - Parameters:
  ///   - batches: The batches, none empty.
  ///   - closing: Whether the session ends with this commit.
  ///   - context: The context of the commit.
  mutating func commit(
    _ batches: [PendingBatch<App>], closing: Bool = false,
    in context: GroupWriter<App>.CommitContext, by access: borrowing LogWriter.Access
  ) throws(StoreError) -> CommitResult<App> {
    guard batches.count > 0 || (closing && committed.session != nil) else { return CommitResult() }
    groups.setContext(context)
    return try write(closing: closing, by: access) { _ throws(StoreError) in batches }
  }

  /// Commits the batch that `decide` returns for a state that no other process can change
  /// meanwhile.
  ///
  /// - Parameter decide: Returns the batch; if it is empty, no action is appended, and if this
  ///   throws, nothing at all.
  mutating func transact(
    closing: Bool, key: String? = nil, in context: GroupWriter<App>.CommitContext,
    by access: borrowing LogWriter.Access,
    _ decide: (borrowing App.State) throws(StoreError) -> PendingBatch<App>
  ) throws(StoreError) -> CommitResult<App> {
    groups.setContext(context)
    return try write(closing: closing, key: key, by: access) { state throws(StoreError) in
      let batch = try decide(state)
      return batch.actions.isEmpty ? [] : [batch]
    }
  }

  /// The outcome of one attempt in the write transaction.
  private enum TransactionOutcome {
    case done(CommitResult<App>)
    /// Other processes appended more records than this process may fold in the write transaction.
    case behind
    /// A dead session left an attempt under the number that this session would get.
    case sessionNumberTaken
  }

  private mutating func write(
    closing: Bool, key: String? = nil, by access: borrowing LogWriter.Access,
    _ batches: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> CommitResult<App> {
    while true {
      switch try tryWrite(closing: closing, key: key, by: access, batches) {
      case .done(let result): return result
      case .behind: try catchUpOutsideTransaction(access)
      case .sessionNumberTaken: _ = try recordCrashes(by: access)
      }
    }
  }

  /// Catches up, gets the batches, notes, reduces, appends and commits them, in one transaction.
  private mutating func tryWrite(
    closing: Bool, key: String?, by access: borrowing LogWriter.Access,
    _ decide: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> TransactionOutcome {
    var outcome = TransactionOutcome.done(CommitResult())
    var next = committed
    var hasAppended = false
    do throws(StoreError) {
      try access.append { (appender: inout LogAppender) throws(StoreError) in
        guard
          try self.catchUp(to: appender.head, within: Self.foldTimeMaxNanoseconds, in: access.log)
        else {
          return outcome = .behind
        }
        if committed.session == nil, try access.log.hasAttempt(ofSession: appender.nextSequence) {
          return outcome = .sessionNumberTaken
        }
        var result = CommitResult<App>()
        if let key, let kept = try appender.batch(ofKey: Array(key.utf8)) {
          result.repeated = [0: .success(committed.receipt(of: kept))]
          return outcome = .done(result)
        }
        let batches = try decide(committed.fold.state)
        if batches.count > 1 || (batches.count == 1 && batches[0].key != nil) {
          result.repeated = try committed.outcomesOfRepeated(batches, in: appender)
        }
        var fresh = batches
        var places: [Int] = []
        if let repeated = result.repeated {
          places = batches.indices.filter { repeated[$0] == nil }
          fresh = places.map { batches[$0] }
        }
        // A batch that the log already has does not close the session.
        if fresh.count > 0 || (closing && batches.count == 0 && committed.session != nil) {
          if next.fold.sequence != committed.fold.sequence { next = committed }
          try self.groups.appendGroup(
            fresh, closing: closing, &next, &appender, &result, saver: self.saver, by: access)
          hasAppended = true
          // The session has no record, so its number and its lock are released.
          if next.fold.sequence == committed.fold.sequence, committed.session == nil {
            try self.groups.leaveSession(access.log)
          }
          if !places.isEmpty { result.move(to: places) }
        }
        outcome = .done(result)
      }
    } catch {
      abort(access.log)
      throw error
    }
    if hasAppended && next.fold.sequence > committed.fold.sequence { committed = consume next }
    return outcome
  }

  /// Discards the preparations of a failed transaction.
  private mutating func abort(_ log: LogStorage) {
    groups.abort()
    // Another process may get the session's number now.
    if committed.session == nil { try? leaveSession(log) }
  }

  /// Removes the attempt and frees the session's lock.
  mutating func leaveSession(_ log: LogStorage) throws(StoreError) {
    try groups.leaveSession(log)
  }

  // MARK: Catching up

  /// How long records are folded while every other writer waits.
  ///
  /// A process that gets the write lock mostly has only a few groups to fold, which takes much less
  /// than this time. If the process released the lock to fold them, it would have to wait while
  /// other processes append the next groups. Waiters for the lock give up after ten seconds.
  private static var foldTimeMaxNanoseconds: Int64 { 1_000_000_000 }
  /// The most records folded in one read transaction.
  private static var recordsPerReadViewMax: UInt64 { 1024 }

  /// Folds the records that are in the log when the call begins, but not those appended later.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  mutating func catchUp(_ access: borrowing LogWriter.Access) throws(StoreError) {
    let log = access.log
    // A store closed for writing keeps its state, and with relaxed durability no other process can
    // write.
    guard !log.isClosedForWriting, !log.isDeferring else { return }
    _ = try catchUp(to: log.head(), within: .max, in: log)
  }

  /// Folds records of other processes, for as long as it folds more than twice as fast as they
  /// append.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  private mutating func catchUpOutsideTransaction(
    _ access: borrowing LogWriter.Access
  ) throws(StoreError) {
    let log = access.log
    var end = try log.head()
    while true {
      let here = committed.fold.sequence
      _ = try catchUp(to: end, within: Self.foldTimeMaxNanoseconds, in: log)
      let next = try log.head()
      let (folded, appended) = (committed.fold.sequence - here, next.sequence - end.sequence)
      guard next.sequence > committed.fold.sequence, folded / 2 > appended else { return }
      end = next
    }
  }

  /// Folds the missing records up to a head of the log, inside or outside the write transaction.
  ///
  /// - Parameter time: The nanoseconds after which it stops, keeping what it has folded.
  /// - Returns: Whether the state has reached the head.
  private mutating func catchUp(
    to head: Head, within time: Int64, in log: LogStorage
  ) throws(StoreError) -> Bool {
    let first = committed.fold.sequence
    if head.sequence == first { return true }
    // Set at the end: folding would have to copy a state that `stateAfterCatchUp` also holds.
    defer { if committed.fold.sequence > first { stateAfterCatchUp = published } }
    let begin = MonotonicClock.nanoseconds()
    repeat {
      let last = min(head.sequence, committed.fold.sequence + Self.recordsPerReadViewMax)
      // Inside the write transaction nothing else can commit, so a new read view sees the same log.
      try log.withReadView { view throws(StoreError) in
        try committed.fold(view, through: last, for: identity, closing: log)
      }
      if head.sequence == committed.fold.sequence { return true }
    } while MonotonicClock.nanoseconds() - begin < time
    return false
  }

  // MARK: Dead sessions

  /// Appends the `crashed` records and the ends of dead sessions, and removes their attempts.
  ///
  /// A `crashed` record is appended for each batch that a dead session was reducing when its
  /// process ended and that the log lacks. It belongs to this session, which found the batch. The
  /// attempts and the log are checked under the write lock, so of several processes one
  /// records the crash. The records are durable before the files are removed. So after a crash in
  /// between, the next recovery finds the records in the log and appends none of them again.
  ///
  /// - Returns: The sequences of the `crashed` records appended.
  mutating func recordCrashes(
    by access: borrowing LogWriter.Access
  ) throws(StoreError) -> [UInt64] {
    let log = access.log
    guard try !log.orphanedAttempts().isEmpty else { return [] }
    while true {
      var next = committed
      var sequences: [UInt64] = []
      var isCaughtUp = false
      do throws(StoreError) {
        try access.append { (appender: inout LogAppender) throws(StoreError) in
          isCaughtUp = try self.catchUp(
            to: appender.head, within: Self.foldTimeMaxNanoseconds, in: log)
          guard isCaughtUp else { return }
          next = committed
          sequences = try self.groups.appendDeadSessions(&next, &appender, of: log)
        }
      } catch {
        if committed.session == nil { try? leaveSession(log) }
        throw error
      }
      guard isCaughtUp else {
        try catchUpOutsideTransaction(access)
        continue
      }
      if next.fold.sequence > committed.fold.sequence { committed = next }
      try access.removeOrphanedAttempts()
      try groups.noteIdle(committed, of: log)
      return sequences
    }
  }

  // MARK: Saving and falling back

  /// Saves the state if it is time; see ``StateSaver/saveIfDue(_:of:hasMoreQueued:)``.
  ///
  /// - Returns: The state to publish if its pages are now read from another place; the old pages
  ///   can then be released.
  mutating func saveIfDue(
    by access: borrowing LogWriter.Access, hasMoreQueued: Bool
  ) -> PublishedState<App>? {
    let pages = saver.keeper.pages
    saver.saveIfDue(&committed, of: access.log, hasMoreQueued: hasMoreQueued)
    // If a deferred commit fails, the store returns to the durable state, which must refer to the
    // pages of this save too.
    trackDurability(access.log)
    return saver.keeper.pages === pages ? nil : published
  }

  /// Removes the snapshots and folds the log from its start.
  ///
  /// - Returns: The new value of ``Store/snapshotUse``.
  mutating func refold(
    by access: borrowing LogWriter.Access
  ) throws(StoreError) -> SnapshotUse {
    let use = try saver.refold(&committed, by: access)
    stateAfterCatchUp = published
    return use
  }

  /// Records the state that is durable, or returns to it if records that waited were lost.
  mutating func trackDurability(_ log: LogStorage) {
    guard log.isDeferring, !log.hasUncommittedRecords else { return }
    if log.isClosedForWriting, let durable {
      if durable.fold.sequence != committed.fold.sequence {
        stateAfterCatchUp = PublishedState(durable.fold, pages: saver.keeper.pages)
      }
      committed = durable
    } else {
      durable = committed
    }
  }
}
