public import Retrace

/// The id of a counter.
public struct CounterID: EntityID { @usableFromInline var number: Int64 }

/// A counter with a name.
public struct Count: TableEntity {
  /// The name of the counter.
  public var name: String
  /// The current number.
  public var value: Int64
}

/// Everything that is recorded.
public struct CounterState: RecordedState, SingleScene {
  /// The counters.
  public var counters: EntityTable<CounterID, Count> = EntityTable()
  /// The routes of the only window.
  public var stack: BackStack<CounterRoute> = BackStack(root: .all)
  /// The number of actions that named a counter that does not exist.
  public var refused: Int64 = 0
}

/// The actions of the app.
public enum CounterAction: Recordable, Equatable {
  /// A counter was added to the list.
  case added(name: String)
  /// A number was added to a counter.
  case counted(CounterID, by: Int64)
  /// A single counter was opened in the window.
  case opened(CounterID)
  /// The window went back to the list.
  case closed
}

/// The routes that the window can show.
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

  /// Makes a route from its path.
  public init?(path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    guard let first = parts.first, first.elementsEqual("counters".utf8), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else {
      self = .all
      return
    }
    guard let id = Int64(Substring(parts[1])) else { return nil }
    self = .one(CounterID(value: id))
    // Another text of the number, such as `01`, is another path.
    guard path.utf8.elementsEqual(self.path.utf8) else { return nil }
  }
}
