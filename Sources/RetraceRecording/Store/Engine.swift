import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage

/// What the writer owns: the state, the session and the buffers.
///
/// A group of batches is encoded before it comes here. In the write transaction, records of other
/// processes are folded first; then the group is noted in the attempt file, reduced on a copy of
/// the state, appended and committed; only then does the copy become the state.
struct Engine<App: ReplayableApp>: ~Copyable, Sendable {
  /// What the log is known to hold: what the last commit left, and what others appended since.
  var committed: Progress
  /// What is on stable storage, if commits wait for a window.
  var durable: Progress?
  /// The state to publish because others appended, until somebody takes it.
  var caughtUp: Store<App>.Published?
  var attempt: AttemptFile?
  /// The session whose lock this process holds.
  var heldSession: UInt64?
  var hashWriter = AvroWriter(capacity: 4096)
  /// Where large groups are reduced.
  let reducer: WorkerThread
  /// Where states are saved while more is queued; the thread begins with the first such save.
  let saver = WorkerThread(name: "retrace-saver")
  /// The save that runs there.
  var aside: SaveAside<App>?
  /// Whether the next save has to look at what others did with the stored states.
  var savesHere = false
  /// The scene that the session attaches to; fixed once the session is opened.
  var scene: SceneID?
  /// What saves states of this fold.
  var keeper: SnapshotKeeper<App>
  let configuration: StoreConfiguration
  let identity: AppIdentity
  /// What the commit at hand need not do.
  var circumstances = Circumstances()

  /// What a commit depends on beside its batches.
  struct Circumstances {
    /// Whether somebody wants the state after each batch, not only who waits for one.
    var isObserved = true
    /// Whether more is queued behind the group, which hashing and saving the state would hold up.
    var isBusy = false
  }

  /// What a commit changes, kept apart until the commit is through.
  struct Progress {
    var records: RecordFold<App>
    /// The number of this session, or `nil` before its first batch.
    var session: UInt64?
    var recordsSinceHash = 0
    /// How many actions this process appended.
    var actions: UInt64 = 0
    /// The last record of this session that carries the hash of the state after it.
    var hashedAt: UInt64 = 0
    /// The number of the app's action schema in the log, once a commit has told it.
    var schema: UInt32?

    var fold: Fold<App> {
      _read { yield records.fold }
      _modify { yield &records.fold }
    }
  }

  init(
    records: RecordFold<App>, keeper: SnapshotKeeper<App>, configuration: StoreConfiguration,
    identity: AppIdentity, reducer: WorkerThread
  ) {
    committed = Progress(records: records)
    self.reducer = reducer
    self.keeper = keeper
    self.configuration = configuration
    self.identity = identity
  }

  /// The state and the sequence that it stands after.
  var fold: Fold<App> { committed.fold }

  /// Takes the state that others' records led to, if they did since the last call.
  @inline(__always)
  mutating func takeCaughtUp() -> Store<App>.Published? {
    let taken = caughtUp
    caughtUp = nil
    return taken
  }

  /// Commits batches together, in order, and answers a receipt for each.
  ///
  /// - Parameters:
  ///   - batches: The batches, none empty.
  ///   - closing: Whether the session ends with this commit.
  ///   - circumstances: What else is known about the commit.
  mutating func commit(
    _ batches: [PendingBatch<App>], closing: Bool = false, in circumstances: Circumstances,
    to storage: LogStorage
  ) throws(StoreError) -> Advance<App> {
    guard batches.count > 0 || (closing && committed.session != nil) else { return Advance() }
    self.circumstances = circumstances
    return try write(closing: closing, to: storage) { _ throws(StoreError) in batches }
  }

  /// Commits what a body decides on the state that no other process can change before the commit.
  ///
  /// - Parameter decide: Answers the batch; an empty one or an error appends nothing.
  mutating func transact(
    closing: Bool, key: String? = nil, to storage: LogStorage,
    _ decide: (borrowing App.State) throws(StoreError) -> PendingBatch<App>
  ) throws(StoreError) -> Advance<App> {
    circumstances = Circumstances()
    return try write(closing: closing, key: key, to: storage) { state throws(StoreError) in
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
    closing: Bool, key: String? = nil, to storage: LogStorage,
    _ batches: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> Advance<App> {
    var time = Self.turnTimeMin
    while true {
      switch try turn(closing: closing, key: key, within: time, in: storage, batches) {
      case .done(let advance): return advance
      case .behind:
        try gainOnOthers(in: storage)
        time = min(time * 2, 1 << 40)
      case .attemptInTheWay: _ = try settle(in: storage)
      }
    }
  }

  /// Catches up, asks for the batches, notes, reduces, appends and commits them: one transaction.
  private mutating func turn(
    closing: Bool, key: String?, within time: Int64, in storage: LogStorage,
    _ decide: (borrowing App.State) throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> Turn {
    var turn = Turn.done(Advance())
    var next = committed
    var hasAppended = false
    do throws(StoreError) {
      try storage.appendDirectly { (appender: inout LogAppender) throws(StoreError) in
        guard try self.catchUp(to: appender.head, within: time, in: storage) else {
          return turn = .behind
        }
        if committed.session == nil, try storage.hasAttempt(ofSession: appender.nextSequence) {
          return turn = .attemptInTheWay
        }
        var advance = Advance<App>()
        if let key, let kept = try appender.batch(ofKey: Array(key.utf8)) {
          advance.repeated = [0: .success(repeated(kept))]
          return turn = .done(advance)
        }
        let batches = try decide(committed.fold.state)
        if batches.count > 1 || batches.first?.key != nil {
          advance.repeated = try self.answers(to: batches, in: appender)
        }
        var fresh = batches
        var places: [Int] = []
        if let repeated = advance.repeated {
          places = batches.indices.filter { repeated[$0] == nil }
          fresh = places.map { batches[$0] }
        }
        if fresh.count > 0 || (closing && committed.session != nil) {
          if next.fold.sequence != committed.fold.sequence { next = committed }
          try self.append(fresh, closing: closing, in: storage, &next, &appender, &advance)
          hasAppended = true
          if !places.isEmpty { advance.move(to: places) }
        }
        turn = .done(advance)
      }
    } catch {
      giveUp(in: storage)
      throw error
    }
    if hasAppended && next.fold.sequence > committed.fold.sequence { committed = consume next }
    return turn
  }

  /// Drops what a turn prepared that failed.
  private mutating func giveUp(in storage: LogStorage) {
    // Whoever finds the file later must not take a group that was given up for a crash.
    try? attempt?.note(.idle)
    // Another process may get the number now.
    if committed.session == nil { try? leaveSession(in: storage) }
  }

  /// Removes the attempt file and frees the session's lock.
  mutating func leaveSession(in storage: LogStorage) throws(StoreError) {
    if let session = attempt?.session {
      attempt = nil
      try storage.removeAttempt(session: session)
    }
    if let session = heldSession {
      heldSession = nil
      try storage.releaseSessionLock(session)
    }
  }
}
