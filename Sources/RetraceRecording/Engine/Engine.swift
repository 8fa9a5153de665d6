import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage

/// What the writer's jobs work on: the state, the session, what saves the state.
///
/// A group of batches is encoded before it comes here. In the write transaction, records of other
/// processes are folded first; then the group is noted in the attempt file, reduced on a copy of
/// the state, appended and committed; only then does the copy become the state. Everything that
/// appends or folds takes the access that only a job of the writer has.
struct Engine<App: ReplayableApp>: ~Copyable, Sendable {
  /// What the log is known to hold: what the last commit left, and what others appended since.
  private(set) var committed: Progress<App>
  /// What is on stable storage, if commits wait for a window.
  private var durable: Progress<App>?
  /// The state to publish because others appended, until somebody takes it.
  private var caughtUp: Published<App>?
  private var groups: GroupWriter<App>
  private var saver: StateSaver<App>
  let identity: AppIdentity
  private let configuration: StoreConfiguration

  init(
    records: RecordFold<App>, keeper: SnapshotKeeper<App>, configuration: StoreConfiguration,
    identity: AppIdentity, reducer: WorkerThread
  ) {
    committed = Progress(records)
    groups = GroupWriter(configuration: configuration, identity: identity, reducer: reducer)
    saver = StateSaver(keeper, releaser: reducer)
    self.configuration = configuration
    self.identity = identity
  }

  // MARK: What there is

  /// The state and the sequence that it stands after.
  var fold: Fold<App> { committed.fold }

  /// What is shown of the state.
  var published: Published<App> { Published(committed.fold, pages: saver.keeper.pages) }

  /// The sequence of the last record that is on stable storage.
  var durableSequence: UInt64 { durable?.fold.sequence ?? committed.fold.sequence }

  /// What the states of this fold are saved as.
  var snapshotIdentity: SnapshotIdentity { saver.keeper.identity }

  /// Whether a page that the state was read from is not what it should be.
  var hasFault: Bool { saver.hasFault }

  /// Whether ``saveIfDue(by:isBusy:)`` may have anything to do.
  var mayHaveToSave: Bool { saver.mayHaveToSave(committed) }

  /// Takes the state that others' records led to, if they did since the last call.
  @inline(__always)
  mutating func takeCaughtUp() -> Published<App>? {
    let taken = caughtUp
    caughtUp = nil
    return taken
  }

  // MARK: Committing

  /// Commits batches together, in order, and returns a receipt for each that needs one.
  ///
  /// - Parameters:
  ///   - batches: The batches, none empty.
  ///   - closing: Whether the session ends with this commit.
  ///   - circumstances: What else is known about the commit.
  mutating func commit(
    _ batches: [PendingBatch<App>], closing: Bool = false,
    in circumstances: GroupWriter<App>.Circumstances, by access: borrowing LogWriter.Access
  ) throws(StoreError) -> Advance<App> {
    guard batches.count > 0 || (closing && committed.session != nil) else { return Advance() }
    groups.begin(circumstances)
    return try write(closing: closing, by: access) { _ throws(StoreError) in batches }
  }

  /// Commits what a body decides on the state that no other process can change before the commit.
  ///
  /// - Parameter decide: Returns the batch; an empty one or an error appends nothing.
  mutating func transact(
    closing: Bool, key: String? = nil, in circumstances: GroupWriter<App>.Circumstances,
    by access: borrowing LogWriter.Access,
    _ decide: (borrowing App.State) throws(StoreError) -> PendingBatch<App>
  ) throws(StoreError) -> Advance<App> {
    groups.begin(circumstances)
    return try write(closing: closing, key: key, by: access) { state throws(StoreError) in
      let batch = try decide(state)
      return batch.actions.isEmpty ? [] : [batch]
    }
  }

  /// How a turn in the write transaction ended.
  private enum Turn {
    case done(Advance<App>)
    /// Others appended more than is folded while they wait.
    case behind
    /// A dead session left an attempt under the number that this session would get.
    case attemptInTheWay
  }

