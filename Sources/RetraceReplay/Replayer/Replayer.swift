// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import Retrace
@_exported public import RetraceStorage
import RetraceSystem

/// A position in a log, which can be moved forwards and backwards, with the state there.
///
/// The replayer keeps states at spaced sequences: its checkpoints. They share what did not change,
/// so a checkpoint costs only the memory of what changed since the one before. States from
/// different snapshots share nothing; if they take much memory, only the checkpoints near the
/// position are kept. Effects are never run.
///
/// ```swift
/// var replayer = try Replayer<CounterApp>(storage)
/// try replayer.seek(to: min(sequence, replayer.last))
/// print(replayer.state.counters.count)
/// let effects: [EffectInFlight] = try replayer.namedEffectsInFlight()
/// ```
public struct Replayer<App: ReplayableApp>: ~Copyable {
  /// The log.
  public let storage: LogStorage
  /// The sequence of the last record of the log when the replayer was created or extended.
  public private(set) var last: UInt64
  /// The result of the first search for a snapshot, with a notice to show to the user.
  public private(set) var snapshotUse = SnapshotUse()
  /// The number of records folded so far.
  public private(set) var recordsFolded: UInt64 = 0
  var position: RecordFold<App>
  /// The checkpoints in order; the first is the state before all records.
  private var checkpoints: [RecordFold<App>]
  /// The pages of states that came from snapshots; `nil` if no snapshot can be used.
  private var pages: StoredPages?
  private let fingerprint: FoldFingerprint
  private let spacing: UInt64
  private let memoryLimit: Int
  private var hashWriter = AvroWriter(capacity: 4096)

  /// The largest number of checkpoints that one fold of the whole log makes.
  public static var checkpointsMax: Int { 256 }
  /// The number of checkpoints kept, besides the first, when they take much memory.
  static var nearbyCheckpointsMax: Int { 8 }

  /// Creates a replayer positioned before the first record.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - memoryLimit: The memory of the process, in bytes, above which only the states nearest to
  ///     the position are kept.
  /// - Throws: `storageFailed` or `damaged` when the log cannot be read, `incompatible` when this
  ///   build cannot read it.
  public init(_ storage: LogStorage, memoryLimit: Int = 512 << 20) throws(StoreError) {
    let (last, plan) = try storage.withReadView { (view) throws(StoreError) in
      (view.head.sequence, try view.plan(for: App.self))
    }
    self.storage = storage
    self.memoryLimit = memoryLimit
    self.last = last
    position = RecordFold(plan: plan)
    spacing = max(1_000, last / UInt64(Self.checkpointsMax) + 1)
    checkpoints = [position]
    fingerprint = FoldFingerprint(of: App.self, in: storage.snapshots)
    guard fingerprint.isKnown else { return }
    pages = storage.snapshots.pages(reportingTo: &snapshotUse)
  }

  /// The sequence of the last record folded into the state.
  public var sequence: UInt64 { position.fold.sequence }

  /// The state after record ``sequence``.
  public var state: App.State { position.fold.state }

  /// The effects in flight after record ``sequence``.
  public var effectsInFlight: EffectsInFlight { position.fold.inFlight }

  /// Whether a page of the snapshots is damaged; the next seek stops using them.
  var hasPageError: Bool { pages?.firstError != nil }

  var usesPages: Bool { pages != nil }

  /// Returns the hash of the state.
  public mutating func stateHash() -> Digest {
    StateHasher.hash(&position.fold.state, with: SHA256Hasher.self, &hashWriter)
  }

