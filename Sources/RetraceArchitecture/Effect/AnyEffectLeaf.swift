// Embedded Swift has neither existentials nor concurrency: see `AnyEffectLeaf+Embedded.swift`.
#if !hasFeature(Embedded)
  public import RetraceAvro

  /// A type-erased leaf whose actions are embedded into `Action`.
  public struct AnyEffectLeaf<Action: Sendable, Environment: Sendable>: Sendable {
    private let erased: any ErasedLeaf<Action, Environment>

    /// Wraps a leaf.
    public init<Leaf: EffectLeaf>(_ leaf: Leaf)
    where Leaf.Action == Action, Leaf.Environment == Environment {
      erased = PlainLeaf(leaf: leaf)
    }

    /// Wraps a leaf that sends actions while it runs.
    public init<Leaf: StreamingLeaf>(_ leaf: Leaf)
    where Leaf.Action == Action, Leaf.Environment == Environment {
      erased = PlainStream(leaf: leaf)
    }

    private init(erased: any ErasedLeaf<Action, Environment>) { self.erased = erased }

    /// The name of the leaf's type.
    public var name: String { erased.name }

    /// The leaf as it was made, before its actions were embedded.
    public var base: any Recordable { erased.base }

    /// The treatment of the leaf if the program ends before it has finished; a subscription that
    /// another process resumes runs again.
    public var interruptionPolicy: InterruptionPolicy<Action> { erased.interruptionPolicy }

    /// The actions of a leaf that needs no environment; `nil` for other leaves.
    public var immediateActions: [Action]? { erased.immediateActions }

    /// Runs the leaf.
    ///
    /// - Parameters:
    ///   - environment: The environment.
    ///   - send: Receives the actions that the leaf sends while it runs.
    /// - Returns: The actions to send when the leaf has ended, in order, as one batch; none for a
    ///   ``StreamingLeaf``.
    /// - Throws: The error of the leaf.
    public func run(
      in environment: Environment, send: EffectSender<Action>
    ) async throws -> [Action] {
      try await erased.run(in: environment, send: send)
    }

    /// Returns the leaf with its actions embedded into another type of action.
    public func map<Embedding: ActionEmbedding>(
      _ embedding: Embedding
    ) -> AnyEffectLeaf<Embedding.Parent, Environment> where Embedding.Child == Action {
      AnyEffectLeaf<Embedding.Parent, Environment>(erased: erased.embedded(by: embedding))
    }

    /// Returns the leaf, run in a part of a larger environment.
    public func pulledBack<P: EnvironmentProjection>(
      environment projection: P.Type
    ) -> AnyEffectLeaf<Action, P.Parent> where P.Child == Environment {
      AnyEffectLeaf<Action, P.Parent>(erased: erased.pulledBack(environment: projection))
    }
  }

  extension AnyEffectLeaf: Equatable {
    /// Returns whether both wrap equal leaves of one type with equal embeddings.
    public static func == (left: AnyEffectLeaf, right: AnyEffectLeaf) -> Bool {
      left.erased.isEqual(to: right.erased)
    }
  }

  extension AnyEffectLeaf: CustomStringConvertible {
    /// The leaf as it was made.
    public var description: String { String(describing: base) }
  }

  private protocol ErasedLeaf<Action, Environment>: Sendable, SendableMetatype {
    associatedtype Action: Sendable
    associatedtype Environment: Sendable

    var name: String { get }
    var base: any Recordable { get }
    var interruptionPolicy: InterruptionPolicy<Action> { get }
    var immediateActions: [Action]? { get }
    func run(in environment: Environment, send: EffectSender<Action>) async throws -> [Action]
    func isEqual(to other: any ErasedLeaf<Action, Environment>) -> Bool
  }

  extension ErasedLeaf {
    func embedded<Embedding: ActionEmbedding>(
      by embedding: Embedding
    ) -> any ErasedLeaf<Embedding.Parent, Environment> where Embedding.Child == Action {
      EmbeddedLeaf(inner: self, embedding: embedding)
    }

    func pulledBack<P: EnvironmentProjection>(
      environment projection: P.Type
    ) -> any ErasedLeaf<Action, P.Parent> where P.Child == Environment {
      PulledBackLeaf<Self, P>(inner: self)
    }
  }

  private struct PlainLeaf<Leaf: EffectLeaf>: ErasedLeaf {
    let leaf: Leaf

    var name: String { Leaf.name }
    var base: any Recordable { leaf }
    var interruptionPolicy: InterruptionPolicy<Leaf.Action> { leaf.interruptionPolicy }
    var immediateActions: [Leaf.Action]? { leaf.immediateActions }

    func run(
      in environment: Leaf.Environment, send: EffectSender<Leaf.Action>
    ) async throws -> [Leaf.Action] {
      try await leaf.run(in: environment)
    }

    func isEqual(to other: any ErasedLeaf<Leaf.Action, Leaf.Environment>) -> Bool {
      (other as? PlainLeaf)?.leaf == leaf
    }
  }

  private struct PlainStream<Leaf: StreamingLeaf>: ErasedLeaf {
    let leaf: Leaf

    var name: String { Leaf.name }
    var base: any Recordable { leaf }
    var interruptionPolicy: InterruptionPolicy<Leaf.Action> {
      switch leaf.interruptionPolicy {
      case .drop: .drop
      case .send(let action): .send(action)
      case .resume: .run
      }
    }
    var immediateActions: [Leaf.Action]? { nil }

    func run(
      in environment: Leaf.Environment, send: EffectSender<Leaf.Action>
    ) async throws -> [Leaf.Action] {
      try await leaf.run(in: environment, send: send)
      return []
    }

    func isEqual(to other: any ErasedLeaf<Leaf.Action, Leaf.Environment>) -> Bool {
      (other as? PlainStream)?.leaf == leaf
    }
  }

  private struct EmbeddedLeaf<Inner: ErasedLeaf, Embedding: ActionEmbedding>: ErasedLeaf
  where Embedding.Child == Inner.Action {
    let inner: Inner
    let embedding: Embedding

    var name: String { inner.name }
    var base: any Recordable { inner.base }
    var interruptionPolicy: InterruptionPolicy<Embedding.Parent> {
      inner.interruptionPolicy.map(embedding)
    }
    var immediateActions: [Embedding.Parent]? {
      inner.immediateActions?.map { embedding.embed($0) }
    }

    func run(
      in environment: Inner.Environment, send: EffectSender<Embedding.Parent>
    ) async throws -> [Embedding.Parent] {
      try await inner.run(in: environment, send: send.embedding(by: embedding))
        .map { embedding.embed($0) }
    }

    func isEqual(to other: any ErasedLeaf<Embedding.Parent, Inner.Environment>) -> Bool {
      guard let other = other as? EmbeddedLeaf else { return false }
      return other.embedding == embedding && other.inner.isEqual(to: inner)
    }
  }

  private struct PulledBackLeaf<Inner: ErasedLeaf, P: EnvironmentProjection>: ErasedLeaf
  where P.Child == Inner.Environment {
    let inner: Inner

    var name: String { inner.name }
    var base: any Recordable { inner.base }
    var interruptionPolicy: InterruptionPolicy<Inner.Action> { inner.interruptionPolicy }
    var immediateActions: [Inner.Action]? { inner.immediateActions }

    func run(
      in environment: P.Parent, send: EffectSender<Inner.Action>
    ) async throws -> [Inner.Action] {
      try await inner.run(in: P.project(environment), send: send)
    }

    func isEqual(to other: any ErasedLeaf<Inner.Action, P.Parent>) -> Bool {
      (other as? PulledBackLeaf)?.inner.isEqual(to: inner) ?? false
    }
  }
#endif
