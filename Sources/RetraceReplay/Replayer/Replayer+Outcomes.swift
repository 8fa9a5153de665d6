import Retrace
package import RetraceStorage
import RetraceSystem

/// What a build makes of one record, for the comparison of two builds.
package struct RecordOutcome<App: ReplayableApp>: Sendable {
  /// The sequence of the record.
  package var sequence: UInt64
  /// The state after the record, as far as it is compared.
  package var state: State
  /// The effect that the reducer returned; none for a record that is not an action.
  package var effect: Effect<App.Action, App.Environment>
  /// The effects in flight after the record.
  package var inFlight: EffectsInFlight
  /// The decision of this build on the command of the record: the facts under `facts`, or the
  /// refusal under `refusal`.
  ///
  /// `nil` for a record that is no command, and for a command that this build cannot decide.
  package var decision: JSONValue?

  /// A state, by its hash or by what the record changed.
  package enum State: Hashable, Sendable {
    /// The hash of the state after the record.
    case hash(Digest)
    /// What the record changed.
    case difference(StateDifference)
  }
}

/// The way in which the outcomes of records are computed.
package struct OutcomeReader<App: ReplayableApp> {
  /// Computes what records change; `nil` if states are hashed instead.
  package let differ: StateDiffer<App.State>?
  private let facts: SelectiveCodec
  private let refusals: SelectiveCodec
  private var decider = CommandDecider<App>()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - hashesStates: Whether states are hashed. Otherwise the changes of each record are
  ///     computed, which takes longer, and leaves fields out.
  ///   - omitted: The fields that are left out of decisions, and of changes of the state.
  /// - Complexity: O(size of the schemas).
  /// - Throws: `storageFailed` for an app whose schemas are contradictory.
  package init(
    hashingStates hashesStates: Bool = true, omitting omitted: OmittedFields = OmittedFields()
  ) throws(StoreError) {
    differ =
      try hashesStates
      ? nil : StateDiffer(like: App.initialState, limit: .max, omitting: omitted)
    do throws(AvroError) {
      facts = try SelectiveCodec(App.Action.schema, omitting: omitted)
      refusals = try SelectiveCodec(App.Refusal.schema, omitting: omitted)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }

  /// Folds a record, and returns its outcome.
  mutating func outcome(
    of record: borrowing RecordCursor, folding position: inout RecordFold<App>,
    in view: borrowing ReadView, _ writer: inout AvroWriter
  ) throws(StoreError) -> RecordOutcome<App> {
    var decision: JSONValue?
    if record.kind == .command {
      let command = try record.storedPayload(as: RecordedCommand.self)
      decision = decider.decide(command, on: position.fold, at: record.moment, in: view)?
        .outcome.json(facts, refusals)
    }
    let before = differ.map { _ in position.fold.state }
    let effect = try view.fold(record, into: &position)
    let state: RecordOutcome<App>.State =
      if let differ, let before {
        .difference(try differ.difference(from: before, to: position.fold.state))
      } else {
        .hash(StateHasher.hash(&position.fold.state, with: SHA256Hasher.self, &writer))
      }
    return RecordOutcome(
      sequence: record.sequence, state: state, effect: effect, inFlight: position.fold.inFlight,
      decision: decision)
  }
}

extension Replayer {
  /// Advances to a sequence, and calls `body` with what this build makes of each record on the way.
  ///
  /// - Parameters:
  ///   - last: The sequence to end at; at most the replayer's ``last``.
  ///   - reader: Computes the outcomes.
  ///   - body: Receives each outcome.
  /// - Complexity: O(records), and for each a state hash, or its changes; memory for all outcomes.
  /// - Throws: The errors of ``seek(to:)``; the position is then unchanged.
  package mutating func forEachOutcome(
    through last: UInt64, by reader: inout OutcomeReader<App>,
    _ body: (RecordOutcome<App>) throws(StoreError) -> Void
  ) throws(StoreError) {
    precondition(last <= self.last, "Replayer: record \(last) of \(self.last)")
    guard sequence < last else { return }
    var result = try outcomes(through: last, &reader)
    if hasPageError {
      // The snapshot is damaged. Seeking discards its states and folds the log from the start.
      try seek(to: sequence)
      result = try outcomes(through: last, &reader)
    }
    position = result.position
    for outcome in result.found { try body(outcome) }
  }

  private func outcomes(
    through last: UInt64, _ reader: inout OutcomeReader<App>
  ) throws(StoreError) -> (found: [RecordOutcome<App>], position: RecordFold<App>) {
    var position = position
    var found: [RecordOutcome<App>] = []
    var writer = AvroWriter(capacity: 4_096)
    try storage.withReadView { (view) throws(StoreError) in
      try view.scan(from: position.fold.sequence + 1, through: last) {
        record throws(StoreError) in
        found.append(try reader.outcome(of: record, folding: &position, in: view, &writer))
      }
    }
    return (found, position)
  }
}
