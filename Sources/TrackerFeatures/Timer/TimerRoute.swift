public import Retrace
public import TimeTracking

/// The screen of the running and the recent entries of a user.
public struct TimerRoute: Recordable, Hashable {
  /// The user whose entries are shown.
  public var user: UserID
  /// The selected entry of the list.
  public var selection: TimeEntryID?
  /// The place of the first shown entry; `nil` for the newest.
  public var top: EntryPlace?

  /// Creates a fresh screen.
  public init(user: UserID) { self.user = user }
}

/// An action of the timer.
public enum TimerAction: Recordable, Hashable {
  /// An entry was selected, or none, and the list scrolled to a place.
  case selected(TimeEntryID?, top: EntryPlace?)
}

/// The reducer of the timer.
public struct TimerReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects and scrolls.
  public func reduce(
    _ state: inout TimerRoute, _ action: TimerAction, at moment: Moment
  ) -> Effect<TimerAction, Never> {
    switch action {
    case .selected(let entry, let top):
      state.selection = entry
      state.top = top
    }
    return .none
  }
}

/// The screen of the running and the recent entries of a user.
public enum TimerScreen: ScreenModule {
  /// The parameters.
  public typealias Route = TimerRoute
  /// The actions.
  public typealias Action = TimerAction

  /// The reducer.
  public static var reducer: TimerReducer { TimerReducer() }

  /// Returns `timer/USER`.
  public static func link(of route: TimerRoute) -> DeepLink {
    DeepLink("timer", "\(route.user.value)")
  }

  /// Reads the link.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> TimerRoute? {
    reader.take("timer") ? TimerRoute(user: try reader.id()) : nil
  }

  static func frame(of route: TimerRoute, in context: FrameContext) -> AnyScreenFrame {
    AnyScreenFrame(TimerFrame(route, in: context))
  }
}
