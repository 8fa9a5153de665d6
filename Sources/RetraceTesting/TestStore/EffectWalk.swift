import RetraceArchitecture
import RetraceState

/// A walk over the leaves of an effect, in order.
struct EffectWalk<App: ReplayableApp> {
  let cause: UInt64
  let inFlight: EffectsInFlight
  /// The moment of a restart, at which leaves end by their policies; `nil` without a restart.
  let restart: Moment?
  private var ordinal: UInt32 = 0
  /// The ordinals of the leaves that wait for no earlier part of a concatenation.
  private(set) var reached: Set<UInt32> = []
  /// The leaves that a restart ends, each with the action sent in its place.
  private(set) var ends: [(ordinal: UInt32, action: App.Action?)] = []

  init(cause: UInt64, inFlight: EffectsInFlight, restart: Moment?) {
    self.cause = cause
    self.inFlight = inFlight
    self.restart = restart
  }

  /// Visits the leaves of a part.
  ///
  /// - Parameter isReached: Whether the parts before it in a concatenation have ended.
  /// - Returns: Whether everything in the part has ended.
  mutating func visit(
    _ work: EffectWork<App.Action, App.Environment>, isReached: Bool
  ) -> Bool {
    switch work.content {
    case .leaf(let leaf):
      defer { ordinal += 1 }
      if isReached { reached.insert(ordinal) }
      return hasEnded(leaf, isReached: isReached)
    case .cancellable(_, let inner), .delay(_, let inner):
      return visit(inner, isReached: isReached)
    case .merge(let parts):
      return parts.reduce(true) { ended, part in visit(part, isReached: isReached) && ended }
    case .concatenate(let parts):
      return parts.reduce(true) { ended, part in
        visit(part, isReached: isReached && ended) && ended
      }
    }
  }

  private mutating func hasEnded(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, isReached: Bool
  ) -> Bool {
    guard let flying = inFlight.leaf(EffectLeafID(cause: cause, ordinal: ordinal)) else {
      return true
    }
    guard let restart else { return false }
    switch leaf.interruptionPolicy {
    case .drop: ends.append((ordinal, nil))
    case .send(let action) where isReached && flying.due <= restart:
      ends.append((ordinal, action))
    case .send, .run: return false
    }
    return true
  }
}
