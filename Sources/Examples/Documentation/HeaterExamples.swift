// What the examples of deciders and streams use: a heater with a child lock.

import Retrace

struct Thermostat: Recordable, Equatable { var degrees: Int64 = 20 }

struct ChildLock: Recordable, Equatable { var isLocked: Bool = false }

struct HeaterState: RecordedState, Composed {
  var thermostat: Thermostat = Thermostat()
  var lock: ChildLock = ChildLock()
  var rooms: [String] = []
  var notice: String = ""
}

enum HeaterAction: Recordable, Equatable {
  case degreesChanged(from: Int64, to: Int64)
  case lockChanged(isLocked: Bool)
  case panel(PanelAction)
  case request(HeaterCommand)
}

enum PanelAction: Recordable, Equatable {
  case roomsChanged([String])
  case told(String)
}

enum HeaterCommand: Recordable, Equatable, Composed {
  case warm(to: Int64)
  case lock(Bool)
}

enum HeaterRefusal: Recordable, Error, Equatable { case tooHot(limit: Int64) }

struct LockDecider: Decider {
  func decide(
    _ isLocked: Bool, on lock: borrowing ChildLock, at moment: Moment
  ) throws(HeaterRefusal) -> [HeaterAction] { [.lockChanged(isLocked: isLocked)] }
}

protocol HeaterHouse: Sendable {
  func degrees(in room: String) -> AsyncStream<Int64>
}

struct HeaterReducer: Reducer {
  func reduce(
    _ state: inout HeaterState, _ action: HeaterAction, at moment: Moment
  ) -> Effect<HeaterAction, any HeaterHouse> { .none }
}

enum HeaterApp: ReplayableApp {
  typealias Environment = any HeaterHouse
  typealias Route = CounterRoute

  static var name: String { "heater" }
  static var build: String { "1" }
  static var initialState: HeaterState { HeaterState() }
  static var reducer: HeaterReducer { HeaterReducer() }
  static var decider: HeaterDecider { HeaterDecider() }

  static func scenes(in state: HeaterState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: HeaterState) -> BackStack<Route>? { nil }
  static func screen(
    of scene: SceneID, in state: HeaterState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}
