public import RetraceAvro

/// One task of an effect: a recordable value that has a name and holds no closure.
///
/// A leaf uses the environment at run time and returns its results as actions.
///
/// Where the fold of an app is also compiled for a page, the compiler for WebAssembly cannot
/// compile an `async` function, and refuses untyped `throws`. A `run` that has one of them is then
/// inside `#if !hasFeature(Embedded)`, and the leaf names its `Environment` as a typealias. Other
/// forms of `run` need no condition.
///
/// ```swift
/// struct LoadText: EffectLeaf {
///   var title: String
///
///   func run(in server: NoteServer) async throws -> [NoteAction] {
///     [.loaded(try await server.text(title))]
///   }
///
///   var interruptionPolicy: InterruptionPolicy<NoteAction> { .run }
/// }
/// ```
public protocol EffectLeaf<Action, Environment>: Recordable, Equatable {
  /// The actions that the leaf sends.
  associatedtype Action: Sendable
  /// The environment that the leaf runs in.
  associatedtype Environment: Sendable

  /// The name of the leaf in tests and lists; by default the name of the recorded type.
  static var name: String { get }

  // Embedded Swift has no concurrency for WebAssembly, where effects are only listed.
  #if !hasFeature(Embedded)
    /// Runs the leaf.
    ///
    /// - Returns: The actions to send, in order, as one batch. In an app with commands they are
    ///   actions of scenes, or one action that asks for a command; see ``ActionRole``.
    /// - Throws: Any error; the runner records that the leaf failed, and other effects go on.
    func run(in environment: Environment) async throws -> [Action]
  #endif

  /// The treatment of the leaf if the program ends before it has finished.
  var interruptionPolicy: InterruptionPolicy<Action> { get }

  /// The actions of a leaf that needs no environment; `nil` for most leaves.
  ///
  /// A leaf that has them also runs in a store opened without an environment.
  var immediateActions: [Action]? { get }
}

extension EffectLeaf {
  /// By default `nil`: the leaf needs an environment.
  public var immediateActions: [Action]? { nil }

  /// The name of the recorded type.
  public static var name: String { recordedName }

  /// By default ``InterruptionPolicy/drop``.
  public var interruptionPolicy: InterruptionPolicy<Action> { .drop }
}

/// One task of an effect that sends actions while it runs: a recordable value without a closure.
///
/// Its actions are recorded batch by batch while the leaf is in flight; the leaf ends when
/// ``run(in:send:)`` returns. Part of its actions may be recorded when the program ends, so the
/// leaf cannot simply run again: ``interruptionPolicy`` has no such case. A subscription goes on in
/// the next process instead; see ``StreamInterruptionPolicy/resume``.
///
/// ```swift
/// struct RoomSensor: StreamingLeaf {
///   var room: String
///
///   func run(in house: any HeaterHouse, send: EffectSender<HeaterAction>) async throws {
///     for await degrees in house.degrees(in: room) where degrees < 15 {
///       try await send(.request(.warm(to: 20)))
///     }
///   }
///
///   var interruptionPolicy: StreamInterruptionPolicy<HeaterAction> { .resume }
/// }
/// ```
public protocol StreamingLeaf<Action, Environment>: Recordable, Equatable {
  /// The actions that the leaf sends.
  associatedtype Action: Sendable
  /// The environment that the leaf runs in.
  associatedtype Environment: Sendable

  /// The name of the leaf in tests and lists; by default the name of the recorded type.
  static var name: String { get }

  // Embedded Swift has no concurrency for WebAssembly, where effects are only listed.
  #if !hasFeature(Embedded)
    /// Runs the leaf until it has nothing more to send.
    ///
    /// - Parameters:
    ///   - environment: The environment.
    ///   - send: Sends a batch, and returns once it is committed.
    /// - Throws: Any error; the runner records that the leaf failed, and other effects go on.
    func run(in environment: Environment, send: EffectSender<Action>) async throws
  #endif

  /// The treatment of the leaf if the program ends before it has finished.
  var interruptionPolicy: StreamInterruptionPolicy<Action> { get }
}

extension StreamingLeaf {
  /// The name of the recorded type.
  public static var name: String { recordedName }

  /// By default ``StreamInterruptionPolicy/drop``.
  public var interruptionPolicy: StreamInterruptionPolicy<Action> { .drop }
}

/// The treatment of an unfinished leaf that sends actions while it runs, after the program has
/// ended.
public enum StreamInterruptionPolicy<Action: Sendable>: Sendable {
  /// The leaf is finished without sending another action.
  case drop
  /// The action is sent, and the leaf is finished.
  case send(Action)
  /// The leaf goes on in another process: it is a subscription to a source of events.
  ///
  /// It stays in flight from session to session, until its source ends or its feature cancels it.
  /// One process at a time runs it: first the process of the session that started it, later the
  /// process that takes the lock of the effect. So two windows never record one event twice.
  ///
  /// Each event has to stand alone, because the leaf starts from its beginning, whatever it sent
  /// before. If a program is killed, the event that it was sending may be recorded, or not. So a
  /// source that can repeat its events gets an acknowledgement of each after `send` has returned,
  /// and the decider refuses a number that it has seen.
  case resume
}

extension StreamInterruptionPolicy: Equatable where Action: Equatable {}

/// The treatment of an unfinished effect after the program has ended.
public enum InterruptionPolicy<Action: Sendable>: Sendable {
  /// The effect is finished without sending an action.
  case drop
  /// The effect runs again.
  case run
  /// The action is sent instead.
  case send(Action)

  /// Returns the same policy with its action embedded into another type.
  public func map<Embedding: ActionEmbedding>(
    _ embedding: Embedding
  ) -> InterruptionPolicy<Embedding.Parent> where Embedding.Child == Action {
    switch self {
    case .drop: .drop
    case .run: .run
    case .send(let action): .send(embedding.embed(action))
    }
  }
}

extension InterruptionPolicy: Equatable where Action: Equatable {}

/// An embedding of a child's actions into its parent's actions, as a comparable value.
public protocol ActionEmbedding: Hashable, Sendable, SendableMetatype {
  /// The type of the actions embedded.
  associatedtype Child: Sendable
  /// The type they are embedded into.
  associatedtype Parent: Sendable

  /// The child whose actions are embedded; the same key under two scopes names different work.
  var scope: EffectScope.Component { get }

  /// Embeds one action.
  func embed(_ action: Child) -> Parent
}

/// A leaf that sends one action back.
public struct SendLeaf<Action: Recordable & Equatable, Environment: Sendable>: EffectLeaf {
  /// The action.
  public let action: Action

  /// Creates a leaf that sends an action.
  public init(action: Action) { self.action = action }

  /// Returns the action.
  public func run(in environment: Environment) -> [Action] { [action] }

  /// The action.
  public var immediateActions: [Action]? { [action] }

  /// The policy to send the action if the program ends first.
  public var interruptionPolicy: InterruptionPolicy<Action> { .send(action) }

  /// `Send`, joined with the name of the action's type.
  public static var recordedName: String { "Send__" + Action.recordedName }

  /// Returns a record with one field, `action`.
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
