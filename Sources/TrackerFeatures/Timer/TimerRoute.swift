public import Retrace
import RetraceFilter
public import TimeTracking

/// The screen of the running and the recent entries of a user.
public struct TimerRoute: Recordable, Hashable {
  /// The user whose entries are shown.
  public var user: UserID
  /// The selected entry of the list.
  public var selection: TimeEntryID?
  /// The place of the first shown entry, or of the newest one of a group; `nil` for the newest of
  /// all.
  public var top: EntryPlace?
  /// The selected group; then no entry is selected.
  public var group: EntryGroupKey? = nil
  /// The open groups, the one that was opened last at the end; 64 at most.
  public var expanded: [EntryGroupKey] = []
  /// The offer to take the last deletion back.
  public var offer: DeletionOffer? = nil
  /// Whether suggestions for the next entry are shown where there is room.
  public var showsSuggestions: Bool = false
  /// What the listed entries match, as `track log --filter` reads it; empty for all entries.
  public var filter: TextDraft = TextDraft()  // recorded: constant default
  /// Whether typed text goes into the filter.
  public var isFiltering: Bool = false
  /// The time at which the selected entry is to be split, while it is typed.
  public var splitsAt: TextDraft? = nil

  /// The number of open groups beyond which the first ones are closed.
  private static var expandedMax: Int { 64 }

  /// Creates a fresh screen.
  public init(user: UserID) { self.user = user }

  /// Creates a screen that lists the entries that match a filter.
  init(user: UserID, filter: String) {
    self.init(user: user)
    self.filter = TextDraft(filter)
  }

  /// Returns the open groups after a group was opened, or closed if it was open.
  func expanded(toggling key: EntryGroupKey) -> [EntryGroupKey] {
    let others = expanded.filter { $0 != key }
    guard others.count == expanded.count else { return others }
    return others.suffix(Self.expandedMax - 1) + [key]
  }
}

/// An action of the timer.
public enum TimerAction: Recordable, Hashable {
  /// An entry was selected, or none, and the list scrolled to a place.
  case selected(TimeEntryID?, top: EntryPlace?)
  /// A group was selected, and the list scrolled to a place.
  case groupSelected(EntryGroupKey, top: EntryPlace?)
  /// A group was opened, or closed if it was open.
  case groupToggled(EntryGroupKey)
  /// Entries were deleted, and another row was selected, or none.
  case deleted([TimeEntryID], selecting: TimeEntryID?, group: EntryGroupKey?)
  /// The suggestions were shown or hidden.
  case suggestionsToggled
  /// Typed text goes into the filter, or no longer does.
  case filterFocused(Bool)
  /// The filter was edited; if its text has changed, the list begins with the newest entries.
  case filterEdited(TextReplacement)
  /// The field of the time at which an entry is split was opened or closed.
  case splitToggled
  /// The time at which an entry is split was edited.
  case splitEdited(TextReplacement)
}

/// The reducer of the timer.
public struct TimerReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects, scrolls, edits texts, opens and closes groups, offers to take a deletion back, and
  /// shows or hides the suggestions.
  public func reduce(
    _ state: inout TimerRoute, _ action: TimerAction, at moment: Moment
  ) -> Effect<TimerAction, TrackerEnvironment> {
    switch action {
    case .selected(let entry, let top):
      (state.selection, state.group) = (entry, nil)
      state.top = top
    case .groupSelected(let group, let top):
      (state.selection, state.group) = (nil, group)
      state.top = top
    case .groupToggled(let group): state.expanded = state.expanded(toggling: group)
    case .deleted(let entries, let selection, let group):
      var offer = DeletionOffer(entries, at: moment)
      (offer.selection, offer.group) = (state.selection, state.group)
      (state.selection, state.group, state.offer) = (selection, group, offer)
    case .suggestionsToggled: state.showsSuggestions.toggle()
    case .filterFocused(let isFiltering): state.isFiltering = isFiltering
    case .filterEdited(let edit):
      state.filter.apply(edit)
      guard edit.start != edit.end || !edit.text.utf8.isEmpty else { break }
      (state.selection, state.group, state.top) = (nil, nil, nil)
    case .splitToggled: state.splitsAt = state.splitsAt == nil ? TextDraft() : nil
    case .splitEdited(let edit): state.splitsAt?.apply(edit)
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

  /// Returns `timer/USER`, with `?filter=FILTER` if there is one.
  public static func link(of route: TimerRoute) -> DeepLink {
    let link = DeepLink("timer", "\(route.user.value)")
    return route.filter.text.utf8.isEmpty ? link : link.item("filter", route.filter.text)
  }

  /// Reads the link.
  ///
  /// - Throws: `invalidItem` for a filter that could not be typed or is none.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> TimerRoute? {
    guard reader.take("timer") else { return nil }
    var route = TimerRoute(user: try reader.id())
    // The calendar of the user is another screen.
    var next = reader
    if next.take("calendar") { return nil }
    if let text: String = try reader.item("filter") {
      guard DeepLink.isLine(text), (try? FilterExpression(text)) != nil else {
        throw .invalidItem("filter", value: text)
      }
      route.filter = TextDraft(text)
    }
    return route
  }

  static func frame(of route: TimerRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(TimerFrame(route, in: context))
  }
}

extension TimerRoute {
  /// Whether the field of the filter is shown, or another one in its place.
  var hasFilter: Bool { isFiltering || !filter.text.isEmpty || splitsAt != nil }
}

extension TrackerRoute {
  /// Whether the route is a timer.
  var isTimer: Bool { if case .timer = self { true } else { false } }
}
