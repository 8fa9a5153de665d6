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
struct HeaterState: RecordedState {
  var thermostat: Thermostat = Thermostat()
  var lock: ChildLock = ChildLock()
}

/// The facts of the heater.
enum HeaterAction: Recordable, Equatable {
  case degreesChanged(from: Int64, to: Int64)
  case lockChanged(isLocked: Bool)
}

/// The commands of the heater.
enum HeaterCommand: Recordable, Equatable {
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

/// The place of the temperature's commands.
enum ThermostatCommands: CommandScope {
  static func extract(_ command: HeaterCommand) -> Int64? {
    if case .warm(let degrees) = command { degrees } else { nil }
  }
  static func embed(_ fact: HeaterAction) -> HeaterAction { fact }
  static func embed(refusal: HeaterRefusal) -> HeaterRefusal { refusal }
  static func read<Result>(
    _ parent: borrowing HeaterState,
    _ body: (borrowing Thermostat) throws(HeaterRefusal) -> Result
  ) throws(HeaterRefusal) -> Result { try body(parent.thermostat) }
}

/// The place of the lock's commands.
enum LockCommands: CommandScope {
  static func extract(_ command: HeaterCommand) -> Bool? {
    if case .lock(let isLocked) = command { isLocked } else { nil }
  }
  static func embed(_ fact: HeaterAction) -> HeaterAction { fact }
  static func embed(refusal: HeaterRefusal) -> HeaterRefusal { refusal }
  static func read<Result>(
    _ parent: borrowing HeaterState, _ body: (borrowing ChildLock) throws(HeaterRefusal) -> Result
  ) throws(HeaterRefusal) -> Result { try body(parent.lock) }
}

/// The root decider: each child decides its own commands.
///
/// `DeciderBuilder` builds the list of `CombineDeciders`; a list of two is a `DeciderPair` of two
/// `DeciderPullback`s.
func heaterDecider() -> some Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal> {
  let pair: DeciderPair = DeciderBuilder.buildPartialBlock(
    accumulated: DeciderPullback(ThermostatDecider(), through: ThermostatCommands.self),
    next: LockDecider().pulledBack(through: LockCommands.self))
  return CombineDeciders { pair }
}

/// Returns the facts of a command on the initial state, or `nil` if the command is refused.
func decide(_ command: HeaterCommand) -> [HeaterAction]? {
  try? heaterDecider().decide(command, on: HeaterState(), at: Moment(microseconds: 0))
}

/// The decider of an app without commands; `NoCommand` has no values.
let noDecider = NoDecider<NotesState, NotesAction>()
let noCommands: [NoCommand] = []
