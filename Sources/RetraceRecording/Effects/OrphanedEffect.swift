import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage

/// An effect of a session that has ended, with leaves still in flight.
struct OrphanedEffect<App: ReplayableApp>: Sendable {
  let caused: CausedEffect<App>
  /// The moment of the cause, from which delays count.
  let moment: Moment
  /// The ends that can be recorded now, each with the actions sent in place of the leaf.
  private(set) var ends: [(LeafEnd, [App.Action])] = []
  /// The recovery steps of the leaves that do not end now, by their ordinals.
  private(set) var pending: [UInt32: EffectRun<App>.RecoveryStep] = [:]

  /// Decides for each leaf in flight whether it is dropped, replaced or run again, as it declares.
  ///
  /// A leaf to be dropped is dropped at once. An action that replaces a leaf is sent after the
  /// delays around the leaf, counted from the cause, and after everything before it in a
  /// concatenation has ended. A leaf that runs again also waits for these delays and parts.
  init(
    _ caused: CausedEffect<App>, at moment: Moment, now: Moment, inFlight: EffectsInFlight
  ) {
    self.caused = caused
    self.moment = moment
    var ordinal: UInt32 = 0
    _ = decide(
      caused.effect, due: moment, isReached: true, now: now, inFlight: inFlight, &ordinal)
  }

  /// Decides for each leaf of a part whether it is dropped, replaced or run again.
  ///
  /// - Parameters:
  ///   - due: The moment of the cause plus the delays around the part.
  ///   - isReached: Whether the delays around the part are over and the parts before it have ended.
  /// - Returns: Whether everything in the part has ended.
  private mutating func decide(
    _ effect: Effect<App.Action, App.Environment>, due: Moment, isReached: Bool, now: Moment,
    inFlight: EffectsInFlight, _ ordinal: inout UInt32
  ) -> Bool {
    switch effect.content {
    case nil, .cancel:
      return true
    case .leaf(let leaf):
      defer { ordinal += 1 }
      return decide(leaf, ordinal, isReached: isReached, inFlight: inFlight)
    case .cancellable(_, _, let inner):
      return decide(
        inner, due: due, isReached: isReached, now: now, inFlight: inFlight, &ordinal)
    case .delay(let time, let inner):
      let due = due.adding(time)
      return decide(
        inner, due: due, isReached: isReached && due <= now, now: now, inFlight: inFlight,
        &ordinal)
    case .merge(let parts):
      return parts.reduce(true) { ended, part in
        decide(part, due: due, isReached: isReached, now: now, inFlight: inFlight, &ordinal)
          && ended
      }
    case .concatenate(let parts):
      return parts.reduce(true) { ended, part in
        decide(
          part, due: due, isReached: isReached && ended, now: now, inFlight: inFlight, &ordinal)
          && ended
      }
    }
  }

  private mutating func decide(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32, isReached: Bool,
    inFlight: EffectsInFlight
  ) -> Bool {
    let id = EffectLeafID(cause: caused.cause, ordinal: ordinal)
    guard inFlight.contains(id) else { return true }
    switch leaf.interruptionPolicy {
    case .drop:
      ends.append((LeafEnd(id: id, outcome: .dropped), []))
      return true
    case .send(let action) where isReached:
      ends.append((LeafEnd(id: id, outcome: .replaced), [action]))
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
  /// Returns the effects of some records and their moments, by reducing the log once more.
  ///
  /// - Complexity: O(records from the snapshot before the first of them to the last).
  func effects<App: ReplayableApp>(
    of causes: Set<UInt64>, in app: App.Type, from snapshots: SnapshotStorage,
    fingerprint: FoldFingerprint
  ) throws(StoreError) -> [(caused: CausedEffect<App>, moment: Moment)] {
    guard let first = causes.min(), let last = causes.max() else { return [] }
    var found: [(caused: CausedEffect<App>, moment: Moment)] = []
    var records = try restore(app, through: first - 1, from: snapshots, fingerprint: fingerprint)
      .recordFold
    try scan(from: first, through: last) { record throws(StoreError) in
      let effect = try fold(record, into: &records)
      guard causes.contains(record.sequence) else { return }
      found.append((CausedEffect(cause: record.sequence, effect: effect), record.moment))
    }
    return found
  }
}
