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
  /// The text that is being typed into ``field``; `nil` if none is.
  public var typed: TextDraft? = nil
  /// The open field, if a text is typed.
  public var field: ReportField = .range  // recorded: constant default
  /// The filter of the entries, in the words of the command line; empty for all entries.
  public var filter: String = ""
  /// Whether the text is one that the app proposes, in whose place a typed one goes.
  public var isProposed: Bool = false
  /// The rounding of the times, such as `15m up`; empty for none.
  public var rounding: String = ""

  /// Creates a report of the present week by projects.
  public init(user: UserID) { self.user = user }
}

extension ReportsRoute {
  /// Returns the screen with groups that were chosen before, of which none leave it as it is, and
  /// with a rounding.
  func grouped(by grouping: [ReportGrouping], rounding: String) -> ReportsRoute {
    var route = self
    if !grouping.isEmpty { route.grouping = grouping }
    route.rounding = rounding
    return route
  }
}

/// A field of the screen of the reports, one of which is open at a time.
public enum ReportField: Recordable, Hashable {
  /// The days.
  case range
  /// The filter of the entries.
  case filter
  /// The name of a file for the report.
  case file
  /// The rounding of the times.
  case rounding
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
  /// The text of the open field was edited.
  case edited(TextReplacement)
  /// The open field was closed.
  case typingEnded
  /// The field of the filter was opened; it has the present filter.
  case filterOpened
  /// The typed filter was chosen; nothing is typed then.
  case filterChosen
  /// The field of the file was opened, with a name.
  case fileOpened(String)
  /// The field of the rounding was opened; it has the present one.
  case roundingOpened
  /// Another rounding was chosen, or none; nothing is typed then.
  case roundingSelected(String)
}

/// The reducer of the screen of the reports.
public struct ReportsReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects, scrolls and edits.
  ///
  /// - Complexity: O(bytes of the typed text).
  public func reduce(
    _ state: inout ReportsRoute, _ action: ReportsAction, at moment: Moment
  ) -> Effect<ReportsAction, TrackerEnvironment> {
    switch action {
    case .rangeSelected(let range):
      (state.range, state.typed, state.list) = (range, nil, ListState())
    case .groupingSelected(let grouping):
      (state.grouping, state.list) = (grouping, ListState())
    case .listMoved(let list): state.list = list
    case .chartToggled: state.showsChart.toggle()
    case .typingStarted:
      (state.typed, state.field, state.isProposed) = (TextDraft(), .range, false)
    case .edited(let edit):
      state.typed?.apply(edit)
      state.isProposed = false
    case .typingEnded: state.typed = nil
    case .filterOpened:
      (state.typed, state.field, state.isProposed) = (TextDraft(state.filter), .filter, false)
    case .filterChosen:
      state.filter = state.typed?.text ?? ""
      (state.typed, state.list) = (nil, ListState())
    case .fileOpened(let name):
      (state.typed, state.field, state.isProposed) = (TextDraft(name), .file, true)
    case .roundingOpened:
      let present = TextDraft(state.rounding)
      (state.typed, state.field, state.isProposed) = (present, .rounding, false)
    case .roundingSelected(let rounding):
      (state.rounding, state.typed, state.list) = (rounding, nil, ListState())
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

  /// Returns `timer/USER/reports` with the range, the groups, the filter and the rounding.
  ///
  /// They are items such as `?period=week&number=-1`, `?first=20514&last=20520` or `?all=true`,
  /// `&by=client&by=project`, `&filter=%23focus` and `&round=15m`.
  public static func link(of route: ReportsRoute) -> DeepLink {
    var items = route.range.items
    if route.grouping != ReportsRoute(user: route.user).grouping {
      items += route.grouping.map { DeepLink.Item("by", $0.word) }
    }
    if !route.filter.utf8.isEmpty { items.append(DeepLink.Item("filter", route.filter)) }
    if !route.rounding.utf8.isEmpty { items.append(DeepLink.Item("round", route.rounding)) }
    return DeepLink(components: ["timer", "\(route.user.value)", "reports"], items: items)
  }

  /// Reads the link.
  ///
  /// - Throws: The error of an item that is no period, number, day, list of groups or rounding.
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
    route.filter = try reader.item("filter", as: String.self) ?? ""
    if let text = try reader.item("round", as: String.self) {
      guard (try? ReportRounding.reading(text)) != nil else {
        throw .invalidItem("round", value: text)
      }
      route.rounding = text
    }
    return route
  }

  static func frame(of route: ReportsRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(ReportsFrame(route, in: context))
  }
}
