public import Retrace
public import RetraceStorage

/// A leaf in flight, with its name.
public struct EffectInFlight: Hashable, Sendable {
  /// Its cause and ordinal, when it is due, its feature and its cancellation ids.
  public var leaf: EffectsInFlight.Leaf
  /// The name of the leaf; `nil` if the reducer of this build returns another effect.
  public var name: String?
}

extension Replayer {
  /// Returns the effects in flight after record ``sequence``, with the names of their leaves.
  ///
  /// The log has no names, so the records that caused the leaves are reduced again.
  ///
  /// - Complexity: As ``seek(to:)`` for each of these records.
  /// - Throws: The errors of ``seek(to:)``; the position is then as after a failed seek.
  public mutating func namedEffectsInFlight() throws(StoreError) -> [EffectInFlight] {
    let place = sequence
    let leaves = effectsInFlight.leaves
    var named: [EffectInFlight] = []
    var cause: (sequence: UInt64, effect: Effect<App.Action, App.Environment>)?
    for leaf in leaves {
      if cause?.sequence != leaf.id.cause {
        try seek(to: leaf.id.cause)
        cause = (leaf.id.cause, try currentStep()?.effect ?? .none)
      }
      let found = cause?.effect.leaves.first { $0.ordinal == leaf.id.ordinal }
      named.append(EffectInFlight(leaf: leaf, name: found?.leaf.name))
    }
    if sequence != place { try seek(to: place) }
    return named
  }
}
