public import Retrace

/// The id of a counter.
public struct CounterID: EntityID { @usableFromInline var number: Int64 }

/// A counter with a name.
public struct Count: TableEntity {
  /// The name of the counter.
  public var name: String
  /// The current number.
  public var value: Int64
  /// Whether the counter is a favourite, which the window marks.
  public var isFavourite: Bool = false
}

/// Everything that is recorded.
public struct CounterState: RecordedState, SingleScene {
  /// The counters.
  public var counters: EntityTable<CounterID, Count> = EntityTable()
  /// The routes of the only window.
  public var stack: BackStack<CounterRoute> = BackStack(root: .all)
  /// The number of actions that named a counter that does not exist, or asked for a second fact
  /// before the first was there.
  public var refused: Int64 = 0
  /// The fact that was asked for, or the reason why nothing was found.
  public var fact: Loadable<String> = .nothing
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
  /// A counter became a favourite, or ceased to be one.
  case marked(CounterID, isFavourite: Bool)
  /// A fact about the number of a counter was asked for.
  case factAsked(CounterID)
  /// The fact was found.
  case factFound(String)
  /// There is no fact, for this reason.
  case factFailed(String)
  /// The fact, or the reason, was read.
  case factDismissed
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
}