  /// Calls `body` with the state, and returns its result after verifying everything that the body
  /// read.
  ///
  /// Parts of a state that came from a snapshot are read on first use. If one is damaged, the log
  /// is folded and the body is called again.
  ///
  /// - Parameter body: Reads the state. It may be called twice, so it must not have side effects.
  /// - Complexity: As the body; after damage, plus folding the log.
  /// - Throws: The errors of the body and of ``seek(to:)``.
  public mutating func read<Result>(
    _ body: (borrowing App.State) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try body(state)
      if pages?.firstError == nil { return result }
    } catch {
      if pages?.firstError == nil { throw error }
    }
    try seek(to: sequence)
    return try body(state)
  }

  /// Seeks to a sequence, folding forwards from the nearest checkpoint or stored state.
  ///
  /// - Complexity: O(records between that state and `sequence`). With snapshots saved by the
  ///   default policy, these are at most 100,000 if the snapshots are small, and 250,000 if they
  ///   are large.
  /// - Throws: `damaged`, `incompatible` or `storageFailed`; the position is then unchanged, or an
  ///   earlier one if a snapshot turned out to be damaged.
  /// - Precondition: `sequence` is at most ``last``.
  public mutating func seek(to sequence: UInt64) throws(StoreError) {
    precondition(sequence <= last, "Replayer: record \(sequence) of \(last)")
    if pages?.firstError == nil {
      try seekOnce(to: sequence)
    }
    guard let error = pages?.firstError else { return }
    // States from the snapshots cannot be trusted.
    snapshotUse.markDamaged("\(error)")
    storage.snapshots.removeAll()
    pages = nil
    checkpoints.removeLast(checkpoints.count - 1)
    position = checkpoints[0]
    try seekOnce(to: sequence)
  }

  /// Reads all pages of the state into memory, so that this state and those folded from it need no
  /// snapshot.
  ///
  /// - Complexity: O(entities that are not resident).
  /// - Throws: The errors of ``seek(to:)``.
  mutating func load() throws(StoreError) {
    guard pages != nil else { return }
    StatePages.loadAll(&position.fold.state)
    if pages?.firstError != nil { try seek(to: sequence) }
  }

  private mutating func seekOnce(to sequence: UInt64) throws(StoreError) {
    var position = position
    if sequence < position.fold.sequence || sequence - position.fold.sequence > spacing {
      for state in checkpoints where state.fold.sequence <= sequence {
        if sequence < position.fold.sequence || state.fold.sequence > position.fold.sequence {
          position = state
        }
      }
    }
    try advance(&position, to: sequence)
    self.position = position
  }

  /// Takes the records into account that were recorded since.
  ///
  /// - Complexity: O(bytes of the schemas in the log).
  /// - Throws: The errors of creating a replayer; ``last`` is then unchanged.
  package mutating func extend() throws(StoreError) {
    let (last, plan) = try storage.withReadView { (view) throws(StoreError) in
      (view.head.sequence, try view.plan(for: App.self))
    }
    guard last > self.last else { return }
    self.last = last
    // A state that is folded from now on may meet the schema of a new session.
    position.plan = plan
    for index in checkpoints.indices { checkpoints[index].plan = plan }
  }

  /// Advances by one record.
  ///
  /// - Returns: Whether there was a next record.
  /// - Throws: The errors of ``seek(to:)``.
  public mutating func stepForward() throws(StoreError) -> Bool {
    guard sequence < last else { return false }
    try seek(to: sequence + 1)
    return true
  }

  /// Goes back by one record.
  ///
  /// - Complexity: O(records between the nearest checkpoint and the new position).
  /// - Returns: Whether there was a record before.
  /// - Throws: The errors of ``seek(to:)``.
  public mutating func stepBackward() throws(StoreError) -> Bool {
    guard sequence > 0 else { return false }
    try seek(to: sequence - 1)
    return true
  }

  /// Returns whether the next record belongs to the same batch as the current one.
  public func isInsideBatch() throws(StoreError) -> Bool {
    guard sequence > 0 && sequence < last else { return false }
    return try !startsBatch(at: sequence + 1)
  }

  /// Returns the last sequence, at most the given one, that ends a batch.
  ///
  /// - Complexity: O(records of the batch).
  public func batchEnd(atOrBefore sequence: UInt64) throws(StoreError) -> UInt64 {
    guard sequence > 0 && sequence < last else { return sequence }
    let next = try storage.withReadView { (view) throws(StoreError) in
      try view.lastRecord(in: 1...sequence + 1) { $0.startsBatch }
    }
    return next.map { $0 - 1 } ?? 0
  }

  /// Returns the first sequence, at least the given one, that ends a batch.
  ///
  /// - Complexity: O(records of the batch).
  public func batchEnd(atOrAfter sequence: UInt64) throws(StoreError) -> UInt64 {
    guard sequence > 0 && sequence < last else { return sequence }
    let next = try storage.withReadView { (view) throws(StoreError) in
      try view.firstRecord(in: sequence + 1...last) { $0.startsBatch }
    }
    return next.map { $0 - 1 } ?? last
  }

  private func startsBatch(at sequence: UInt64) throws(StoreError) -> Bool {
    try storage.withReadView { (view) throws(StoreError) in
      try view.withRecord(at: sequence) { $0.startsBatch }
    }
  }

  /// Returns the moment of the current record; 1970 before the first.
  public func moment() throws(StoreError) -> Moment {
    guard sequence > 0 else { return Moment(microseconds: 0) }
    return try storage.withReadView { (view) throws(StoreError) in
      try view.withRecord(at: sequence) { $0.moment }
    }
  }

  private mutating func advance(
    _ position: inout RecordFold<App>, to sequence: UInt64
  ) throws(StoreError) {
    guard position.fold.sequence < sequence else { return }
    try storage.withReadView { (view) throws(StoreError) in
      if sequence - position.fold.sequence > spacing {
        restoreSnapshot(&position, atOrBefore: sequence, view)
      }
      guard position.fold.sequence < sequence else { return }
      while position.fold.sequence < sequence {
        let (here, left) = (position.fold.sequence, sequence - position.fold.sequence)
        defer { recordsFolded += position.fold.sequence - here }
        try view.fold(into: &position, through: here + min(left, spacing))
        if left >= spacing { addCheckpoint(position) }
      }
    }
  }

  /// Moves a fold forwards to a stored state, if there is one on the way.
  private mutating func restoreSnapshot(
    _ position: inout RecordFold<App>, atOrBefore sequence: UInt64,
    _ view: borrowing ReadView
  ) {
    guard let pages, pages.firstError == nil else { return }
    var restored = RestoredFold(position)
    view.openIfReadable(&restored, atOrBefore: sequence, from: pages, fingerprint: fingerprint)
    position = restored.recordFold
    if snapshotUse.candidates.isEmpty && snapshotUse.failure == nil { snapshotUse = restored.use }
  }

  /// Adds a checkpoint, unless there is one near it.
  private mutating func addCheckpoint(_ position: RecordFold<App>) {
    let sequence = position.fold.sequence
    let index = checkpoints.firstIndex { $0.fold.sequence > sequence } ?? checkpoints.endIndex
    guard checkpoints.count <= 2 * Self.checkpointsMax,
      checkpoints[index - 1].fold.sequence + spacing <= sequence,
      index == checkpoints.endIndex || checkpoints[index].fold.sequence >= sequence + spacing
    else { return }
    checkpoints.insert(position, at: index)
    guard checkpoints.count > Self.nearbyCheckpointsMax + 1,
      ThisProcess.privateMemoryBytes ?? 0 > memoryLimit
    else {
      return
    }
    // The first state stays, because everything can be folded from it.
    while checkpoints.count > Self.nearbyCheckpointsMax + 1 {
      let before = sequence - checkpoints[1].fold.sequence
      let after = checkpoints[checkpoints.count - 1].fold.sequence - sequence
      checkpoints.remove(at: before > after ? 1 : checkpoints.count - 1)
    }
  }

  var checkpointSequences: [UInt64] { checkpoints.map(\.fold.sequence) }
}
