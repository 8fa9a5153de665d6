public import Retrace
public import RetraceStorage
import RetraceSystem

/// A record, the states around it, and the effect that its action returned.
public struct RecordStep<App: ReplayableApp>: Sendable {
  /// The envelope of the record: its sequence, kind, session, moment and so on.
  public var envelope: Envelope
  /// The payload.
  public var payload: [UInt8]
  /// The state before the record.
  public var before: App.State
  /// The state after the record.
  public var after: App.State
  /// The effect that the reducer returned; it is never run.
  public var effect: Effect<App.Action, App.Environment>
}

extension Replayer {
  /// The most records folded in one read transaction.
  static var stepsPerTransaction: UInt64 { 512 }

  /// Returns the step that leads to the current position; `nil` before the first record.
  ///
  /// - Complexity: As ``seek(to:)`` one record back.
  /// - Throws: The errors of ``seek(to:)``; the position is then as after a failed seek.
  public mutating func currentStep() throws(StoreError) -> RecordStep<App>? {
    let place = sequence
    guard place > 0 else { return nil }
    let (start, usedPages) = (position, usesPages)
    try seek(to: place - 1)
    do throws(StoreError) {
      return try steps(through: place).first
    } catch {
      // If a snapshot turned out to be damaged, the state at the start is not reliable.
      if usesPages == usedPages { position = start }
      throw error
    }
  }

  /// Advances to a sequence, and calls `body` with the hash of the state after each record on the
  /// way.
  ///
  /// - Parameters:
  ///   - last: The sequence to end at; at most the replayer's ``last``.
  ///   - body: Receives each hash.
  /// - Complexity: O(records), and a state hash for each.
  /// - Throws: The errors of ``seek(to:)``; the position is then unchanged.
  public mutating func forEachStateHash(
    through last: UInt64, _ body: (Digest) -> Void
  ) throws(StoreError) {
    precondition(last <= self.last, "Replayer: record \(last) of \(self.last)")
    guard sequence < last else { return }
    var hashes = try stateHashes(through: last)
    if hasPageError {
      // The snapshot is damaged. Seeking discards its states and folds the log from the start.
      try seek(to: sequence)
      hashes = try stateHashes(through: last)
    }
    position = hashes.position
    for hash in hashes.found { body(hash) }
  }

  private func stateHashes(
    through last: UInt64
  ) throws(StoreError) -> (found: [Digest], position: RecordFold<App>) {
    var position = position
    var found: [Digest] = []
    var writer = AvroWriter(capacity: 4_096)
    try storage.withReadView { (view) throws(StoreError) in
      try view.scan(from: position.fold.sequence + 1, through: last) {
        record throws(StoreError) in
        try view.fold(record, into: &position)
        found.append(StateHasher.hash(&position.fold.state, with: SHA256Hasher.self, &writer))
      }
    }
    return (found, position)
  }

  /// Advances to a sequence, and calls `body` with each record on the way and the states around it.
  ///
  /// No read transaction is open while the body runs, so the body may be slow. At most 512 steps
  /// are in memory at once; their states share what did not change.
  ///
  /// - Parameters:
  ///   - last: The sequence to end at; at most the replayer's ``last``.
  ///   - body: Receives each step, and returns whether to continue. During the call, the replayer
  ///     is positioned at the last of the steps in memory.
  /// - Complexity: O(records), and a node of each level of a changed table copied for each record.
  /// - Throws: The errors of the body; `damaged`, `incompatible` or `storageFailed`.
  public mutating func forEachStep(
    through last: UInt64, _ body: (RecordStep<App>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    precondition(last <= self.last, "Replayer: record \(last) of \(self.last)")
    try load()
    while sequence < last {
      for step in try steps(through: min(last, sequence + Self.stepsPerTransaction)) {
        guard try body(step) else { return }
      }
    }
  }

  private mutating func steps(
    through last: UInt64
  ) throws(StoreError) -> [RecordStep<App>] {
    var position = position
    var steps = try steps(&position, through: last)
    if hasPageError {
      // The snapshot is damaged. Seeking discards its states and folds the log from the start.
      try seek(to: sequence)
      position = self.position
      steps = try self.steps(&position, through: last)
    }
    self.position = position
    return steps
  }

  private func steps(
    _ position: inout RecordFold<App>, through last: UInt64
  ) throws(StoreError) -> [RecordStep<App>] {
    var steps: [RecordStep<App>] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.scan(from: position.fold.sequence + 1, through: last) {
        record throws(StoreError) in
        let before = position.fold.state
        let effect = try view.fold(record, into: &position)
        let payload = record.payload
        steps.append(
          RecordStep(
            envelope: record.envelope, payload: payload.indices.map { payload[$0] },
            before: before, after: position.fold.state, effect: effect))
      }
    }
    return steps
  }
}
