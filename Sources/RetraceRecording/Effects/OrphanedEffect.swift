import Retrace
import RetraceStorage

/// An effect of a session that has ended, with leaves still in flight.
struct OrphanedEffect<App: ReplayableApp>: Sendable {
  let caused: CausedEffect<App>
  /// The ends that can be recorded now, each with the actions sent in place of the leaf.
  private(set) var ends: [(LeafAnswer, [App.Action])] = []
  /// The recovery steps of the leaves that do not end now, by their ordinals.
  private(set) var pending: [UInt32: EffectRun<App>.RecoveryStep] = [:]

  /// Decides for each leaf in flight whether it is dropped, replaced or run again, as it declares.
  ///
  /// A leaf to be dropped is dropped at once. An action that replaces a leaf is sent after the
  /// delays around the leaf, counted from the cause, and after everything before it in a
  /// concatenation has ended. A leaf that runs again also waits for these delays and parts.
  init(_ caused: CausedEffect<App>, now: Moment, inFlight: EffectsInFlight) {
    self.caused = caused
    var ordinal: UInt32 = 0
    for step in caused.effect.steps {
      guard let work = step.work else { continue }
      _ = decide(work, isReached: true, now: now, inFlight: inFlight, &ordinal)
    }
  }

  /// Decides for each leaf of a part whether it is dropped, replaced or run again.
  ///
  /// - Parameter isReached: Whether the parts before it in a concatenation have ended.
  /// - Returns: Whether everything in the part has ended.
  private mutating func decide(
    _ work: EffectWork<App.Action, App.Environment>, isReached: Bool, now: Moment,
    inFlight: EffectsInFlight, _ ordinal: inout UInt32
  ) -> Bool {
    switch work.content {
    case .leaf(let leaf):
      defer { ordinal += 1 }
      return decide(leaf, ordinal, isReached: isReached, now: now, inFlight: inFlight)
    case .cancellable(_, let inner), .delay(_, let inner):
      return decide(inner, isReached: isReached, now: now, inFlight: inFlight, &ordinal)
    case .merge(let parts):
      return parts.reduce(true) { ended, part in
        decide(part, isReached: isReached, now: now, inFlight: inFlight, &ordinal) && ended
      }
    case .concatenate(let parts):
      return parts.reduce(true) { ended, part in
        decide(part, isReached: isReached && ended, now: now, inFlight: inFlight, &ordinal)
          && ended
      }
    }
  }

  private mutating func decide(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32, isReached: Bool,
    now: Moment, inFlight: EffectsInFlight
  ) -> Bool {
    let id = EffectLeafID(cause: caused.cause, ordinal: ordinal)
    guard let flying = inFlight.leaf(id) else { return true }
    switch leaf.interruptionPolicy {
    case .drop:
      ends.append((LeafAnswer(id: id, outcome: .dropped), []))
      return true
    case .send(let action) where isReached && flying.due <= now:
      ends.append((LeafAnswer(id: id, outcome: .replaced), [action]))
      return true
    case .send(let action):
      pending[ordinal] = .send(action)
      return false
    case .run:
      pending[ordinal] = .runAgain
      return false
    }
  }
}

extension ReadView {
  /// Returns the effects of some records, by reducing the log once more.
  ///
  /// - Complexity: O(records from the snapshot before the first of them to the last).
  func effects<App: ReplayableApp>(
    of causes: Set<UInt64>, in app: App.Type, from snapshots: SnapshotStorage,
    fingerprint: FoldFingerprint
  ) throws(StoreError) -> [CausedEffect<App>] {
    guard let first = causes.min(), let last = causes.max() else { return [] }
    var found: [CausedEffect<App>] = []
    var records = try restore(app, through: first - 1, from: snapshots, fingerprint: fingerprint)
      .recordFold
    try scan(from: first, through: last) { record throws(StoreError) in
      let effect = try fold(record, into: &records)
      guard causes.contains(record.sequence) else { return }
      found.append(
        CausedEffect(cause: record.sequence, moment: record.moment, effect: effect))
    }
    return found
  }
}
