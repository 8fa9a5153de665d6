import Retrace

// A heater whose facts come from commands, for the examples of deciders.

/// The wanted temperature.
struct Thermostat: Recordable, Equatable {
  var degrees: Int64 = 20
}

/// The child lock.
struct ChildLock: Recordable, Equatable {
  var isLocked: Bool = false
}

/// The state of the heater.
struct HeaterState: RecordedState, Composed {
  var thermostat: Thermostat = Thermostat()
  var lock: ChildLock = ChildLock()
  var rooms: [String] = []
}

/// The actions of the heater: its facts, what happens at its panel, and what its sensors ask for.
enum HeaterAction: Recordable, Equatable {
  case degreesChanged(from: Int64, to: Int64)
  case lockChanged(isLocked: Bool)
  case panel(HeaterPanelAction)
  case request(HeaterCommand)
}

/// What happens at the panel: the only actions that a store of the heater sends.
enum HeaterPanelAction: Recordable, Equatable {
  case sensorsChanged(rooms: [String])
}

/// The commands of the heater.
enum HeaterCommand: Recordable, Equatable, Composed {
  case warm(to: Int64)
  case lock(Bool)
}

/// The refusals of the heater.
enum HeaterRefusal: Recordable, Error, Equatable {
  case tooHot(limit: Int64)
}

/// The decider of the temperature.
struct ThermostatDecider: Decider {
  func decide(
    _ degrees: Int64, on thermostat: borrowing Thermostat, at moment: Moment
  ) throws(HeaterRefusal) -> [HeaterAction] {
    guard degrees <= 30 else { throw .tooHot(limit: 30) }
    guard degrees != thermostat.degrees else { return [] }
    return [.degreesChanged(from: thermostat.degrees, to: degrees)]
  }
}

/// The decider of the lock, which refuses nothing.
struct LockDecider: Decider {
  func decide(
    _ isLocked: Bool, on lock: borrowing ChildLock, at moment: Moment
  ) throws(HeaterRefusal) -> [HeaterAction] {
    isLocked == lock.isLocked ? [] : [.lockChanged(isLocked: isLocked)]
  }
}

/// The root decider: each child decides its own commands.
struct HeaterDecider: Decider {
  var body: some Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal> {
    DeciderScope(\.thermostat, command: \.warm) { ThermostatDecider() }
    DeciderScope(\.lock, command: \.lock) { LockDecider() }
  }
}

/// What sensors tell.
protocol HeaterHouse: Sendable {
  func degrees(in room: String) -> AsyncStream<Int64>
}

/// A subscription to the sensor of a room: each value asks for a command.
struct RoomSensor: StreamingLeaf {
  var room: String

  func run(in house: any HeaterHouse, send: EffectSender<HeaterAction>) async throws {
    for await degrees in house.degrees(in: room) where degrees < 15 {
      try await send(.request(.warm(to: 20)))
    }
  }

  var interruptionPolicy: StreamInterruptionPolicy<HeaterAction> { .resume }
}

/// Subscribes to the sensors of the rooms.
struct Sensors: ChangeHandler {
  func value(of state: borrowing HeaterState) -> [String] { state.rooms }

  func changed(
    from old: [String], to new: [String], in state: inout HeaterState, at moment: Moment
  ) -> Effect<HeaterAction, any HeaterHouse> {
    .subscribe(to: new.map { RoomSensor(room: $0) }, insteadOf: old.map { RoomSensor(room: $0) })
  }
}

/// The reducer of the facts and of the panel.
struct HeaterReducer: UpdatingReducer {
  var body: some Reducer<HeaterState, HeaterAction, any HeaterHouse> {
    Update(self).onChange(Sensors())
  }

  func update(
    _ state: inout HeaterState, _ action: HeaterAction, at moment: Moment
  ) -> EffectOf<Self> {
    switch action {
    case .degreesChanged(_, let degrees): state.thermostat.degrees = degrees
    case .lockChanged(let isLocked): state.lock.isLocked = isLocked
    case .panel(.sensorsChanged(let rooms)): state.rooms = rooms
    case .request: break
    }
    return .none
  }
}

/// The app: its facts come from commands alone.
enum HeaterApp: ReplayableApp {
  typealias Environment = any HeaterHouse
  typealias Route = NotesRoute

  static var name: String { "heater" }
  static var build: String { "1" }
  static var initialState: HeaterState { HeaterState() }
  static var reducer: HeaterReducer { HeaterReducer() }
  static var decider: HeaterDecider { HeaterDecider() }

  static func action(for sceneAction: HeaterPanelAction) -> HeaterAction { .panel(sceneAction) }
  static func role(of action: HeaterAction) -> ActionRole<HeaterCommand> {
    switch action {
    case .panel: .scene
    case .request(let command): .request(command)
    case .degreesChanged, .lockChanged: .fact
    }
  }

  static func scenes(in state: HeaterState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: HeaterState) -> BackStack<NotesRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: HeaterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: [])
  }
}

/// Returns the decider that a list of two is.
func temperatureAndLock<First: Decider, Second: Decider>(
  _ first: First, _ second: Second
) -> DeciderPair<First, Second>
where
  First.Command == Second.Command, First.State == Second.State, First.Action == Second.Action,
  First.Refusal == Second.Refusal
{
  DeciderPair(first, second)
}

/// Returns the deciders that the caller lists; see `temperatureAndLock`.
func heaterDecider<Content: Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal>>(
  @DeciderBuilder<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal>
  _ content: () -> Content
) -> some Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal> {
  CombineDeciders { content() }
}

/// Returns the facts of a command on the initial state, or `nil` if the command is refused.
func decide(_ command: HeaterCommand) -> [HeaterAction]? {
  try? HeaterDecider().decide(command, on: HeaterState(), at: Moment(microseconds: 0))
}

/// The decider of an app without commands; `NoCommand` has no values.
let noDecider = NoDecider<NotesState, NotesAction>()
let noCommands: [NoCommand] = []

/// What happens on the heater's panel only.
enum PanelAction: Equatable {
  case lit
}

/// Returns what keys mean on the heater's panel: a digit asks for tens of degrees, any other key
/// turns its light on.
func interpret(_ keys: [Key]) -> [Intent<PanelAction, HeaterCommand>] {
  keys.map { key in
    guard case .text(let text) = key, let digit = Int64(text) else { return .scene(.lit) }
    return .command(.warm(to: 10 * digit))
  }
}

/// Returns the intents of an app in which the heater is one feature.
func houseIntents<SceneAction, Command>(
  _ intents: [Intent<PanelAction, HeaterCommand>], scene: (PanelAction) -> SceneAction,
  command: (HeaterCommand) -> Command
) -> [Intent<SceneAction, Command>] {
  intents.map { $0.map(scene: scene, command: command) }
}
