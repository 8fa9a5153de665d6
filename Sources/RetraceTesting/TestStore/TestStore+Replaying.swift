public import RetraceArchitecture
import RetraceAvro
import RetraceReplay
public import RetraceStorage
import RetraceState
public import Testing

extension TestStore {
  /// Returns a store that has taken the steps of a recorded log: a log is a test.
  ///
  /// Its actions are folded, and its commands decided again, each on the state before it. An issue
  /// is recorded if a state hash, a decision or an effect differs from the recorded one, or if a
  /// state breaks an invariant. A test goes on from the last record: with its state, its effects
  /// in flight and its moment.
  ///
  /// ```swift
  /// let bug = try LogStorage.open(at: path, access: .read)
  /// var store = try TestStore<NotesApp>.replaying(bug)
  /// store.send(.closed) { $0.search = nil }
  /// ```
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - environment: The environment of effects.
  ///   - sourceLocation: The line of the call.
  /// - Complexity: O(records), each decoded, reduced twice and hashed at intervals.
  /// - Throws: `damaged` if the log differs from what was written, `incompatible` if this build
  ///   cannot read it.
  public static func replaying(
    _ log: LogStorage, environment: App.Environment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(StoreError) -> TestStore {
    let verification = try Verifier<App>.verify(
      log, checkingInvariants: .everyRecord, decidingCommands: true)
    var replayer = try Replayer<App>(log)
    try replayer.seek(to: replayer.last)
    let fold = Fold<App>(
      state: replayer.state, inFlight: replayer.effectsInFlight, sequence: replayer.last)
    var store = TestStore(
      fold: fold, environment: environment, clock: VirtualClock(at: try replayer.moment()))
    for cause in Set(fold.inFlight.leaves.map(\.id.cause)).sorted() {
      try replayer.seek(to: cause)
      if let step = try replayer.currentStep() { store.keep(step.effect, of: cause) }
    }
    store.report(problems(verification), at: sourceLocation)
    return store
  }

  /// Returns what a log and this build tell differently.
  private static func problems(_ verification: Verification) -> [String] {
    var problems: [String] = []
    if let found = verification.firstDivergence {
      problems.append(
        "the state differs from the recorded one after one of the records \(found.after + 1) to "
          + "\(found.upTo)")
    }
    if let found = verification.decisions?.firstDivergence {
      problems.append(
        "record \(found.sequence): the command \(found.command.text()) led to "
          + "\(found.recorded.text()), and now leads to \(found.decided.text())")
    }
    if let found = verification.effects.firstDivergence {
      let what =
        switch found.kind {
        case .missing: "its action has no effect, but had one when it was recorded"
        case .unrecorded(let leaves):
          "its action has the effect \(leaves.joined(separator: ", ")), but had none"
        case .endOfUnknownLeaf(let id): "the leaf \(id) ends, which is not in flight"
        case .answerOfUnknownLeaf(let cause):
          "the effect of record \(cause) answers, of which no leaf is in flight"
        case .endedEarly(let id, _): "the leaf \(id) ends before it is due"
        }
      problems.append("record \(found.sequence): \(what)")
    }
    if let found = verification.firstViolations {
      let list = found.violations.map(\.description).joined(separator: "; ")
      problems.append("record \(found.sequence): the state breaks an invariant: \(list)")
    }
    return problems
  }
}
