import Retrace
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

  var published: PublishedState<App> { PublishedState(committed.fold, pages: saver.keeper.pages) }

  /// The sequence of the last record on stable storage.
  var durableSequence: UInt64 { durable?.fold.sequence ?? committed.fold.sequence }

  var foldFingerprint: FoldFingerprint { saver.keeper.fingerprint }

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

  /// The reason why a transaction ends before its batches are decided.
  private enum Obstacle {
    /// Other processes appended more records than this process may fold in the write transaction.
    case isBehind
    /// A dead session left an attempt under the number that this session would get.
    case sessionNumberIsTaken
  }

  /// Commits batches together, in order, and returns a receipt for each that needs one.
  ///
  /// - Parameters:
  ///   - closing: Whether the session ends with this commit.
  ///   - key: The idempotency key of the batch, if it is known before the batch; otherwise `nil`.
  ///   - context: The context of the commit.
  ///   - answer: For the group of one input, what follows a command; see ``InputAnswer``.
  ///   - access: The access of the writer's job.
  ///   - decide: Returns the batches, none empty, for a state that no other process can change
  ///     meanwhile. If it returns none, no action is appended, and if it throws, nothing at all.
  mutating func commit(
    closing: Bool, key: String? = nil, in context: GroupWriter<App>.CommitContext,
    answering answer: InputAnswer<App>? = nil, by access: borrowing LogWriter.Access,
    _ decide: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> CommitResult<App> {
    groups.setContext(context)
    while true {
      var obstacle: Obstacle?
      var result = CommitResult<App>()
      var next: LogState<App>?
      do throws(StoreError) {
        try access.append { (appender: inout LogAppender) throws(StoreError) in
          obstacle = try self.obstacle(to: appender, in: access.log)
          if obstacle != nil { return }
          if let key, let kept = try appender.batch(ofKey: Array(key.utf8)) {
            result.repeated = [0: .success(committed.receipt(of: kept))]
            return
          }
          let batches = try decide(committed.fold.state)
          var failure: StoreError?
          var transaction = GroupTransaction(
            consume appender, after: committed, realTime: groups.realTime(),
            keeper: saver.keeper, by: access)
          do throws(StoreError) {
            try self.groups.append(
              batches, closing: closing, answering: answer, in: &transaction)
          } catch {
            failure = error
          }
          (next, result) = (transaction.next, transaction.result)
          appender = transaction.appender
          if let failure { throw failure }
        }
      } catch {
        abort(access.log)
        throw error
      }
      switch obstacle {
      case .isBehind: try catchUpOutsideTransaction(access)
      case .sessionNumberIsTaken: _ = try recordCrashes(by: access)
      case nil:
        if let next, next.fold.sequence > committed.fold.sequence { committed = next }
        return result
      }
    }
  }

  /// Folds the records before the end of the log, and returns the obstacle to a group, if any.
  private mutating func obstacle(
    to appender: borrowing LogAppender, in log: LogStorage
  ) throws(StoreError) -> Obstacle? {
    guard try catchUp(to: appender.head, within: Self.foldTimeMaxNanoseconds, in: log) else {
      return .isBehind
    }
    guard committed.session == nil, try log.hasAttempt(ofSession: appender.nextSequence) else {
      return nil
    }
    return .sessionNumberIsTaken
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

  /// Returns whether a catch-up has nothing to do: the log has no record of another process, no
  /// stored page is damaged, and no snapshot is due.
  func isCurrent(_ access: borrowing LogWriter.Access) throws(StoreError) -> Bool {
    let log = access.log
    guard !hasPageError, !mayHaveToSave else { return false }
    if log.isClosedForWriting || log.isDeferring { return true }
    return try log.head().sequence == committed.fold.sequence
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
      var next: LogState<App>?
      var sequences: [UInt64] = []
      var isCaughtUp = false
      do throws(StoreError) {
        try access.append { (appender: inout LogAppender) throws(StoreError) in
          isCaughtUp = try self.catchUp(
            to: appender.head, within: Self.foldTimeMaxNanoseconds, in: log)
          guard isCaughtUp else { return }
          var failure: StoreError?
          var transaction = GroupTransaction(
            consume appender, after: committed, realTime: groups.realTime(),
            keeper: saver.keeper, by: access)
          do throws(StoreError) {
            sequences = try self.groups.appendDeadSessions(in: &transaction)
          } catch {
            failure = error
          }
          next = transaction.next
          appender = transaction.appender
          if let failure { throw failure }
        }
      } catch {
        if committed.session == nil { try? leaveSession(log) }
        throw error
      }
      guard isCaughtUp else {
        try catchUpOutsideTransaction(access)
        continue
      }
      if let next, next.fold.sequence > committed.fold.sequence { committed = next }
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