  private mutating func write(
    closing: Bool, key: String? = nil, by access: borrowing LogWriter.Access,
    _ batches: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> Advance<App> {
    while true {
      switch try turn(closing: closing, key: key, by: access, batches) {
      case .done(let advance): return advance
      case .behind: try gainOnOthers(access)
      case .attemptInTheWay: _ = try recordCrashes(by: access)
      }
    }
  }

  /// Catches up, asks for the batches, notes, reduces, appends and commits them: one transaction.
  private mutating func turn(
    closing: Bool, key: String?, by access: borrowing LogWriter.Access,
    _ decide: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> Turn {
    var turn = Turn.done(Advance())
    var next = committed
    var hasAppended = false
    do throws(StoreError) {
      try access.append { (appender: inout LogAppender) throws(StoreError) in
        guard try self.catchUp(to: appender.head, within: Self.foldTime, in: access.log) else {
          return turn = .behind
        }
        if committed.session == nil, try access.log.hasAttempt(ofSession: appender.nextSequence) {
          return turn = .attemptInTheWay
        }
        var advance = Advance<App>()
        if let key, let kept = try appender.batch(ofKey: Array(key.utf8)) {
          advance.repeated = [0: .success(committed.receipt(of: kept))]
          return turn = .done(advance)
        }
        let batches = try decide(committed.fold.state)
        if batches.count > 1 || batches.first?.key != nil {
          advance.repeated = try committed.answers(to: batches, in: appender)
        }
        var fresh = batches
        var places: [Int] = []
        if let repeated = advance.repeated {
          places = batches.indices.filter { repeated[$0] == nil }
          fresh = places.map { batches[$0] }
        }
        if fresh.count > 0 || (closing && committed.session != nil) {
          if next.fold.sequence != committed.fold.sequence { next = committed }
          try self.groups.append(
            fresh, closing: closing, &next, &appender, &advance, saver: self.saver, by: access)
          hasAppended = true
          if !places.isEmpty { advance.move(to: places) }
        }
        turn = .done(advance)
      }
    } catch {
      abort(access.log)
      throw error
    }
    if hasAppended && next.fold.sequence > committed.fold.sequence { committed = consume next }
    return turn
  }

  /// Drops what a turn prepared that failed.
  private mutating func abort(_ log: LogStorage) {
    groups.abort()
    // Another process may get the number now.
    if committed.session == nil { try? leaveSession(log) }
  }

  /// Removes the attempt file and frees the session's lock.
  mutating func leaveSession(_ log: LogStorage) throws(StoreError) {
    try groups.leaveSession(log)
  }

  // MARK: Catching up

  /// For how long records are folded while every other writer waits, in nanoseconds.
  ///
  /// What a process lacks when it gets its turn is mostly a few groups, which take much less; to
  /// give the turn back for them would mean to wait for the next groups. A process that waits for
  /// its turn gives up only after ten seconds.
  private static var foldTime: Int64 { 1_000_000_000 }
  /// The most records that are folded in one read transaction.
  private static var recordsPerSnapshotMax: UInt64 { 1024 }

  /// Folds what others had appended when the call began; the log may have gone on meanwhile.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  mutating func catchUp(_ access: borrowing LogWriter.Access) throws(StoreError) {
    let log = access.log
    // A store that closed for writing keeps the state that it had; one whose commits wait is alone.
    guard !log.isClosedForWriting, !log.isDeferring else { return }
    _ = try catchUp(to: log.head(), within: .max, in: log)
  }

  /// Folds what others append, for as long as it gains on them.
  ///
  /// - Complexity: O(records folded), in read transactions of about a thousand records.
  private mutating func gainOnOthers(
    _ access: borrowing LogWriter.Access
  ) throws(StoreError) {
    let log = access.log
    var end = try log.head()
    while true {
      let here = committed.fold.sequence
      _ = try catchUp(to: end, within: Self.foldTime, in: log)
      let next = try log.head()
      let (folded, appended) = (committed.fold.sequence - here, next.sequence - end.sequence)
      guard next.sequence > committed.fold.sequence, folded / 2 > appended else { return }
      end = next
    }
  }

  /// Folds what is missing up to a head of the log, in the write transaction or outside of it.
  ///
  /// - Parameter time: After how many nanoseconds it stops; what was folded by then stays.
  /// - Returns: Whether the state now stands there.
  private mutating func catchUp(
    to head: Head, within time: Int64, in log: LogStorage
  ) throws(StoreError) -> Bool {
    let first = committed.fold.sequence
    if head.sequence == first { return true }
    // Taken at the end: what is folded while somebody holds the state before has to be copied.
    defer { if committed.fold.sequence > first { caughtUp = published } }
    let begin = MonotonicClock.nanoseconds()
    repeat {
      let last = min(head.sequence, committed.fold.sequence + Self.recordsPerSnapshotMax)
      // In the write transaction nobody can commit, so a view that begins now is its view.
      try log.withSnapshot { snapshot throws(StoreError) in
        try committed.fold(snapshot, through: last, for: identity, closing: log)
      }
      if head.sequence == committed.fold.sequence { return true }
    } while MonotonicClock.nanoseconds() - begin < time
    return false
  }

  // MARK: Dead sessions

  /// Appends a `crashed` record for each batch that a dead session was reducing when its process
  /// ended and that the log lacks, and the end of each dead session, and removes the attempt files
  /// of dead sessions.
  ///
  /// The `crashed` records belong to this session, which found them. What is left is looked for
  /// under the write lock, and so is what was recorded: of several processes that find the same,
  /// one records it. The records are durable before the files go, so that an end in between repeats
  /// nothing.
  ///
  /// - Returns: The sequences of the `crashed` records appended.
  mutating func recordCrashes(
    by access: borrowing LogWriter.Access
  ) throws(StoreError) -> [UInt64] {
    let log = access.log
    guard try !log.leftAttempts().isEmpty else { return [] }
    while true {
      var next = committed
      var sequences: [UInt64] = []
      var isCaughtUp = false
      do throws(StoreError) {
        try access.append { (appender: inout LogAppender) throws(StoreError) in
          isCaughtUp = try self.catchUp(to: appender.head, within: Self.foldTime, in: log)
          guard isCaughtUp else { return }
          next = committed
          sequences = try self.groups.appendDead(&next, &appender, of: log)
        }
      } catch {
        if committed.session == nil { try? leaveSession(log) }
        throw error
      }
      guard isCaughtUp else {
        try gainOnOthers(access)
        continue
      }
      if next.fold.sequence > committed.fold.sequence { committed = next }
      try access.removeLeftAttempts()
      try groups.noteNothing(committed, of: log)
      return sequences
    }
  }

  // MARK: Saving and falling back

  /// Saves the state if it is time; see ``StateSaver/saveIfDue(_:of:isBusy:)``.
  ///
  /// - Returns: What is shown then, if the state reads its pages from elsewhere: those it read them
  ///   from before need not be kept.
  mutating func saveIfDue(
    by access: borrowing LogWriter.Access, isBusy: Bool
  ) -> Published<App>? {
    let pages = saver.keeper.pages
    saver.saveIfDue(&committed, of: access.log, isBusy: isBusy)
    // What a failure falls back to reads the same pages.
    trackDurability(access.log)
    return saver.keeper.pages === pages ? nil : published
  }

  /// Folds the log from its start, without the snapshots, which are removed.
  ///
  /// - Returns: What is to be said about it.
  mutating func refold(
    by access: borrowing LogWriter.Access
  ) throws(StoreError) -> SnapshotUse {
    let use = try saver.refold(&committed, by: access)
    caughtUp = published
    return use
  }

  /// Notes what is durable; falls back to it if records that waited are not kept.
  mutating func trackDurability(_ log: LogStorage) {
    guard log.isDeferring, !log.hasWaiting else { return }
    if log.isClosedForWriting, let durable {
      if durable.fold.sequence != committed.fold.sequence {
        caughtUp = Published(durable.fold, pages: saver.keeper.pages)
      }
      committed = durable
    } else {
      durable = committed
    }
  }
}
