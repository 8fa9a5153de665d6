public import CivilTime
public import RetraceAvro
public import RetraceSchema
public import RetraceScreen
public import RetraceState

/// An app whose actions can be recorded and replayed and whose state can be restored.
public protocol ReplayableApp: SendableMetatype {
  /// The state: the scenes, and the data shared by all processes that have the store open.
  associatedtype State: RecordedState
  /// The actions, nested by feature.
  associatedtype Action: Recordable
  /// The environment that effects run in. Replay names this type and cannot construct one.
  associatedtype Environment: Sendable
  /// The type of the root reducer.
  associatedtype Root: Reducer<State, Action, Environment>
  /// The typed routes of the back stack.
  associatedtype Route: NavigationRoute
  /// The type of the root decider; by default a ``NoDecider``.
  associatedtype RootDecider: Decider = NoDecider<State, Action>
  where
    RootDecider.State == State, RootDecider.Action == Action, RootDecider.Command: Recordable,
    RootDecider.Refusal: Recordable, RootDecider.Refusal: Equatable

  /// The actions that can be sent to a store.
  ///
  /// In an app without commands, these are all actions. An app with commands declares the type of
  /// its scene actions: usually the payload of one case of ``Action``, or `Never` without scenes.
  associatedtype SceneAction: Sendable = Action

  /// The name of the app, as sessions record it.
  static var name: String { get }
  /// The build of the app, as sessions record it.
  static var build: String { get }
  /// The fingerprint of the root reducer: its sources, the compiler and the compiler's options.
  ///
  /// Return `ReducerFingerprint.digest`, which the plugin `ReducerFingerprint` generates for a
  /// target that lists `plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]`. The
  /// default, zero, means that the fingerprint is unknown; the app then has no snapshots and folds
  /// its log from the start.
  static var reducerFingerprint: Digest { get }
  /// The root reducer.
  static var reducer: Root { get }
  /// The root decider; by default a ``NoDecider``.
  static var decider: RootDecider { get }
  /// The state before the first record.
  static var initialState: State { get }

  /// Returns the action that the log records for a scene action; its role is ``ActionRole/scene``.
  ///
  /// An app without commands uses the default.
  ///
  /// ```swift
  /// extension HeaterApp {
  ///   static func action(for sceneAction: PanelAction) -> HeaterAction { .panel(sceneAction) }
  /// }
  /// ```
  static func action(for sceneAction: SceneAction) -> Action

  /// Returns whether an action is about a scene, is a fact, or asks for a command.
  ///
  /// A child asks for a command with a case of its own actions, which scopes embed like the others.
  /// No record has such a case. So commands may change as long as its only payload is the command.
  /// An app without commands uses the default.
  ///
  /// ```swift
  /// extension HeaterApp {
  ///   static func role(of action: HeaterAction) -> ActionRole<HeaterCommand> {
  ///     switch action {
  ///     case .panel: .scene
  ///     case .request(let command): .request(command)
  ///     case .degreesChanged, .lockChanged: .fact
  ///     }
  ///   }
  /// }
  /// ```
  static func role(of action: Action) -> ActionRole<RootDecider.Command>

  /// Returns whether a command can be decided again from its record and the state before it; `true`
  /// by default.
  ///
  /// Return `false` for a command that names data outside the log, such as the rows of an imported
  /// file. `replay verify --decide` counts it as not compared.
  static func canDecideAgain(_ command: Command) -> Bool

  /// Returns the invariants of the app that a state breaks; none by default.
  ///
  /// An invariant holds after every record, also between the facts of a batch, such as "no balance
  /// is below zero". Test stores check it after `given` and each `send`, `perform`, `run` and
  /// `restart`. `replay verify` checks it after at most 64 records spread over the log, the last
  /// one included; with `--every`, after each record; with `--no-invariants`, not at all.
  ///
  /// - Complexity: The app's choice; it is not called while the app runs.
  static func violations(of state: borrowing State) -> [Violation]

  /// The functions that make actions from recorded cases that the current action schema cannot
  /// read; empty by default.
  static var upcasters: [CaseName: Upcaster<Action>] { get }
  /// The recorded cases that the app has removed and can do without; empty by default.
  static var retired: [CaseName: RetiredCase] { get }

