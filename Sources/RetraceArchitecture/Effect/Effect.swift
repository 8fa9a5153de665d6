public import RetraceAvro

/// The consequences of an action outside the state, once it is durable, as a value of one word.
///
/// An effect is a list of steps, which take effect in the order written: work that starts, and
/// cancellations of work that is in flight. Work is made of ``EffectLeaf`` values and holds no
/// closure. So an effect can be compared, listed, recorded and started again. Cancellations are
/// steps of their own: nothing can delay them or put them after other work. ``none`` allocates
/// nothing.
///
/// ```swift
/// struct SearchReducer: Reducer {
///   func reduce(
///     _ state: inout Search, _ action: SearchAction, at moment: Moment
///   ) -> Effect<SearchAction, NoteServer> {
///     guard case .edited(let edit) = action else { return .none }
///     state.query.apply(edit)
///     return .run(CountHits(query: state.query.text)).debounced("hits", for: .seconds(1))
///   }
/// }
/// ```
@frozen
public struct Effect<Action: Sendable, Environment: Sendable>: Sendable {
  @usableFromInline let node: EffectNode<Action, Environment>?

  @inlinable
  init(node: EffectNode<Action, Environment>?) { self.node = node }

  init(_ steps: [EffectStep<Action, Environment>]) {
    node = steps.isEmpty ? nil : EffectNode(steps)
  }

  init(_ contents: EffectStep<Action, Environment>.Content...) {
    self.init(contents.map { EffectStep(scope: EffectScope(), content: $0) })
  }

  /// Creates an effect that starts work.
  public init(_ work: EffectWork<Action, Environment>) {
    self.init(work.isNone ? [] : [EffectStep(scope: EffectScope(), content: .work(work))])
  }

  /// The effect that does nothing.
  @inlinable public static var none: Effect { Effect(node: nil) }

  /// Whether the effect is ``none``.
  @inlinable public var isNone: Bool { node == nil }

  /// The steps, in the order in which they take effect; empty for ``none``.
  public var steps: [EffectStep<Action, Environment>] { node?.steps ?? [] }

  /// Returns an effect that cancels the work that the feature runs under a key.
  ///
  /// It cancels the work of earlier actions, and of the steps before it in the same effect.
  public static func cancel(_ key: some CancellationKey) -> Effect {
    Effect(.cancel(CancellationID(key)))
  }

  /// The effect that cancels all work of the feature and of its children.
  public static var cancelAll: Effect { Effect(.cancelAll) }

  /// Returns an effect with the steps of this effect followed by the steps of another one.
  @inlinable
  public func merged(with other: Effect) -> Effect {
    if other.isNone { return self }
    return isNone ? other : .merge([self, other])
  }

  /// Returns an effect that has the steps of all effects, in order.
  ///
  /// - Complexity: O(steps).
  public static func merge(_ effects: [Effect]) -> Effect { Effect(effects.flatMap { $0.steps }) }

  /// Returns the effect for the parent of a feature, with embedded actions and the scope of the
  /// child.
  ///
  /// Embeddings compose: `map(a).map(b)` sends the same actions as `map` with both composed.
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

extension Effect: Equatable {
  /// Returns whether both effects have equal steps in the same scopes.
  public static func == (left: Effect, right: Effect) -> Bool {
    left.node === right.node || left.steps == right.steps
  }
}

// The functions below also exist with the result `EffectWork`, so that work can be wrapped further:
// in `.run(a).delayed(by: b)` the first call makes work, and the last one the effect.
extension Effect {
  /// Returns an effect of one leaf.
  public static func run<Leaf: EffectLeaf>(_ leaf: Leaf) -> Effect
  where Leaf.Action == Action, Leaf.Environment == Environment {
    Effect(EffectWork.run(leaf))
  }

  // Only for its message, in the native build of the app.
  #if !hasFeature(Embedded)
    /// A closure cannot be recorded, so it cannot be an effect.
    @available(
      *, unavailable,
      message: "declare an EffectLeaf or a StreamingLeaf; a closure cannot be recorded"
    )
    public static func run(
      _ body: @escaping @Sendable (Environment, EffectSender<Action>) async throws -> Void
    ) -> Effect { .none }
  #endif

  /// Returns an effect of one leaf that sends actions while it runs.
  public static func run<Leaf: StreamingLeaf>(_ leaf: Leaf) -> Effect
  where Leaf.Action == Action, Leaf.Environment == Environment {
    Effect(EffectWork.run(leaf))
  }

