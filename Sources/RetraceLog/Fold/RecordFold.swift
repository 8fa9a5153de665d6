public import RetraceArchitecture
import RetraceAvro
public import RetraceSchema

/// A fold of a log's records into a state: reduces actions, registers finished effects, and skips
/// all other records.
///
/// Store, test store and replayer all use this type.
public struct RecordFold<App: ReplayableApp>: Sendable {
  // Properties stored before the state have offsets that do not depend on the app, so code that is
  // not specialized for an app reads them without the metadata of this type.
  /// The decoding plan; it may be replaced by one that knows more schemas.
  public var plan: DecodingPlan<App>
  /// The number of records skipped because their case is retired, by case.
  public var skipped: [CaseName: UInt64] { skippedCounts }
  @usableFromInline var skippedCounts: [CaseName: UInt64] = [:]
  /// The last schema found to be decoded directly, which the next record usually has, too.
  @usableFromInline var lastDirectSchema: UInt32?
  /// The sequence from which this fold started; sessions opened after it are already checked.
  private var start: UInt64
  private var registeredSessions: Set<UInt64> = []
  /// The state, and the sequence of the last record folded.
  public var fold: Fold<App>

  /// Starts before the first record.
  public init(plan: DecodingPlan<App>) {
    self.init(fold: Fold(), plan: plan)
  }

  /// Starts from a fold at any record.
  public init(fold: Fold<App>, plan: DecodingPlan<App>) {
    self.fold = fold
    self.plan = plan
    start = fold.sequence
  }

  /// Continues from another fold of the same log, such as a stored one.
  public mutating func resume(from fold: Fold<App>) {
    self.fold = fold
    start = fold.sequence
    registeredSessions = []
  }

  /// Folds the cursor's current record.
  ///
  /// - Parameters:
  ///   - record: The record after the last one folded.
  ///   - afterDecoding: Called once between decoding and reducing, for benchmarks; at the start
  ///     for a record that is not an action.
  /// - Complexity: As decoding and reducing the record; resolving one of an older schema allocates.
  /// - Throws: ``FoldError``, with the state unchanged.
  /// - Returns: The effect that the reducer returned; none for a record that is not an action.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func advance(
    _ record: borrowing RecordCursor, afterDecoding: () -> Void = {}
  ) throws(FoldError) -> Effect<App.Action, App.Environment> {
    let sequence = record.sequence
    guard sequence == fold.sequence + 1 else {
      throw .gap(expected: fold.sequence + 1, found: sequence)
    }
    guard record.kind == .action else {
      afterDecoding()
      if record.kind == .sessionOpened { try record.checkSession(under: plan.schemas) }
      if record.kind == .effectFinished { try finishEffect(record) }
      fold.skip(sequence)
      return .none
    }
    if record.schema != lastDirectSchema {
      guard plan.decodesDirectly(record.schema) else {
        return try advanceResolving(record, afterDecoding)
      }
      lastDirectSchema = record.schema
    }
    do throws(AvroError) {
      return try App._advance(
        record.payload, into: &fold, at: record.moment, sequence: sequence,
        hadEffect: record.hasEffect, afterDecoding: afterDecoding)
    } catch {
      guard plan.canResolve(record.schema) else {
        throw .undecodable(sequence: sequence, error)
      }
      return try advanceResolving(record, afterDecoding)
    }
  }

  /// Advances past records for which `RecordCursor.changesNothing(under:)` returned `true`.
  ///
  /// - Precondition: `sequence` is at least the fold's own.
  @usableFromInline
  package mutating func skip(through sequence: UInt64) { fold.skip(through: sequence) }

  @usableFromInline
  mutating func finishEffect(_ record: borrowing RecordCursor) throws(FoldError) {
    do throws(AvroError) {
      fold.inFlight.finish(try EffectFinished(encoded: record.payload).id)
    } catch {
      throw .undecodable(sequence: record.sequence, error)
    }
  }

  /// Folds a record that is not decoded directly.
  @inlinable
  @inline(never)
  mutating func advanceResolving(
    _ record: borrowing RecordCursor, _ afterDecoding: () -> Void
  ) throws(FoldError) -> Effect<App.Action, App.Environment> {
    let sequence = record.sequence
    guard isRegistered(record.session) else {
      throw .unregisteredSession(sequence: sequence, session: record.session)
    }
    let outcome = try plan.outcome(
      of: record.payload, schema: record.schema, sequence: sequence, session: record.session,
      moment: record.moment)
    afterDecoding()
    switch outcome {
    case .action(let action):
      return fold.apply(
        action, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .actions(let actions):
      return fold.apply(
        actions, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .skipped(let name):
      skippedCounts[name, default: 0] += 1
      fold.skip(sequence)
      return .none
    }
  }

  /// Checks the record that opened a session, for a fold that started after it.
  ///
  /// - Throws: ``FoldError/schemaMismatch(session:schema:)`` if the plan has another schema under
  ///   the number than the session names.
  public mutating func registerSession(_ opening: borrowing RecordCursor) throws(FoldError) {
    try opening.checkSession(under: plan.schemas)
    registeredSessions.insert(opening.sequence)
  }

  @usableFromInline
  func isRegistered(_ session: UInt64) -> Bool {
    session > start || registeredSessions.contains(session)
  }
}
