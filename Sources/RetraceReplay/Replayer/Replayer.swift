public import RetraceArchitecture
public import RetraceAvro
import RetraceLog
public import RetraceState
public import RetraceStorage
import RetraceSystem

/// A position in a log, which can be moved forwards and backwards, with the state there.
///
/// The replayer keeps states at spaced sequences. They share what did not change, so a kept state
/// costs only the memory of what changed since the one before. States from different snapshots
/// share nothing; if they take much memory, only those near the position are kept. Effects are
/// never run.
public struct Replayer<App: ReplayableApp>: ~Copyable {
  /// The log.
  public let storage: LogStorage
  /// The sequence of the last record of the log when the replayer was created.
  public let last: UInt64
  /// The result of the first search for a snapshot; its notice is for the user of the program.
  public private(set) var snapshotUse = SnapshotUse()
  /// The number of records folded so far.
  public private(set) var recordsFolded: UInt64 = 0
  var position: RecordFold<App>
  /// The kept states in order; the first is the one before all records.
  private var kept: [RecordFold<App>]
  /// The pages of states that came from snapshots; `nil` if no snapshot can be used.
  private var pages: StoredPages?
  private let identity: SnapshotIdentity
  private let spacing: UInt64
  private let memoryLimit: Int
  private var hashWriter = AvroWriter(capacity: 4096)

  /// The largest number of states kept while folding.
  public static var keptMax: Int { 256 }
  /// The number of states kept, besides the first, when they take much memory.
  static var keptNearby: Int { 8 }

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
    spacing = max(1_000, last / UInt64(Self.keptMax) + 1)
    kept = [position]
    identity = SnapshotIdentity(of: App.self)
    guard identity.isKnown else { return }
    do throws(TreeFault) {
      pages = try storage.snapshots.pages()
    } catch {
      snapshotUse.failure = error.detail
      if error.isDamage { storage.snapshots.removeAll() }
    }
  }

  /// The sequence of the last record folded into the state.
  public var sequence: UInt64 { position.fold.sequence }

  /// The state after record ``sequence``.
  public var state: App.State { position.fold.state }

  /// The effects in flight after record ``sequence``.
  public var effectsInFlight: EffectsInFlight { position.fold.inFlight }

  /// Whether a page of the snapshots is damaged; the next seek stops using them.
  var hasFault: Bool { pages?.fault != nil }

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
  /// - Complexity: That of the body; after damage, also that of folding the log.
  /// - Throws: The errors of the body and of ``seek(to:)``.
  public mutating func read<Result>(
    _ body: (borrowing App.State) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try body(state)
      if pages?.fault == nil { return result }
    } catch {
      if pages?.fault == nil { throw error }
    }
    try seek(to: sequence)
    return try body(state)
  }

  /// Seeks to a sequence, folding forwards from the nearest kept or stored state.
  ///
  /// - Complexity: O(records between that state and `sequence`). With snapshots saved by the
  ///   default policy, these are at most 100,000 if the snapshots are small, and 250,000 if they
  ///   are large.
  /// - Throws: `damaged`, `incompatible` or `storageFailed`; the position is then unchanged.
  /// - Precondition: `sequence` is at most ``last``.
  public mutating func seek(to sequence: UInt64) throws(StoreError) {
    precondition(sequence <= last, "Replayer: record \(sequence) of \(last)")
    if pages?.fault == nil {
      try seekOnce(to: sequence)
    }
    guard let fault = pages?.fault else { return }
    // States from the snapshots cannot be trusted.
    snapshotUse.markDamaged("\(fault)")
    storage.snapshots.removeAll()
    pages = nil
    kept.removeLast(kept.count - 1)
    position = kept[0]
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
    if pages?.fault != nil { try seek(to: sequence) }
  }

  private mutating func seekOnce(to sequence: UInt64) throws(StoreError) {
    var walk = position
    if sequence < walk.fold.sequence || sequence - walk.fold.sequence > spacing {
      for state in kept where state.fold.sequence <= sequence {
        if sequence < walk.fold.sequence || state.fold.sequence > walk.fold.sequence {
          walk = state
        }
      }
    }
    try advance(&walk, to: sequence)
    position = walk
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
  /// - Complexity: O(records between the nearest kept state and the new position).
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
    _ walk: inout RecordFold<App>, to sequence: UInt64
  ) throws(StoreError) {
    guard walk.fold.sequence < sequence else { return }
    try storage.withReadView { (view) throws(StoreError) in
      if sequence - walk.fold.sequence > spacing { jump(&walk, to: sequence, view) }
      guard walk.fold.sequence < sequence else { return }
      while walk.fold.sequence < sequence {
        let (here, left) = (walk.fold.sequence, sequence - walk.fold.sequence)
        defer { recordsFolded += walk.fold.sequence - here }
        try view.fold(into: &walk, through: here + min(left, spacing))
        if left >= spacing { keep(walk) }
      }
    }
  }

  /// Moves a fold forwards to a stored state, if there is one on the way.
  private mutating func jump(
    _ walk: inout RecordFold<App>, to sequence: UInt64, _ view: borrowing ReadView
  ) {
    guard let pages, pages.fault == nil else { return }
    var restored = RestoredFold(walk)
    do throws(TreeFault) {
      try view.open(&restored, atOrBefore: sequence, from: pages, identity: identity)
    } catch {
      restored.use.failure = error.detail
    }
    walk = restored.records
    if snapshotUse.candidates.isEmpty && snapshotUse.failure == nil { snapshotUse = restored.use }
  }

  /// Keeps a state, unless one near it is kept.
  private mutating func keep(_ walk: RecordFold<App>) {
    let sequence = walk.fold.sequence
    let place = kept.firstIndex { $0.fold.sequence > sequence } ?? kept.endIndex
    guard kept.count <= 2 * Self.keptMax, kept[place - 1].fold.sequence + spacing <= sequence,
      place == kept.endIndex || kept[place].fold.sequence >= sequence + spacing
    else { return }
    kept.insert(walk, at: place)
    guard kept.count > Self.keptNearby + 1, ThisProcess.memoryBytes ?? 0 > memoryLimit else {
      return
    }
    // The first state stays, because everything can be folded from it.
    while kept.count > Self.keptNearby + 1 {
      let before = sequence - kept[1].fold.sequence
      let behind = kept[kept.count - 1].fold.sequence - sequence
      kept.remove(at: before > behind ? 1 : kept.count - 1)
    }
  }

  /// The sequences of the kept states.
  var keptSequences: [UInt64] { kept.map(\.fold.sequence) }
}
