public import Retrace

/// The id of a counter.
public struct CounterID: EntityID {
  /// The number of the counter.
  public var value: Int64
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "CounterID" }
}

/// A counter with a name.
public struct Count: TableEntity {
  /// What is counted.
  public var name: String
  /// How many there are.
  public var value: Int64
}

/// Everything that is recorded.
public struct CounterState: RecordedState {
  /// The counters.
  public var counters: EntityTable<CounterID, Count> = EntityTable()
  /// Where the only window is.
  public var stack: BackStack<CounterRoute> = BackStack(root: .all)
  /// How many actions named a counter that is not there.
  public var refused: Int64 = 0

  /// Makes the state before the first record.
  public init() {}
}

/// What can happen.
public enum CounterAction: Recordable {
  /// A counter was made.
  case added(name: String)
  /// A counter went on by a number.
  case counted(CounterID, by: Int64)
  /// A counter was looked at alone.
  case opened(CounterID)
  /// The list was gone back to.
  case closed
}

/// Where the window can be.
public enum CounterRoute: NavigationRoute {
  /// All counters.
  case all
  /// One counter.
  case one(CounterID)

  /// The path of the route.
  public var path: String {
    switch self {
    case .all: "counters"
    case .one(let id): "counters/\(id.value)"
    }
  }

  /// The route of a path.
  public init?(path: String) {
    let parts = path.split(separator: "/")
    guard parts.first == "counters", parts.count <= 2 else { return nil }
    guard parts.count == 2 else {
      self = .all
      return
    }
    guard let id = Int64(parts[1]) else { return nil }
    self = .one(CounterID(value: id))
  }
}