  /// The texts that a redacted bundle keeps as they are, because they are words of the app or names
  /// of public things, such as time zones; none by default.
  ///
  /// Each is the recorded name of a type and of its field, as in `Trip.zone`; a case of an enum
  /// with payloads is a type such as `TripError_unknownZone`, whose fields without a label are
  /// `_0`, `_1` and so on. All texts in such a field are kept, so a user must not be able to type
  /// any text there. `replay bundle --dry-run` lists the fields with the texts that it would
  /// replace.
  static var publicTexts: [String] { get }
  /// The words that mean something in what users type, such as `yesterday`, `h` and `not`, and that
  /// a redacted bundle keeps; none by default.
  ///
  /// They are letters of ASCII, and their case does not matter. Words of less than five letters are
  /// kept only beside a number, as in `5 min`, and, if they have two or more, in
  /// ``expressionTexts``; a single letter, as in `5h`, only after the number. A word that can be
  /// the name of a person does not belong here.
  static var publicWords: [String] { get }
  /// The texts that the app reads as expressions of numbers and ``publicWords``, such as times and
  /// filters; none by default. They are named as those in ``publicTexts``.
  ///
  /// A user can type anything in such a field, so a redacted bundle keeps only those words and
  /// numbers of up to four digits.
  static var expressionTexts: [String] { get }
  /// The texts that the app offers for a field, such as the names of colors; none by default.
  ///
  /// A field is named as those in ``publicTexts``. A redacted bundle keeps a text of the field that
  /// is one of them as it is written here, and no other text.
  static var offeredTexts: [(field: String, texts: [String])] { get }
  /// The texts that no bundle keeps, not even one with plain texts, such as the names of files;
  /// none by default. They are named as those in ``publicTexts``.
  static var privateTexts: [String] { get }

  /// Returns the actions that the log records for scene actions; apps use the default.
  ///
  /// - Returns: `nil` if one of them is a fact or asks for a command.
  /// - Complexity: O(actions); O(1) for an app without commands.
  static func _sent(_ sceneActions: [SceneAction]) -> [Action]?

  /// Appends the encodings of a batch's actions; apps use the default.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - bytes: Receives each action, preceded by its length as a little-endian UInt32.
  /// - Returns: The size of the longest encoded action in bytes; 0 if there are no actions.
  /// - Complexity: O(bytes encoded).
  static func encode(_ actions: [Action], into bytes: inout [UInt8]) -> Int

  /// Reduces the actions of a batch; apps use the default.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - fold: The fold, which is at the record before the batch.
  ///   - moment: When the batch was sent.
  /// - Returns: The effects that the reducer returned, in order.
  /// - Complexity: As the reducer for each action.
  static func reduce(
    _ actions: [Action], into fold: inout Fold<Self>, at moment: Moment
  ) -> [ReducedEffect<Self>]

  /// Returns the scenes of a state, lowest id first.
  static func scenes(in state: State) -> [SceneID]

  /// Returns the back stack of a scene, or `nil` if the state has no such scene.
  static func backStack(of scene: SceneID, in state: State) -> BackStack<Route>?

  /// Returns what a scene shows.
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen

  /// Returns how the user of a scene saw it, as the log says; by default, it does not say.
  static func seen(of scene: SceneID, in state: State) -> SeenScreen?

  /// Returns what a scene shows in a time zone; by default as without one.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - state: The state.
  ///   - moment: The moment at which it is shown.
  ///   - size: The size of the screen.
  ///   - zone: The rules of the zone in which the user saw it; `nil` if they are not known.
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size, zone: ZoneRules?
  ) -> Screen

  /// Decides a command; apps use the default.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - fold: The fold right before the batch of the command.
  ///   - moment: When the command is decided.
  /// - Complexity: As the decider.
  /// - Throws: The refusal.
  /// - Returns: The facts, in order; `nil` if no decider handles the command.
  static func _decide(
    _ command: Command, on fold: borrowing Fold<Self>, at moment: Moment
  ) throws(Refusal) -> [Action]?

  /// Decodes an action and folds it; apps use the default.
  ///
  /// It is a requirement, so that it is specialized in the app's module, where the app's types are
  /// known. Unspecialized code in the store and the replayer would take three times as long.
  ///
  /// - Parameters:
  ///   - payload: The canonical encoding of the action.
  ///   - fold: The fold to advance.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record; the fold's own plus one.
  ///   - hadEffect: Whether the action had an effect when it was recorded.
  ///   - afterDecoding: Called between decoding and reducing, for benchmarks.
  /// - Complexity: As decoding and reducing the action.
  /// - Throws: `AvroError` if the payload is not the encoding of an action; nothing is folded then.
  /// - Returns: The effect that the reducer returned.
  static func _advance(
    _ payload: Span<UInt8>, into fold: inout Fold<Self>, at moment: Moment, sequence: UInt64,
    hadEffect: Bool, afterDecoding: () -> Void
  ) throws(AvroError) -> Effect<Action, Environment>
}

