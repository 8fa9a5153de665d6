public import RetraceAvro
public import RetraceSchema
public import RetraceScreen
public import RetraceState

/// All that an app gives to be recorded, replayed and restored.
public protocol ReplayableApp: SendableMetatype {
  /// The state, shared by everyone who opens the store, and its scenes.
  associatedtype State: RecordedState
  /// What happened or was asked, nested by feature.
  associatedtype Action: Recordable
  /// What effects run in. Replay names this type and cannot construct one.
  associatedtype Environment: Sendable
  /// The type of the root reducer.
  associatedtype Root: Reducer<State, Action, Environment>
  /// The typed routes of the back stack.
  associatedtype Route: NavigationRoute

  /// The name of the app, as sessions record it.
  static var name: String { get }
  /// The build of the app, as sessions record it.
  static var build: String { get }
  /// The fingerprint of the root reducer: of its sources, how they are compiled, and the compiler.
  ///
  /// The plugin `ReducerFingerprint` makes it for the target that applies it, by
  /// `plugins: [.plugin(name: "ReducerFingerprint", package: "retrace")]`; answer
  /// `ReducerFingerprint.digest`. The default, zero, says that it is not known; the app then has no
  /// stored states and folds its log from the start.
  static var reducerFingerprint: Digest { get }
  /// The root reducer.
  static var reducer: Root { get }
  /// The state before the first record.
  static var initialState: State { get }

  /// What turns recorded cases, which the action schema of today cannot read, into actions; empty
  /// unless the app says otherwise.
  static var upcasters: [CaseName: Upcaster<Action>] { get }
  /// The recorded cases that the app has no more and does not miss; empty unless it says otherwise.
  static var retired: [CaseName: RetiredCase] { get }

  /// Encodes the actions of a batch one behind another; every app has this from the default.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - bytes: Gets each action behind its length, which is 32 bits, little end first.
  /// - Returns: The bytes of the longest action; 0 if there is none.
  /// - Complexity: O(bytes encoded).
  static func encode(_ actions: [Action], into bytes: inout [UInt8]) -> Int

  /// Reduces the actions of a batch; every app has this from the default.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - fold: The fold, whose next records the actions are.
  ///   - moment: When the batch was sent.
  /// - Returns: The effects that the reducer answered, in order.
  /// - Complexity: That of the reducer for each action.
  static func reduce(
    _ actions: [Action], into fold: inout Fold<Self>, at moment: Moment
  ) -> [ReducedEffect<Self>]

  /// The scenes of a state, lowest id first.
  static func scenes(in state: State) -> [SceneID]

  /// The back stack of a scene, or `nil` when the state has no such scene.
  static func backStack(of scene: SceneID, in state: State) -> BackStack<Route>?

  /// What a scene shows.
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen

  /// Decodes an action and folds it; apps have this one and write none.
  ///
  /// It is asked for so that it is compiled where the types of the app are known. Store and
  /// replayer are compiled without knowing them, and the same code there takes three times as long.
  ///
  /// - Parameters:
  ///   - payload: The canonical encoding of the action.
  ///   - fold: What it is folded into.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record, which follows the fold's own.
  ///   - hadEffect: Whether the action had an effect when it was recorded.
  ///   - decoded: Called between decoding and reducing, for who measures them apart.
  /// - Complexity: That of decoding and reducing the action.
  /// - Throws: `AvroError` if the payload is not the encoding of an action; nothing is folded then.
  /// - Returns: What the reducer answered.
  static func _advance(
    _ payload: Span<UInt8>, into fold: inout Fold<Self>, at moment: Moment, sequence: UInt64,
    hadEffect: Bool, decoded: () -> Void
  ) throws(AvroError) -> Effect<Action, Environment>
}

extension ReplayableApp {
  /// Decodes an action and folds it.
  ///
  /// - Parameters:
  ///   - payload: The canonical encoding of the action.
  ///   - fold: What it is folded into.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record, which follows the fold's own.
  ///   - hadEffect: Whether the action had an effect when it was recorded.
  ///   - decoded: Called between decoding and reducing, for who measures them apart.
  /// - Complexity: That of decoding and reducing the action.
  /// - Throws: `AvroError` if the payload is not the encoding of an action; nothing is folded then.
  /// - Returns: What the reducer answered.
  @inlinable
  public static func _advance(
    _ payload: Span<UInt8>, into fold: inout Fold<Self>, at moment: Moment, sequence: UInt64,
    hadEffect: Bool, decoded: () -> Void
  ) throws(AvroError) -> Effect<Action, Environment> {
    var reader = AvroReader(payload)
    let action = try Action(decoding: &reader)
    try reader.finish()
    decoded()
    return fold.apply(action, at: moment, sequence: sequence, hadEffect: hadEffect)
  }

  /// Not known.
  public static var reducerFingerprint: Digest { .zero }
  /// None.
  public static var upcasters: [CaseName: Upcaster<Action>] { [:] }
  /// None.
  public static var retired: [CaseName: RetiredCase] { [:] }

  /// What becomes of everything that was recorded under a schema.
  ///
  /// - Complexity: O(parts of both schemas).
  /// - Throws: `AvroError` when the recorded schema is not valid or has too many parts.
  public static func verdict(onActionsOf schema: Schema) throws(AvroError) -> SchemaVerdict {
    try SchemaResolver(writer: schema, reader: Action.schema)
      .verdict(handling: Set(upcasters.keys), retiring: Set(retired.keys))
  }
}
