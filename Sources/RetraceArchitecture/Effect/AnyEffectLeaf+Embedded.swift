// Embedded Swift has neither existentials nor concurrency. A fold there lists effects and runs
// none.
#if hasFeature(Embedded)
  public import RetraceAvro

  /// A leaf of an erased type, which cannot run: its name and its bytes.
  public struct AnyEffectLeaf<Action: Sendable, Environment: Sendable>: Equatable, Sendable {
    /// The name of the leaf's type.
    public let name: String
    /// The encoded leaf, as it was made, before its actions were embedded.
    public let bytes: [UInt8]

    private init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    /// Wraps a leaf.
    public init<Leaf: EffectLeaf>(_ leaf: Leaf)
    where Leaf.Action == Action, Leaf.Environment == Environment {
      self.init(name: Leaf.name, bytes: leaf.encoded())
    }

    /// Wraps a leaf that sends actions while it runs.
    public init<Leaf: StreamingLeaf>(_ leaf: Leaf)
    where Leaf.Action == Action, Leaf.Environment == Environment {
      self.init(name: Leaf.name, bytes: leaf.encoded())
    }

    /// Returns the leaf for another type of action.
    public func map<Embedding: ActionEmbedding>(
      _ embedding: Embedding
    ) -> AnyEffectLeaf<Embedding.Parent, Environment> where Embedding.Child == Action {
      AnyEffectLeaf<Embedding.Parent, Environment>(name: name, bytes: bytes)
    }

    /// Returns the leaf for a larger environment.
    public func pulledBack<P: EnvironmentProjection>(
      environment projection: P.Type
    ) -> AnyEffectLeaf<Action, P.Parent> where P.Child == Environment {
      AnyEffectLeaf<Action, P.Parent>(name: name, bytes: bytes)
    }

    /// Returns whether both have the same bytes as their name and as the leaf.
    public static func == (left: AnyEffectLeaf, right: AnyEffectLeaf) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8) && left.bytes == right.bytes
    }
  }

  extension AnyEffectLeaf: CustomStringConvertible {
    /// The name of the leaf's type.
    public var description: String { name }
  }
#endif
