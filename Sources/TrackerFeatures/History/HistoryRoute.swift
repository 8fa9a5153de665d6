public import Retrace
public import TimeTracking

/// The screen of what was changed, by whatever process.
public struct HistoryRoute: Recordable, Hashable {
  /// The user in whose zone the times are shown.
  public var user: UserID
  /// The sequence of the first shown change; `nil` for the newest one.
  public var top: Int64?
  /// The sequence of the selected change.
  public var selection: Int64?
  /// Whether the fields of the selected change are shown.
  public var isOpen: Bool = false
  /// The entity whose changes are listed; `nil` for all.
  public var entity: RestoredEntity?
  /// What will be done once the user confirms it.
  public var question: HistoryQuestion?

  /// Creates a screen of the newest changes.
  public init(user: UserID) { self.user = user }
}

/// An undo or a redo of one change that the user is asked about.
public struct HistoryQuestion: Recordable, Hashable {
  /// The sequence of the change.
  public var change: Int64
  /// Whether it is brought back.
  public var isRedo: Bool

  /// Creates a question.
  public init(change: Int64, isRedo: Bool) { (self.change, self.isRedo) = (change, isRedo) }
}

/// An action of the history.
public enum HistoryAction: Recordable, Hashable {
  /// A change was selected, or none, and the list scrolled to a change.
  case selected(Int64?, top: Int64?)
  /// The fields of the selected change were shown or hidden.
  case opened(Bool)
  /// The list was restricted to the changes of an entity, or shows all again.
  case restricted(RestoredEntity?)
  /// The user is asked, or has answered.
  case asked(HistoryQuestion?)
}

/// The reducer of the history.
public struct HistoryReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects, scrolls, opens, restricts and asks.
  public func reduce(
    _ state: inout HistoryRoute, _ action: HistoryAction, at moment: Moment
  ) -> Effect<HistoryAction, TrackerEnvironment> {
    // A question is about what was shown with it.
    state.question = nil
    switch action {
    case .selected(let change, let top): (state.selection, state.top) = (change, top)
    case .opened(let isOpen): state.isOpen = isOpen
    case .restricted(let entity): (state.entity, state.top) = (entity, nil)
    case .asked(let question): state.question = question
    }
    return .none
  }
}

/// The screen of what was changed.
public enum HistoryScreen: ScreenModule {
  /// The parameters.
  public typealias Route = HistoryRoute
  /// The actions.
  public typealias Action = HistoryAction

  /// The reducer.
  public static var reducer: HistoryReducer { HistoryReducer() }

  /// Returns `history/USER`, with `?change=SEQUENCE` for the selected change.
  public static func link(of route: HistoryRoute) -> DeepLink {
    DeepLink("history", "\(route.user.value)").item("change", route.selection)
  }

  /// Reads the link; the list begins with the change of the link.
  ///
  /// - Throws: The error of an item that is no number.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> HistoryRoute? {
    guard reader.take("history") else { return nil }
    var route = HistoryRoute(user: try reader.id())
    route.selection = try reader.item("change", as: Int64.self)
    route.top = route.selection
    return route
  }

  static func frame(of route: HistoryRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(HistoryFrame(route, in: context))
  }
}
