public import RetraceArchitecture
public import RetraceAvro
import RetraceLog
import RetracePlatform
public import RetraceStorage

/// A walk over a log: the state at any sequence, forwards and backwards.
///
/// States it passes are kept at spaced sequences; as values that share what did not change, they
/// cost what changed between them. Effects are never run.
public struct Replayer<App: ReplayableApp>: ~Copyable {
  /// The log.
  public let storage: LogStorage
  /// The sequence of the last record of the log when the replayer was made.
  public let last: UInt64
  var position: RecordFold<App>
  private var kept: [RecordFold<App>]
  private let spacing: UInt64
  private var hashWriter = AvroWriter(capacity: 4096)

  /// How many states are kept at most while walking.
  public static var keptMax: Int { 256 }

  /// Stands before the first record.
  ///
  /// - Throws: `storageFailed` or `damaged` when the log cannot be read, `incompatible` when it
  ///   holds what this build cannot read.
  public init(_ storage: LogStorage) throws(StoreError) {
    let (last, plan) = try storage.withSnapshot { (snapshot) throws(StoreError) in
      (snapshot.head.sequence, try snapshot.plan(for: App.self))
    }
    self.storage = storage
    self.last = last
    position = RecordFold(plan: plan)
    spacing = max(1_000, last / UInt64(Self.keptMax) + 1)
    kept = [position]
  }

  /// The sequence of the record that the state stands after.
  public var sequence: UInt64 { position.fold.sequence }

  /// The state after record ``sequence``.
  public var state: App.State { position.fold.state }

  /// What was in flight after record ``sequence``.
  public var effectsInFlight: EffectsInFlight { position.fold.inFlight }

  /// The hash of the state.
  public mutating func stateHash() -> Digest {
    StateHasher.hash(&position.fold.state, with: SHA256Hasher.self, &hashWriter)
  }

  /// Goes to a sequence, forwards from the nearest state that is kept.
  ///
  /// - Complexity: O(records between the nearest kept state and `sequence`).
  /// - Throws: `damaged`, `incompatible` or `storageFailed`; the position is then unchanged.
  /// - Precondition: `sequence` is at most ``last``.
  public mutating func seek(to sequence: UInt64) throws(StoreError) {
    precondition(sequence <= last, "Replayer: record \(sequence) of \(last)")
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
  public func batchEnd(atOrBefore sequence: UInt64) throws(StoreError) -> UInt64 {
    var end = sequence
    while end > 0 && end < last, try !startsBatch(at: end + 1) { end -= 1 }
    return end
  }

  private func startsBatch(at sequence: UInt64) throws(StoreError) -> Bool {
    var starts = true
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.scan(from: sequence, through: sequence) { record throws(StoreError) in
        starts = record.startsBatch
      }
    }
    return starts
  }

  /// The moment of the record that the state stands after; 1970 before the first.
  public func moment() throws(StoreError) -> Moment {
    var moment = Moment(microseconds: 0)
    guard sequence > 0 else { return moment }
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.scan(from: sequence, through: sequence) { record throws(StoreError) in
        moment = record.moment
      }
    }
    return moment
  }

  private mutating func advance(
    _ walk: inout RecordFold<App>, to sequence: UInt64
  ) throws(StoreError) {
    guard walk.fold.sequence < sequence else { return }
    var reached = kept
    let spacing = self.spacing
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.scan(from: walk.fold.sequence + 1, through: sequence) {
        record throws(StoreError) in
        do throws(FoldError) {
          try walk.advance(record)
        } catch {
          throw StoreError(error)
        }
        if let newest = reached.last, walk.fold.sequence >= newest.fold.sequence + spacing {
          reached.append(walk)
        }
      }
    }
    kept = reached
  }
}
