public import RetraceArchitecture
public import RetraceAvro
import RetraceLog
public import RetraceState
public import RetraceStorage
import RetraceSystem

/// A walk over a log: the state at any sequence, forwards and backwards.
///
/// States it passes are kept at spaced sequences; as values that share what did not change, they
/// cost what changed between them. States that came from different snapshots share nothing, so of
/// large ones only those near the position are kept. Effects are never run.
public struct Replayer<App: ReplayableApp>: ~Copyable {
  /// The log.
  public let storage: LogStorage
  /// The sequence of the last record of the log when the replayer was made.
  public let last: UInt64
  /// Which snapshot was used first, and why; its notice is for the person who uses the program.
  public private(set) var snapshotUse = SnapshotUse()
  /// How many records were folded so far.
  public private(set) var recordsFolded: UInt64 = 0
  var position: RecordFold<App>
  /// States that were passed, lowest sequence first; the first is the one before all records.
  private var kept: [RecordFold<App>]
  /// Where the pages of states that came from snapshots are; `nil` if none can be used.
  private var pages: StoredPages?
  private let identity: SnapshotIdentity
  private let spacing: UInt64
  private let memoryLimit: Int
  private var hashWriter = AvroWriter(capacity: 4096)

  /// How many states are kept at most while walking.
  public static var keptMax: Int { 256 }
  /// How many states are kept, beside the first, when they take much memory.
  static var keptNearby: Int { 8 }

  /// Stands before the first record.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - memoryLimit: From how many bytes of memory of the process on it keeps only the states that
  ///     are nearest to where it stands.
  /// - Throws: `storageFailed` or `damaged` when the log cannot be read, `incompatible` when it
  ///   holds what this build cannot read.
  public init(_ storage: LogStorage, memoryLimit: Int = 512 << 20) throws(StoreError) {
    let (last, plan) = try storage.withSnapshot { (snapshot) throws(StoreError) in
      (snapshot.head.sequence, try snapshot.plan(for: App.self))
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

  /// The sequence of the record that the state stands after.
  public var sequence: UInt64 { position.fold.sequence }

  /// The state after record ``sequence``.
  public var state: App.State { position.fold.state }

  /// What was in flight after record ``sequence``.
  public var effectsInFlight: EffectsInFlight { position.fold.inFlight }

  /// Whether what came from the snapshots cannot be relied on; the next seek drops it.
  var hasFault: Bool { pages?.fault != nil }

  /// The hash of the state.
  public mutating func stateHash() -> Digest {
    StateHasher.hash(&position.fold.state, with: SHA256Hasher.self, &hashWriter)
  }

  /// Lends the state, and answers what the body answers once all that it read was right.
  ///
  /// Parts of a state that came from a snapshot are read when they are asked for. If one turns out
  /// to be damaged, the log is folded and the body called again.
  ///
  /// - Parameter body: Looks at the state, and does nothing that must not be done twice.
  /// - Complexity: That of the body; that of folding the log after damage.
  /// - Throws: What the body throws, and as ``seek(to:)``.
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

  /// Goes to a sequence, forwards from the nearest state that is kept or stored.
  ///
  /// - Complexity: O(records between the nearest such state and `sequence`), at most 100,000 where
  ///   snapshots were saved and take little room, else 250,000.
  /// - Throws: `damaged`, `incompatible` or `storageFailed`; the position is then unchanged.
  /// - Precondition: `sequence` is at most ``last``.
  public mutating func seek(to sequence: UInt64) throws(StoreError) {
    precondition(sequence <= last, "Replayer: record \(sequence) of \(last)")
    if pages?.fault == nil {
      try seekOnce(to: sequence)
    }
    guard let fault = pages?.fault else { return }
    // What came from the snapshots cannot be relied on.
    snapshotUse.condemn("\(fault)")
    storage.snapshots.removeAll()
    pages = nil
    kept.removeLast(kept.count - 1)
    position = kept[0]
    try seekOnce(to: sequence)
  }

  /// Makes the whole state resident, so that it and what comes of it can be read at leisure.
  ///
  /// - Complexity: O(entities that are not resident).
  /// - Throws: As ``seek(to:)``.
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

  /// Goes one record on.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As ``seek(to:)``.
  public mutating func stepForward() throws(StoreError) -> Bool {
    guard sequence < last else { return false }
    try seek(to: sequence + 1)
    return true
  }

  /// Goes one record back.
  ///
  /// - Complexity: O(records between the nearest kept state and the one before).
  /// - Returns: Whether there was one.
  /// - Throws: As ``seek(to:)``.
  public mutating func stepBackward() throws(StoreError) -> Bool {
    guard sequence > 0 else { return false }
    try seek(to: sequence - 1)
    return true
  }

  /// Whether the next record belongs to the same batch as the one the state stands after.
  public func isInsideBatch() throws(StoreError) -> Bool {
    guard sequence > 0 && sequence < last else { return false }
    return try !startsBatch(at: sequence + 1)
  }

  /// The last sequence, at most the one given, after which a batch ends.
  ///
  /// - Complexity: O(records of the batch).
  public func batchEnd(atOrBefore sequence: UInt64) throws(StoreError) -> UInt64 {
    guard sequence > 0 && sequence < last else { return sequence }
    let next = try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.lastRecord(in: 1...sequence + 1) { $0.startsBatch }
    }
    return next.map { $0 - 1 } ?? 0
  }

  /// The first sequence, at least the one given, after which a batch ends.
  ///
  /// - Complexity: O(records of the batch).
  public func batchEnd(atOrAfter sequence: UInt64) throws(StoreError) -> UInt64 {
    guard sequence > 0 && sequence < last else { return sequence }
    let next = try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.firstRecord(in: sequence + 1...last) { $0.startsBatch }
    }
    return next.map { $0 - 1 } ?? last
  }