  /// Returns an effect that runs parts of work one after the other.
  ///
  /// - Complexity: O(`parts.count`).
  public static func concatenate(_ parts: [EffectWork<Action, Environment>]) -> Effect {
    Effect(EffectWork.concatenate(parts))
  }

  /// Returns work of one leaf.
  @_disfavoredOverload
  public static func run<Leaf: EffectLeaf>(_ leaf: Leaf) -> EffectWork<Action, Environment>
  where Leaf.Action == Action, Leaf.Environment == Environment { .run(leaf) }

  /// Returns work of one leaf that sends actions while it runs.
  @_disfavoredOverload
  public static func run<Leaf: StreamingLeaf>(_ leaf: Leaf) -> EffectWork<Action, Environment>
  where Leaf.Action == Action, Leaf.Environment == Environment { .run(leaf) }

  /// Returns work whose parts run one after the other.
  @_disfavoredOverload
  public static func concatenate(
    _ parts: [EffectWork<Action, Environment>]
  ) -> EffectWork<Action, Environment> { .concatenate(parts) }

  /// Returns work whose parts run concurrently.
  @_disfavoredOverload
  public static func merge(
    _ parts: [EffectWork<Action, Environment>]
  ) -> EffectWork<Action, Environment> { .merge(parts) }
}

extension Effect where Action: Recordable & Equatable {
  /// Returns an effect that sends an action back.
  public static func send(_ action: Action) -> Effect { Effect(EffectWork.send(action)) }

  /// Returns work that sends an action back; usually delayed.
  @_disfavoredOverload
  public static func send(_ action: Action) -> EffectWork<Action, Environment> { .send(action) }
}

/// A step of an effect, with the feature that it belongs to.
public struct EffectStep<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
  /// The operation of a step.
  public enum Content: Equatable, Sendable {
    /// Starts work.
    case work(EffectWork<Action, Environment>)
    /// Starts work at most once in a time; see ``EffectWork/throttled(_:for:latest:)``.
    case throttle(EffectThrottle, EffectWork<Action, Environment>)
    /// Cancels the work that the feature runs under an id.
    case cancel(CancellationID)
    /// Cancels all work of the feature and of its children.
    case cancelAll
  }

  /// The feature; empty for the one whose reducer returned the effect.
  public var scope: EffectScope
  /// The operation.
  public var content: Content

  /// The work of the step, if it has any.
  public var work: EffectWork<Action, Environment>? {
    switch content {
    case .work(let work), .throttle(_, let work): work
    case .cancel, .cancelAll: nil
    }
  }
}

/// The steps of an effect, boxed so that an effect is one word.
@usableFromInline
final class EffectNode<Action: Sendable, Environment: Sendable>: Sendable {
  let steps: [EffectStep<Action, Environment>]

  init(_ steps: [EffectStep<Action, Environment>]) { self.steps = steps }

  @usableFromInline
  func mapped<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> EffectNode<Embedding.Parent, Environment> where Embedding.Child == Action {
    let component = embedding.scope
    return map {
      $0.inside(component)
    } work: { work in
      work.mapLeaves { $0.map(embedding) }
    }
  }

  @usableFromInline
  func pulledBack<P: EnvironmentProjection>(
    environment projection: P.Type
  ) -> EffectNode<Action, P.Parent> where P.Child == Environment {
    map {
      $0
    } work: { work in
      work.mapLeaves { $0.pulledBack(environment: projection) }
    }
  }

  /// Returns the same steps with other scopes and other work.
  private func map<NewAction: Sendable, NewEnvironment: Sendable>(
    scope: (EffectScope) -> EffectScope,
    work transform: (EffectWork<Action, Environment>) -> EffectWork<NewAction, NewEnvironment>
  ) -> EffectNode<NewAction, NewEnvironment> {
    typealias NewStep = EffectStep<NewAction, NewEnvironment>
    return EffectNode<NewAction, NewEnvironment>(
      steps.map { step in
        let content: NewStep.Content =
          switch step.content {
          case .work(let work): .work(transform(work))
          case .throttle(let throttle, let work): .throttle(throttle, transform(work))
          case .cancel(let id): .cancel(id)
          case .cancelAll: .cancelAll
          }
        return NewStep(scope: scope(step.scope), content: content)
      })
  }
}
