public import RetraceArchitecture
public import RetraceLog
public import RetraceStorage

/// A record and the states around it.
public struct RecordStep<State: Sendable>: Sendable {
  /// What the log says about the record beside its payload.
  public var envelope: Envelope
  /// The payload.
  public var payload: [UInt8]
  /// The state before the record.
  public var before: State
  /// The state after the record.
  public var after: State
}

extension Replayer {
  /// The most records that are folded in one read transaction.
  static var stepsPerTransaction: UInt64 { 512 }

  /// Goes on to a sequence and lends each record on the way with the states around it.
  ///
  /// Nothing of the log is held while the body runs, so it may take its time: at most 512 steps are
  /// kept at once, whose states share what did not change.
  ///
  /// - Parameters:
  ///   - last: The sequence to end at; at most ``last``.
  ///   - body: Takes each step; answers whether to go on.
  /// - Complexity: O(records), and a node of each level of a changed table copied for each record.
  /// - Throws: What the body throws; `damaged`, `incompatible` or `storageFailed`.
  public mutating func forEachStep(
    through last: UInt64, _ body: (RecordStep<App.State>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    precondition(last <= self.last, "Replayer: record \(last) of \(self.last)")
    while sequence < last {
      for step in try steps(through: min(last, sequence + Self.stepsPerTransaction)) {
        guard try body(step) else { return }
      }
    }
  }

  private mutating func steps(
    through last: UInt64
  ) throws(StoreError) -> [RecordStep<App.State>] {
    var walk = position
    var steps: [RecordStep<App.State>] = []
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.scan(from: walk.fold.sequence + 1, through: last) {
        record throws(StoreError) in
        let before = walk.fold.state
        do throws(FoldError) {
          try walk.advance(record)
        } catch {
          throw StoreError(error)
        }
        let payload = record.payload
        steps.append(
          RecordStep(
            envelope: record.envelope, payload: payload.indices.map { payload[$0] },
            before: before, after: walk.fold.state))
      }
    }
    position = walk
    return steps
  }
}
