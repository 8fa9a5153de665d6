import Retrace
import RetraceStorage

/// The data that a commit changes.
///
/// A commit works on a copy, which replaces the original if the commit succeeds.
struct LogState<App: ReplayableApp>: Sendable {
  var records: RecordFold<App>
  /// The number of this session; `nil` before its first batch.
  var session: UInt64?
  var actionsSinceHash = 0
  /// The number of actions that this process appended.
  var actions: UInt64 = 0
  /// The sequence of the last record of this session with a state hash; 0 without one.
  var hashedAt: UInt64 = 0
  /// The number of the app's action schema in the log, known after the first commit.
  var schema: UInt32?
  /// The numbers of the schemas of commands and refusals; `nil` before a session is reserved, and
  /// in an app without commands.
  var commandSchemas: CommandSchemaNumbers?

  init(_ records: RecordFold<App>) { self.records = records }

  var fold: Fold<App> {
    _read { yield records.fold }
    _modify { yield &records.fold }
  }

  /// Counts actions about to be appended, and loads the small parts of the state once the total of
  /// this process exceeds 256.
  mutating func countActions(_ count: Int) {
    let before = actions
    actions += UInt64(count)
    if before <= 256 { fold.prepare(for: actions) }
  }

  /// Folds records of other processes up to a sequence.
  ///
  /// If a record cannot be folded, the records before it stay folded. Effects are dropped, because
  /// they belong to the session that appended their record.
  ///
  /// - Throws: `incompatible`, after which the log takes no more records from this process.
  mutating func fold(
    _ view: borrowing ReadView, through last: UInt64, for identity: AppIdentity,
    closing log: LogStorage
  ) throws(StoreError) {
    let first = fold.sequence
    guard last > first else {
      throw StoreError(
        .storageFailed, what: "The log has lost records.",
        why: "It ends at record \(last), but this process has folded records up to \(first).",
        advice: "Close the store and open it again.")
    }
    do throws(StoreError) {
      try scan(view, through: last, for: identity)
    } catch {
      if error.code == .incompatible { log.closeForWriting(error) }
      throw error
    }
  }

  private mutating func scan(
    _ view: borrowing ReadView, through last: UInt64, for identity: AppIdentity
  ) throws(StoreError) {
    fold.prepare(for: last - fold.sequence)
    try view.scan(from: fold.sequence + 1, through: last) { record throws(StoreError) in
      if record.kind == .sessionOpened { try Self.checkReducer(record, identity) }
      if record.kind == .action, !records.plan.decodesDirectly(record.schema),
        records.plan.schema(record.schema) == nil
      {
        // Another process may have added this build's own schema to the log.
        records.plan = try view.planWithVerdicts(for: App.self)
        // A record that would need resolution was written by another build.
        guard records.plan.decodesDirectly(record.schema) else {
          throw StoreError(
            FoldError.unknownSchema(sequence: record.sequence, schema: record.schema))
        }
      }
      try view.fold(record, into: &records)
      actionsSinceHash =
        record.stateHash != nil ? 0 : actionsSinceHash + (record.kind == .action ? 1 : 0)
    }
  }

  /// Throws if a record opens a session with another reducer than this build's.
  private static func checkReducer(
    _ record: borrowing RecordCursor, _ identity: AppIdentity
  ) throws(StoreError) {
    guard identity.reducerFingerprint != .zero,
      let opened = try? record.systemPayload(as: SessionOpened.self),
      opened.reducer != .zero, opened.reducer != identity.reducerFingerprint
    else { return }
    throw StoreError(
      .incompatible, what: "The store was closed for writing, and its state is out of date.",
      why: "Record \(record.sequence) opens a session of build \(opened.build), "
        + "whose reducer differs from this build's.",
      advice: "Close this program and start the build that wrote the record. Nothing is lost.")
  }

  // MARK: Repeated batches

  /// Returns the outcomes of those batches of a group that are already in the log, by position;
  /// `nil` if none is.
  ///
  /// A group holds a key only once.
  func outcomesOfRepeated(
    _ batches: [PendingBatch<App>], in appender: borrowing LogAppender
  ) throws(StoreError) -> [Int: Result<Receipt<App>, StoreError>]? {
    var outcomes: [Int: Result<Receipt<App>, StoreError>]?
    for position in 0..<batches.count {
      guard let key = batches[position].key, let kept = try appender.batch(ofKey: key.bytes)
      else { continue }
      outcomes = outcomes ?? [:]
      outcomes?[position] =
        kept.digest == key.digest
        ? .success(receipt(of: kept)) : .failure(.keyReused(key.bytes, kept))
    }
    return outcomes
  }

  /// Returns the receipt of a batch that is already in the log.
  func receipt(of kept: KeyedBatch) -> Receipt<App> {
    Receipt(sequences: kept.sequences, state: fold.state, sequence: fold.sequence)
  }
}
