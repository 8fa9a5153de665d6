package import Retrace
package import RetraceStorage
package import TrackerFeatures

/// The state after an earlier record, which can be read as long as the value lives.
///
/// The store is open for reading meanwhile, and nothing is written.
package final class PastState: Sendable {
  /// The sequence of the record, which ends its batch; 0 before the first one.
  package let sequence: UInt64
  /// The moment that stays the present.
  package let moment: Moment
  /// The records that the state was folded from.
  package let past: RecordClocks.Past
  private let restored: RestoredFold<TimeTracker>
  /// The log, which is open for reading.
  let storage: LogStorage

  /// Opens a store or a bundle for reading, and returns the state after a record.
  ///
  /// - Parameters:
  ///   - path: The directory of the store, or the file of the bundle.
  ///   - end: The last record, whose batch is read to its end.
  ///   - now: The present; `nil` for the moment that `end` names, or else of the record.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  /// - Complexity: As `TrackerStore.readPast(at:asOf:foldTrial:_:)`.
  /// - Throws: The errors of opening; `storeMissing` if there is no store.
  package init(
    at path: String, asOf end: HistoryEnd, now: Moment? = nil, foldTrial: FoldTrial? = nil
  ) throws(StoreError) {
    let storage =
      LogStorage.isBundle(path)
      ? try LogStorage.open(bundle: path) : try LogStorage.open(at: path, access: .read)
    do throws(StoreError) {
      try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
      let (past, last) = try storage.past(asOf: end)
      restored = try storage.withReadView { view throws(StoreError) in
        try view.restore(
          TimeTracker.self, through: past.last, from: storage.snapshots,
          fingerprint: FoldFingerprint(of: TimeTracker.self, in: storage.snapshots))
      }
      self.past = past
      sequence = past.last
      let named: Moment? = if case .moment(let moment) = end { moment } else { nil }
      moment = now ?? named ?? last?.moment ?? Moment(microseconds: 0)
    } catch {
      storage.close()
      throw error
    }
    self.storage = storage
  }

  deinit { storage.close() }

  /// The state.
  package var state: TrackerState { restored.recordFold.fold.state }

  /// Whether everything that was read from the state so far is correct.
  package var isSound: Bool { restored.isSound }

  /// The sequence of the last record of the log.
  package func head() throws(StoreError) -> UInt64 { try storage.head().sequence }
}
