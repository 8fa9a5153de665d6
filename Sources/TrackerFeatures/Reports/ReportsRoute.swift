public import Retrace
public import TimeTracking

/// The screen of the reports of a user.
public struct ReportsRoute: Recordable, Hashable {
  /// The user whose entries are counted.
  public var user: UserID
  /// The days.
  public var range: ReportRange = .thisWeek  // recorded: constant default
  /// The levels of groups, outermost first.
  public var grouping: [ReportGrouping] = [.project]  // recorded: no default
  /// The selected line and the scroll position.
  public var list: ListState = ListState()  // recorded: constant default
  /// Whether a chart is shown where there is room for it or for the lines.
  public var showsChart: Bool = false
  /// The range that is being typed; `nil` if none is.
  public var typed: TextDraft? = nil

  /// Creates a report of the present week by projects.
  public init(user: UserID) { self.user = user }
}

/// An action of the screen of the reports.
public enum ReportsAction: Recordable, Hashable {
  /// Another range was chosen; no range is typed then.
  case rangeSelected(ReportRange)
  /// Other groups were chosen.
  case groupingSelected([ReportGrouping])
  /// A line was selected, or the lines were scrolled.
  case listMoved(ListState)
  /// The chart took the place of the lines, or gave it back.
  case chartToggled
  /// The field of the range was opened.
  case typingStarted
  /// The typed range was edited.
  case edited(TextReplacement)
  /// The field of the range was closed.
  case typingEnded
}

/// The reducer of the screen of the reports.
public struct ReportsReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects, scrolls and edits.
  ///
  /// - Complexity: O(bytes of the typed range).
  public func reduce(
    _ state: inout ReportsRoute, _ action: ReportsAction, at moment: Moment
  ) -> Effect<ReportsAction, Never> {
    switch action {
    case .rangeSelected(let range):
      (state.range, state.typed, state.list) = (range, nil, ListState())
    case .groupingSelected(let grouping):
      (state.grouping, state.list) = (grouping, ListState())
    case .listMoved(let list): state.list = list
    case .chartToggled: state.showsChart.toggle()
    case .typingStarted: state.typed = TextDraft()
    case .edited(let edit): state.typed?.apply(edit)
    case .typingEnded: state.typed = nil
    }
    return .none
  }
}

/// The screen of the reports of a user.
public enum ReportsScreen: ScreenModule {
  /// The parameters.
  public typealias Route = ReportsRoute
  /// The actions.
  public typealias Action = ReportsAction

  /// The reducer.
  public static var reducer: ReportsReducer { ReportsReducer() }

  /// Returns `timer/USER/reports` with the range and the groups, such as `?period=week&number=-1`,
  /// `?first=20514&last=20520` or `?all=true`, and `&by=client&by=project`.
  public static func link(of route: ReportsRoute) -> DeepLink {
    var items = route.range.items
    if route.grouping != ReportsRoute(user: route.user).grouping {
      items += route.grouping.map { DeepLink.Item("by", $0.word) }
    }
    return DeepLink(components: ["timer", "\(route.user.value)", "reports"], items: items)
  }

  /// Reads the link.
  ///
  /// - Throws: The error of an item that is no period, number, day or list of groups.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> ReportsRoute? {
    guard reader.take("timer"), let user: UserID = try? reader.id(), reader.take("reports") else {
      return nil
    }
    var route = ReportsRoute(user: user)
    if let range = try ReportRange(reading: &reader) { route.range = range }
    var grouping: [ReportGrouping] = []
    for word in reader.items("by") {
      guard let level = ReportGrouping(word: word) else { throw .invalidItem("by", value: word) }
      guard !grouping.contains(level) else { throw .repeatedItem("by") }
      grouping.append(level)
    }
    if !grouping.isEmpty { route.grouping = grouping }
    return route
  }

  static func frame(of route: ReportsRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(ReportsFrame(route, in: context))
  }
}
