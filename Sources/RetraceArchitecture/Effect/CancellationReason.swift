/// The reason why a leaf without an `effectFinished` record is no longer in flight.
public enum CancellationReason: Hashable, Sendable {
  /// Its feature cancelled the id, or started other work in its place.
  case id(CancellationID)
  /// Its feature or a parent feature cancelled all work.
  case all
  /// The child that it belongs to is gone.
  case childEnded
}

extension EffectsInFlight.Leaf {
  /// Returns why the leaf is not in flight after an action, given that it was before.
  ///
  /// - Parameter effect: The effect of the action.
  /// - Complexity: O(steps of the effect).
  public func reasonOfCancellation<Action, Environment>(
    by effect: Effect<Action, Environment>
  ) -> CancellationReason {
    for step in effect.steps {
      switch step.content {
      case .cancel(let id) where step.scope == scope && cancellations.contains(id):
        return .id(id)
      case .throttle(let throttle, _)
      where step.scope == scope && cancellations.contains(throttle.id):
        return .id(throttle.id)
      case .cancelAll where scope.isWithin(step.scope):
        return .all
      case .work, .throttle, .cancel, .cancelAll: continue
      }
    }
    return .childEnded
  }
}

extension CancellationReason: CustomStringConvertible {
  /// The reason as an end of a sentence, such as `cancelled as search`.
  public var description: String {
    switch self {
    case .id(let id): "cancelled as \(id)"
    case .all: "cancelled with all work of its feature"
    case .childEnded: "cancelled with its feature, which is gone"
    }
  }
}