extension ReplayableApp {
  /// The commands of the app.
  public typealias Command = RootDecider.Command
  /// The refusals of the app.
  public typealias Refusal = RootDecider.Refusal

  /// Decides a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - fold: The fold right before the batch of the command.
  ///   - moment: When the command is decided.
  /// - Complexity: As the decider.
  /// - Throws: The refusal.
  /// - Returns: The facts, in order; `nil` if no decider handles the command.
  @inlinable
  public static func _decide(
    _ command: Command, on fold: borrowing Fold<Self>, at moment: Moment
  ) throws(Refusal) -> [Action]? {
    let decider = Self.decider
    guard decider.handles(command) else { return nil }
    return try decider.decide(command, on: fold.state, at: moment)
  }

  /// Decodes an action and folds it.
  ///
  /// - Parameters:
  ///   - payload: The canonical encoding of the action.
  ///   - fold: The fold to advance.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record; the fold's own plus one.
  ///   - hadEffect: Whether the action had an effect when it was recorded.
  ///   - afterDecoding: Called between decoding and reducing, for benchmarks.
  /// - Complexity: As decoding and reducing the action.
  /// - Throws: `AvroError` if the payload is not the encoding of an action; nothing is folded then.
  /// - Returns: The effect that the reducer returned.
  @inlinable
  public static func _advance(
    _ payload: Span<UInt8>, into fold: inout Fold<Self>, at moment: Moment, sequence: UInt64,
    hadEffect: Bool, afterDecoding: () -> Void
  ) throws(AvroError) -> Effect<Action, Environment> {
    var reader = AvroReader(payload)
    let action = try Action(decoding: &reader)
    try reader.finish()
    afterDecoding()
    return fold.apply(action, at: moment, sequence: sequence, hadEffect: hadEffect)
  }

  /// Not known.
  public static func seen(of scene: SceneID, in state: State) -> SeenScreen? { nil }

  /// Returns what a scene shows without a time zone.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - state: The state.
  ///   - moment: The moment at which it is shown.
  ///   - size: The size of the screen.
  ///   - zone: The rules of a zone, which are not used.
  public static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size, zone: ZoneRules?
  ) -> Screen {
    screen(of: scene, in: state, at: moment, size: size)
  }

  /// The unknown fingerprint.
  public static var reducerFingerprint: Digest { .zero }
  /// Every command can be decided again.
  public static func canDecideAgain(_ command: Command) -> Bool { true }
  /// No invariants.
  public static func violations(of state: borrowing State) -> [Violation] { [] }
  /// No upcasters.
  public static var upcasters: [CaseName: Upcaster<Action>] { [:] }
  /// No texts.
  public static var publicTexts: [String] { [] }
  /// No words.
  public static var publicWords: [String] { [] }
  /// No texts.
  public static var expressionTexts: [String] { [] }
  /// No texts.
  public static var offeredTexts: [(field: String, texts: [String])] { [] }
  /// No texts.
  public static var privateTexts: [String] { [] }
  /// No retired cases.
  public static var retired: [CaseName: RetiredCase] { [:] }

  /// Returns whether and how actions recorded under a schema can be read.
  ///
  /// - Complexity: O(parts of both schemas).
  /// - Throws: `AvroError` when the recorded schema is not valid or has too many parts.
  public static func verdict(onActionsOf schema: Schema) throws(AvroError) -> SchemaVerdict {
    try SchemaResolver(writer: schema, reader: Action.schema)
      .verdict(
        handling: Set(upcasters.keys), retiring: Set(retired.keys), asking: commandNames)
  }

  /// The recorded name of the commands, with its former names; none for an app without commands.
  package static var commandNames: Set<String> {
    Command.self == NoCommand.self ? [] : Set(Command._recordedNames)
  }
}

extension ReplayableApp where RootDecider == NoDecider<State, Action> {
  /// The decider of an app without commands.
  @inlinable
  public static var decider: RootDecider { NoDecider() }
}
