public import RetraceAvro

/// One thing to do outside: a recordable value that names itself and holds no closure.
///
/// What it needs at run time it finds in the environment; what it has to say comes back as actions.
public protocol EffectLeaf<Action, Environment>: Recordable, Equatable {
  /// What the effect answers with.
  associatedtype Action: Sendable
  /// What the effect runs in.
  associatedtype Environment: Sendable

  /// The name in logs and lists; that of the recorded type unless said otherwise.
  static var name: String { get }

  /// Does what the effect stands for.
  ///
  /// - Returns: The actions to send, in order, as one batch.
  /// - Throws: Anything; the runner records that the effect failed and nothing else is disturbed.
  func run(in environment: Environment) async throws -> [Action]

  /// What becomes of the effect if the program ended before it had finished.
  var ifEnded: EndedPolicy<Action> { get }

  /// What the effect answers if it needs no environment to do so; `nil` for most.
  ///
  /// Such a leaf works in a store that was opened without an environment.
  var plainAnswer: [Action]? { get }
}

extension EffectLeaf {
  /// An environment is needed, unless a type says otherwise.
  public var plainAnswer: [Action]? { nil }

  /// The name of the recorded type.
  public static var name: String { recordedName }

  /// Dropped, unless a type says otherwise.
  public var ifEnded: EndedPolicy<Action> { .drop }
}

/// What becomes of an effect if the program ended before it had finished.
public enum EndedPolicy<Action: Sendable>: Sendable {
  /// Nothing: it is settled without an answer.
  case drop
  /// It runs again.
  case run
  /// An action is sent in its place.
  case send(Action)

  /// The same policy with its action embedded into another type.
  public func map<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> EndedPolicy<Embedding.Parent> where Embedding.Child == Action {
    switch self {
    case .drop: .drop
    case .run: .run
    case .send(let action): .send(embedding.embed(action))
    }
  }
}

extension EndedPolicy: Equatable where Action: Equatable {}

/// How actions of a child become actions of its parent, as a value that can be compared.
public protocol ActionEmbedding: Hashable, Sendable, SendableMetatype {
  /// The type of the actions embedded.
  associatedtype Child: Sendable
  /// The type they are embedded into.
  associatedtype Parent: Sendable

  /// Embeds one action.
  func embed(_ action: Child) -> Parent
}

/// A leaf that sends one action back.
public struct SendLeaf<Action: Recordable & Equatable, Environment: Sendable>: EffectLeaf {
  /// The action.
  public let action: Action

  /// Makes a leaf that sends an action.
  public init(action: Action) { self.action = action }

  /// Answers the action.
  public func run(in environment: Environment) -> [Action] { [action] }

  /// The action.
  public var plainAnswer: [Action]? { [action] }

  /// The action is sent by the next session.
  public var ifEnded: EndedPolicy<Action> { .send(action) }

  /// `Send`, joined with the name of the action's type.
  public static var recordedName: String { "Send__" + Action.recordedName }

  /// A record with one field, `action`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let action = Action.schema(in: &composer)
      return .record(name: recordedName, fields: [Schema.Field("action", action)])
    }
  }

  /// Writes the action.
  public func encode(into writer: inout AvroWriter) { action.encode(into: &writer) }

  /// Reads the action.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    action = try Action(decoding: &reader)
  }
}
