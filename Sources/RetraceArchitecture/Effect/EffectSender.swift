// A leaf runs only where there is concurrency; see ``EffectLeaf``.
#if !hasFeature(Embedded)
  /// Sends the actions of a leaf that is still running.
  public struct EffectSender<Action: Sendable>: Sendable {
    private let body: @Sendable ([Action]) async throws -> Void

    /// Creates a sender, for runners and tests.
    public init(_ body: @escaping @Sendable ([Action]) async throws -> Void) { self.body = body }

    /// Sends actions as one batch, and returns once it is committed.
    ///
    /// Without actions it does nothing.
    ///
    /// In an app with commands, the actions are scene actions, or one that asks for a command. A
    /// refused command is recorded with its refusal, and the leaf goes on.
    ///
    /// - Throws: `CancellationError` once the leaf has been cancelled or the store is closed; then
    ///   nothing is recorded. The store's error if an action cannot be recorded, or if the batch is
    ///   neither actions of scenes nor one request.
    public func callAsFunction(_ actions: Action...) async throws {
      try await callAsFunction(actions)
    }

    /// Sends actions as one batch, and returns once it is committed.
    ///
    /// Without actions it does nothing.
    ///
    /// - Throws: As for a list of actions.
    public func callAsFunction(_ actions: [Action]) async throws {
      if !actions.isEmpty { try await body(actions) }
    }

    /// Returns a sender of a child's actions, which embeds them.
    func embedding<Embedding: ActionEmbedding>(
      by embedding: Embedding
    ) -> EffectSender<Embedding.Child> where Embedding.Parent == Action {
      EffectSender<Embedding.Child> { try await body($0.map { embedding.embed($0) }) }
    }
  }
#endif