  private func startsBatch(at sequence: UInt64) throws(StoreError) -> Bool {
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.withRecord(at: sequence) { $0.startsBatch }
    }
  }

  /// The moment of the record that the state stands after; 1970 before the first.
  public func moment() throws(StoreError) -> Moment {
    guard sequence > 0 else { return Moment(microseconds: 0) }
    return try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.withRecord(at: sequence) { $0.moment }
    }
  }

  private mutating func advance(
    _ walk: inout RecordFold<App>, to sequence: UInt64
  ) throws(StoreError) {
    guard walk.fold.sequence < sequence else { return }
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      if sequence - walk.fold.sequence > spacing { jump(&walk, to: sequence, snapshot) }
      guard walk.fold.sequence < sequence else { return }
      while walk.fold.sequence < sequence {
        let (here, left) = (walk.fold.sequence, sequence - walk.fold.sequence)
        defer { recordsFolded += walk.fold.sequence - here }
        try snapshot.fold(into: &walk, through: here + min(left, spacing))
        if left >= spacing { keep(walk) }
      }
    }
  }

  /// Goes on to a stored state, if one lies between.
  private mutating func jump(
    _ walk: inout RecordFold<App>, to sequence: UInt64, _ snapshot: borrowing LogSnapshot
  ) {
    guard let pages, pages.fault == nil else { return }
    var restored = RestoredFold(walk)
    do throws(TreeFault) {
      try snapshot.open(&restored, atOrBefore: sequence, from: pages, identity: identity)
    } catch {
      restored.use.failure = error.detail
    }
    walk = restored.records
    if snapshotUse.candidates.isEmpty && snapshotUse.failure == nil { snapshotUse = restored.use }
  }

  /// Keeps a state, unless one is kept near it.
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
    // The first stays, from which everything can be folded.
    while kept.count > Self.keptNearby + 1 {
      let before = sequence - kept[1].fold.sequence
      let behind = kept[kept.count - 1].fold.sequence - sequence
      kept.remove(at: before > behind ? 1 : kept.count - 1)
    }
  }

  /// The sequences of the states that are kept.
  var keptSequences: [UInt64] { kept.map(\.fold.sequence) }
}
