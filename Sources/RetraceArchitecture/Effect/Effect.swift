public import RetraceAvro
public import RetraceState

/// Work to do outside the state once an action is durable, as a value of one word.
///
/// An effect is a tree whose leaves are ``EffectLeaf`` values; it holds no closure. So an effect
/// can be compared, listed, recorded and started again. ``none`` allocates nothing.
@frozen
public struct Effect<Action: Sendable, Environment: Sendable>: Sendable {
  @usableFromInline let node: EffectNode<Action, Environment>?

  @inlinable
  init(node: EffectNode<Action, Environment>?) { self.node = node }

  init(_ content: EffectContent<Action, Environment>) { node = EffectNode(content) }

  /// The effect that does nothing.
  @inlinable public static var none: Effect { Effect(node: nil) }

  /// Whether the effect is ``none``.
  @inlinable public var isNone: Bool { node == nil }

  /// The outermost part of the effect, for runners; `nil` for ``none``.
  public var content: EffectContent<Action, Environment>? { node?.content }

  /// Returns an effect of one leaf.
  public static func run<Leaf: EffectLeaf>(_ leaf: Leaf) -> Effect
  where Leaf.Action == Action, Leaf.Environment == Environment {
    Effect(.leaf(AnyEffectLeaf(leaf)))
  }

  /// Returns this effect, delayed by a time; delays around an effect add up.
  public func delayed(by time: ElapsedTime) -> Effect {
    isNone ? self : Effect(.delay(time, self))
  }

  /// Returns an effect that cancels the effects that run under an id.
  public static func cancel(_ id: CancellationID) -> Effect { Effect(.cancel(id)) }

  /// Returns this effect, run under an id by which it can be cancelled.
  ///
  /// - Parameters:
  ///   - id: The id, which is global to the store; ``map(_:)`` does not change it.
  ///   - cancelInFlight: Whether effects already running under the id are cancelled first.
  public func cancellable(_ id: CancellationID, cancelInFlight: Bool = false) -> Effect {
    guard isNone else { return Effect(.cancellable(id, cancelInFlight: cancelInFlight, self)) }
    return cancelInFlight ? .cancel(id) : .none
  }

  /// Returns an effect that runs both effects concurrently.
  @inlinable
  public func merged(with other: Effect) -> Effect {
    if other.isNone { return self }
    return isNone ? other : .merge([self, other])
  }

  /// Returns an effect that runs all effects concurrently; ``none`` is left out.
  ///
  /// - Complexity: O(`effects.count`).
  public static func merge(_ effects: [Effect]) -> Effect {
    let parts = effects.flatMap { effect -> [Effect] in
      if case .merge(let inner) = effect.content { return inner }
      return effect.isNone ? [] : [effect]
    }
    return parts.count > 1 ? Effect(.merge(parts)) : parts.first ?? .none
  }

  /// Returns an effect that runs the effects one after the other; ``none`` is left out.
  ///
  /// - Complexity: O(`effects.count`).
  public static func concatenate(_ effects: [Effect]) -> Effect {
    let parts = effects.flatMap { effect -> [Effect] in
      if case .concatenate(let inner) = effect.content { return inner }
      return effect.isNone ? [] : [effect]
    }
    return parts.count > 1 ? Effect(.concatenate(parts)) : parts.first ?? .none
  }

  /// Returns this effect with the actions it sends embedded into another type of action.
  ///
  /// Embeddings compose: `map(a).map(b)` sends what `map` with the composition of both would.
  ///
  /// - Complexity: O(parts of the effect); O(1) for ``none``.
  @inlinable
  public func map<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> Effect<Embedding.Parent, Environment> where Embedding.Child == Action {
    guard let node else { return .none }
    return Effect<Embedding.Parent, Environment>(node: node.mapped(embedding))
  }
}

extension Effect where Action: Recordable & Equatable {
  /// Returns an effect that sends an action back; usually delayed.
  public static func send(_ action: Action) -> Effect { .run(SendLeaf(action: action)) }
}

extension Effect: Equatable {
  /// Returns whether both effects have equal leaves, with equal embeddings, in the same tree.
  public static func == (left: Effect, right: Effect) -> Bool {
    left.node === right.node || left.content == right.content
  }
}

/// The name by which running effects are cancelled; global to a store.
public struct CancellationID: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// Makes an id from a name, such as `"search"` or `"upload-\(id.value)"`.
  public init(_ name: String) { self.name = name }

  /// Makes an id from a literal.
  public init(stringLiteral value: String) { name = value }
}

/// The outermost part of an effect.
public enum EffectContent<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// One leaf.
  case leaf(AnyEffectLeaf<Action, Environment>)
  /// A delayed effect.
  case delay(ElapsedTime, Effect<Action, Environment>)
  /// Effects that run concurrently.
  case merge([Effect<Action, Environment>])
  /// Effects that run one after the other.
  case concatenate([Effect<Action, Environment>])
  /// The cancellation of all effects that run under an id.
  case cancel(CancellationID)
  /// An effect that runs under an id, after cancelling that id's effects if `cancelInFlight`.
  case cancellable(CancellationID, cancelInFlight: Bool, Effect<Action, Environment>)
}

/// The content of an effect, boxed so that an effect is one word.
@usableFromInline
final class EffectNode<Action: Sendable, Environment: Sendable>: Sendable {
  let content: EffectContent<Action, Environment>

  init(_ content: EffectContent<Action, Environment>) { self.content = content }

  @usableFromInline
  func mapped<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> EffectNode<Embedding.Parent, Environment> where Embedding.Child == Action {
    mapLeaves { $0.map(embedding) }
  }

  @usableFromInline
  func pulledBack<P: EnvironmentProjection>(
    environment projection: P.Type
  ) -> EffectNode<Action, P.Parent> where P.Child == Environment {
    mapLeaves { $0.pulledBack(environment: projection) }
  }

  /// Returns the same tree with other leaves.
  private func mapLeaves<NewAction: Sendable, NewEnvironment: Sendable>(
    _ transform: (AnyEffectLeaf<Action, Environment>) -> AnyEffectLeaf<NewAction, NewEnvironment>
  ) -> EffectNode<NewAction, NewEnvironment> {
    func map(_ effect: Effect<Action, Environment>) -> Effect<NewAction, NewEnvironment> {
      Effect<NewAction, NewEnvironment>(node: effect.node?.mapLeaves(transform))
    }
    let mapped: EffectContent<NewAction, NewEnvironment> =
      switch content {
      case .leaf(let leaf): .leaf(transform(leaf))
      case .delay(let time, let effect): .delay(time, map(effect))
      case .merge(let effects): .merge(effects.map(map))
      case .concatenate(let effects): .concatenate(effects.map(map))
      case .cancel(let id): .cancel(id)
      case .cancellable(let id, let cancelInFlight, let effect):
        .cancellable(id, cancelInFlight: cancelInFlight, map(effect))
      }
    return EffectNode<NewAction, NewEnvironment>(mapped)
  }
}
