public import RetraceArchitecture
import RetraceAvro
public import RetraceSchema

/// Folds the records of a log into a state: actions are decoded and reduced, the end of an effect
/// is taken note of, all others pass.
///
/// Store, test store and replayer fold through this type and no other.
public struct RecordFold<App: ReplayableApp>: Sendable {
  /// The state and the sequence it stands after.
  public var fold: Fold<App>
  /// How the records of each schema become actions; one that knows more schemas may take its place.
  public var plan: DecodingPlan<App>
  /// How many records were passed over because their case was retired, by case.
  public var ignored: [CaseName: UInt64] { ignoredCounts }
  @usableFromInline var ignoredCounts: [CaseName: UInt64] = [:]
  /// The number of the last schema whose records decode as they are, which nearly every record has.
  @usableFromInline var lastDirectSchema: UInt32?
  /// Sessions that were opened behind this record have been looked at when they were.
  private var start: UInt64
  /// Older sessions that have been looked at.
  private var metSessions: Set<UInt64> = []

  /// Starts before the first record.
  public init(plan: DecodingPlan<App>) {
    self.init(fold: Fold(), plan: plan)
  }

  /// Starts from a fold that already stands somewhere.
  public init(fold: Fold<App>, plan: DecodingPlan<App>) {
    self.fold = fold
    self.plan = plan
    start = fold.sequence
  }

  /// Goes on from another fold of the same log, such as one that was stored.
  public mutating func goOn(from fold: Fold<App>) {
    self.fold = fold
    start = fold.sequence
    metSessions = []
  }

  /// Folds the record that a cursor stands at.
  ///
  /// - Parameters:
  ///   - record: The record, which follows the last one folded.
  ///   - decoded: Called once, between decoding and reducing, for who measures them apart; before
  ///     a record that is not an action.
  /// - Complexity: That of decoding and reducing the record; resolving one of an older schema
  ///   allocates.
  /// - Throws: ``FoldError``; the state is then unchanged.
  /// - Returns: What the reducer answered; none for a record that is not an action.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func advance(
    _ record: borrowing RecordCursor, decoded: () -> Void = {}
  ) throws(FoldError) -> Effect<App.Action, App.Environment> {
    let sequence = record.sequence
    guard sequence == fold.sequence + 1 else {
      throw .gap(expected: fold.sequence + 1, found: sequence)
    }
    guard record.kind == .action else {
      decoded()
      if record.kind == .sessionOpened { try checkSession(record) }
      if record.kind == .effectFinished { try finishEffect(record) }
      fold.pass(sequence)
      return .none
    }
    if record.schema != lastDirectSchema {
      guard plan.decodesDirectly(record.schema) else {
        return try advanceResolving(record, decoded)
      }
      lastDirectSchema = record.schema
    }
    do throws(AvroError) {
      return try App._advance(
        record.payload, into: &fold, at: record.moment, sequence: sequence,
        hadEffect: record.hasEffect, decoded: decoded)
    } catch {
      guard plan.mayResolve(record.schema) else {
        throw .undecodable(sequence: sequence, error)
      }
      return try advanceResolving(record, decoded)
    }
  }

  /// Takes an effect that came to its end out of what is in flight.
  @usableFromInline
  mutating func finishEffect(_ record: borrowing RecordCursor) throws(FoldError) {
    do throws(AvroError) {
      fold.inFlight.finish(try EffectFinished(encoded: record.payload).id)
    } catch {
      throw .undecodable(sequence: record.sequence, error)
    }
  }

  /// Folds a record of another schema than the app's own.
  @inlinable
  @inline(never)
  mutating func advanceResolving(
    _ record: borrowing RecordCursor, _ decoded: () -> Void
  ) throws(FoldError) -> Effect<App.Action, App.Environment> {
    let sequence = record.sequence
    guard hasMet(record.session) else {
      throw .unmetSession(sequence: sequence, session: record.session)
    }
    let outcome = try plan.outcome(
      of: record.payload, schema: record.schema, sequence: sequence, session: record.session,
      moment: record.moment)
    decoded()
    switch outcome {
    case .action(let action):
      return fold.apply(
        action, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .actions(let actions):
      return fold.apply(
        actions, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .ignored(let name):
      ignoredCounts[name, default: 0] += 1
      fold.pass(sequence)
      return .none
    }
  }

  /// Looks at the record that opened a session, for a fold that began behind it.
  ///
  /// - Throws: ``FoldError/foreignSchema(session:schema:)`` if the schema that it names is another
  ///   one.
  public mutating func meet(_ opening: borrowing RecordCursor) throws(FoldError) {
    try checkSession(opening)
    metSessions.insert(opening.sequence)
  }

  /// Whether the opening of a session was looked at.
  @usableFromInline
  func hasMet(_ session: UInt64) -> Bool { session > start || metSessions.contains(session) }

  /// Checks that the schema which a session writes with is the one that it names: what is resolved
  /// by a schema that was damaged could be read as something else.
  @usableFromInline
  func checkSession(_ record: borrowing RecordCursor) throws(FoldError) {
    guard let stored = plan.schema(record.schema), stored.verdict != .same else { return }
    let opened: SessionOpened
    do throws(AvroError) {
      opened = try record.systemPayload(as: SessionOpened.self)
    } catch {
      throw .undecodable(sequence: record.sequence, error)
    }
    guard opened.actionSchema == stored.fingerprint else {
      throw .foreignSchema(session: record.sequence, schema: record.schema)
    }
  }
}
