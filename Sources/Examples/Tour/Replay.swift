import Counter
import Retrace
import RetraceReplay
import RetraceStorage

/// Returns the state that an app had after a record.
func state(at sequence: UInt64, in storage: LogStorage) throws(StoreError) -> CounterState {
  var replayer = try Replayer<CounterApp>(storage)
  try replayer.seek(to: min(sequence, replayer.last))
  return replayer.state
}

/// Returns what a record changed, as lines such as `counters[1].value: 2 -> 3`.
func changes(by sequence: UInt64, in storage: LogStorage) throws(StoreError) -> [String] {
  var replayer = try Replayer<CounterApp>(storage)
  try replayer.seek(to: min(sequence, replayer.last))
  guard let step: RecordStep<CounterApp> = try replayer.currentStep() else { return [] }
  let detail: StateDiffer<CounterState>.Detail = .values
  let differ = try StateDiffer(like: step.after, detail: detail)
  let difference: StateDifference = try differ.difference(from: step.before, to: step.after)
  return difference.changes.flatMap { (change: StateChange) in
    let entity: StateChange.Entity? = change.entity
    let prefix = entity.map { "\($0.path)." } ?? ""
    return change.fields.map { field in
      "\(prefix)\(field.path): \(field.before?.text() ?? "") -> \(field.after?.text() ?? "")"
    }
  }
}

/// Returns the sequences of the records that changed a counter, and the kind of each change.
func history(
  of name: String, in storage: LogStorage
) throws(StoreError) -> [(sequence: UInt64, kind: StateChange.Kind)] {
  guard let entity = EntityName(name) else { return [] }
  var history: [(sequence: UInt64, kind: StateChange.Kind)] = []
  var replayer = try Replayer<CounterApp>(storage)
  let last = replayer.last
  _ = try replayer.forEachChange(of: entity, through: last) { (change: EntityChange) in
    history.append((change.envelope.sequence, change.change.kind))
    return true
  }
  return history
}

/// Returns the sessions that were not closed properly.
func unclosedSessions(in storage: LogStorage) throws(StoreError) -> [UInt64] {
  let sessions: [SessionSummary] = try SessionSummary.all(in: storage)
  return sessions.filter { !$0.isClosed }.map(\.number)
}

/// Returns the names of the effects in flight at the end of a log.
func namesInFlight(in storage: LogStorage) throws(StoreError) -> [String] {
  var replayer = try Replayer<CounterApp>(storage)
  try replayer.seek(to: replayer.last)
  let effects: [EffectInFlight] = try replayer.namedEffectsInFlight()
  return effects.compactMap(\.name)
}

/// Returns the first record after which a fold no longer gives the recorded state.
func firstDivergence(in storage: LogStorage) throws(StoreError) -> UInt64? {
  let verification: Verification = try Verifier<CounterApp>.verify(storage)
  let divergence: Verification.Divergence? = verification.firstDivergence
  return divergence?.upTo
}

/// Returns the first command that this build decides differently from the build that recorded it.
func firstDifferentDecision(
  in storage: LogStorage
) throws(StoreError) -> Verification.DecisionDivergence? {
  let verification = try Verifier<CounterApp>.verify(storage, decidingCommands: true)
  let decisions: Verification.Decisions? = verification.decisions
  return decisions?.firstDivergence
}

/// Returns the first record after which the state breaks an invariant, and what is broken.
func firstInvalidState(
  in storage: LogStorage
) throws(StoreError) -> (record: UInt64, rules: [String])? {
  // The default, `.spread`, checks at most 64 states of a log, however long.
  let checks: Verification.InvariantChecks = .everyRecord
  let found: Verification.Violations? =
    try Verifier<CounterApp>.verify(storage, checkingInvariants: checks).firstViolations
  return found.map { ($0.sequence, $0.violations.map { (violation: Violation) in violation.rule }) }
}

/// Returns the files of released schemas whose records this build cannot read.
func unreadableReleases(in folder: String) throws(StoreError) -> [String] {
  let history = try SchemaHistory<CounterApp>(folder: folder)
  return history.unreadable.map { (entry: SchemaHistory<CounterApp>.Entry) in entry.file }
}
