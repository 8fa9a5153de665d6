public import RetraceAvro
public import RetraceState

/// What should be done outside once an action is durable, as a value of one word.
///
/// An effect is a tree whose leaves are ``EffectLeaf`` values; it holds no closure. So it can be
/// compared, listed, recorded and started again, and a reducer that answers ``none`` pays for one
/// empty word.
@frozen
public struct Effect<Action: Sendable, Environment: Sendable>: Sendable {
  @usableFromInline let node: EffectNode<Action, Environment>?

  @inlinable
  init(node: EffectNode<Action, Environment>?) { self.node = node }

  init(_ content: EffectContent<Action, Environment>) { node = EffectNode(content) }

  /// Nothing to do.
  @inlinable public static var none: Effect { Effect(node: nil) }

  /// Whether there is nothing to do.
  @inlinable public var isNone: Bool { node == nil }

  /// The outermost part of the effect, for whoever runs it; `nil` when there is nothing to do.
  public var content: EffectContent<Action, Environment>? { node?.content }

  /// One leaf.
  public static func run<Leaf: EffectLeaf>(_ leaf: Leaf) -> Effect
  where Leaf.Action == Action, Leaf.Environment == Environment {
    Effect(.leaf(AnyEffectLeaf(leaf)))
  }

  /// This effect, started once a time has passed since it was due.
  public func delayed(by time: ElapsedTime) -> Effect {
    isNone ? self : Effect(.delay(time, self))
  }

  /// An effect that ends what runs under an id.
  public static func cancel(_ id: CancellationID) -> Effect { Effect(.cancel(id)) }

  /// This effect, run under an id by which it can be cancelled.
  ///
  /// - Parameters:
  ///   - id: The id; it is one for the whole store, also when the effect is pulled back.
  ///   - cancelInFlight: Whether what already runs under the id is cancelled first.
  public func cancellable(_ id: CancellationID, cancelInFlight: Bool = false) -> Effect {
    guard isNone else { return Effect(.cancellable(id, cancelInFlight: cancelInFlight, self)) }
    return cancelInFlight ? .cancel(id) : .none
  }

  /// Both effects at the same time.
  @inlinable
  public func merged(with other: Effect) -> Effect {
    if other.isNone { return self }
    return isNone ? other : .merge([self, other])
  }

  /// All effects at the same time; those that are ``none`` leave no trace.
  ///
  /// - Complexity: O(`effects.count`).
  public static func merge(_ effects: [Effect]) -> Effect {
    let parts = effects.flatMap { effect -> [Effect] in
      if case .merge(let inner) = effect.content { return inner }
      return effect.isNone ? [] : [effect]
    }
    return parts.count > 1 ? Effect(.merge(parts)) : parts.first ?? .none
  }

  /// The effects one after the other; those that are ``none`` leave no trace.
  ///
  /// - Complexity: O(`effects.count`).
  public static func concatenate(_ effects: [Effect]) -> Effect {
    let parts = effects.flatMap { effect -> [Effect] in
      if case .concatenate(let inner) = effect.content { return inner }
      return effect.isNone ? [] : [effect]
    }
    return parts.count > 1 ? Effect(.concatenate(parts)) : parts.first ?? .none
  }

  /// This effect with everything it sends embedded into another type of action.
  ///
  /// Embeddings compose: `map(a).map(b)` sends what `map` of both would.
  ///
  /// - Complexity: O(parts of the effect); nothing for ``none``.
  @inlinable
  public func map<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> Effect<Embedding.Parent, Environment> where Embedding.Child == Action {
    guard let node else { return .none }
    return Effect<Embedding.Parent, Environment>(node: node.mapped(embedding))
  }
}

extension Effect where Action: Recordable & Equatable {
  /// An effect that sends an action back; usually delayed.
  public static func send(_ action: Action) -> Effect { .run(SendLeaf(action: action)) }
}

extension Effect: Equatable {
  /// Whether both effects have equal leaves, embedded alike, in the same arrangement.
  public static func == (left: Effect, right: Effect) -> Bool {
    left.node === right.node || left.content == right.content
  }
}

/// The name under which effects run that can be cancelled together; one scope for a whole store.
public struct CancellationID: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// Makes an id from a name, such as `"search"` or `"upload-\(id.value)"`.
  public init(_ name: String) { self.name = name }

  /// Makes an id from a literal.
  public init(stringLiteral value: String) { name = value }
}

/// The parts an effect is made of.
public enum EffectContent<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// One leaf.
  case leaf(AnyEffectLeaf<Action, Environment>)
  /// An effect that starts later.
  case delay(ElapsedTime, Effect<Action, Environment>)
  /// Effects that run at the same time.
  case merge([Effect<Action, Environment>])
  /// Effects that run one after the other.
  case concatenate([Effect<Action, Environment>])
  /// The end of everything that runs under an id.
  case cancel(CancellationID)
  /// An effect that runs under an id, after the end of what ran under it if so asked.
  case cancellable(CancellationID, cancelInFlight: Bool, Effect<Action, Environment>)
}

/// The content of an effect behind one word.
@usableFromInline
final class EffectNode<Action: Sendable, Environment: Sendable>: Sendable {
  let content: EffectContent<Action, Environment>

  init(_ content: EffectContent<Action, Environment>) { self.content = content }

  @usableFromInline
  func mapped<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> EffectNode<Embedding.Parent, Environment> where Embedding.Child == Action {
    switch content {
    case .leaf(let leaf): EffectNode<Embedding.Parent, Environment>(.leaf(leaf.map(embedding)))
    case .delay(let time, let effect):
      EffectNode<Embedding.Parent, Environment>(
        .delay(time, effect.map(embedding)))
    case .merge(let effects):
      EffectNode<Embedding.Parent, Environment>(
        .merge(effects.map { $0.map(embedding) }))
    case .concatenate(let effects):
      EffectNode<Embedding.Parent, Environment>(
        .concatenate(effects.map { $0.map(embedding) }))
    case .cancel(let id): EffectNode<Embedding.Parent, Environment>(.cancel(id))
    case .cancellable(let id, let cancelInFlight, let effect):
      EffectNode<Embedding.Parent, Environment>(
        .cancellable(id, cancelInFlight: cancelInFlight, effect.map(embedding)))
    }
  }
}
