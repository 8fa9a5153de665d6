import CivilTime
public import Retrace
public import TimeTracking

/// The screen of the calendar of a user: a day or a week with its entries and events.
public struct CalendarRoute: Recordable, Hashable {
  /// The user whose entries are shown.
  public var user: UserID
  /// The day, the cursor, the scroll position and the selection.
  public var place: CalendarPlace = CalendarPlace()  // recorded: constant default
  /// Whether the week of the day is shown, and not the day alone.
  public var showsWeek: Bool = false
  /// The lines of an hour; `nil` for as many as fit.
  public var zoom: Int64? = nil
  /// The times that are not saved yet.
  public var draft: CalendarDraft? = nil
  /// The drag of the mouse that goes on.
  public var drag: CalendarDrag? = nil
  /// The selected item of the open menu; `nil` if it is closed.
  public var menu: Int64? = nil
  /// The day that is being typed; `nil` if none is.
  public var typed: TextDraft? = nil
  /// The offer to take the last deletion back.
  public var offer: DeletionOffer? = nil

  /// Creates the calendar of the present day.
  public init(user: UserID) { self.user = user }
}

/// A place in a calendar.
public struct CalendarPlace: Recordable, Hashable {
  /// The day as the number of days since 1970-01-01; `nil` for the present one.
  public var day: Int32?
  /// The minute of the day at which the cursor is; `nil` for that of the first item, or of now.
  public var minute: Int32?
  /// The first shown row; `nil` for the one before the first item, or before now.
  public var top: Int64?
  /// The selected item.
  public var item: SelectedCalendarItem?

  /// Creates the place that a calendar opens at.
  public init(day: Int32? = nil) { self.day = day }
}

/// An item of a calendar.
public enum SelectedCalendarItem: Recordable, Hashable {
  /// An entry.
  case entry(TimeEntryID)
  /// An event, by its id in ``SceneEvents``.
  case event(Int64)
}

/// The times of a new entry, or other times of an entry, that are not saved yet.
public struct CalendarDraft: Recordable, Hashable {
  /// The entry; `nil` for a new one.
  public var entry: TimeEntryID?
  /// The start.
  public var start: Moment
  /// The end; `nil` for a running entry.
  public var end: Moment?
  /// The start of the entry that the user saw.
  public var seenStart: Moment
  /// The end of the entry that the user saw.
  public var seenEnd: Moment?
}

/// A part of an item that the mouse drags.
public enum CalendarDragPart: Recordable, Hashable {
  /// The item, which keeps its length.
  case whole
  /// The start.
  case start
  /// The end.
  case end
  /// A new entry from where the button was pressed.
  case new
}

/// A drag of the mouse.
public struct CalendarDrag: Recordable, Hashable {
  /// The part.
  public var part: CalendarDragPart
  /// The time at which the button was pressed.
  public var from: Moment
  /// The start of the item then.
  public var start: Moment
  /// The end of the item then; `nil` for a running entry.
  public var end: Moment?
}

/// An action of the screen of the calendar.
public enum CalendarAction: Recordable, Hashable {
  /// Another day, time or item was gone to; a new entry that is not saved is discarded.
  case placed(CalendarPlace)
  /// A day or a week was chosen.
  case weekShown(Bool)
  /// Another number of lines of an hour was chosen.
  case zoomed(Int64?)
  /// Times were chosen that are not saved yet.
  case drafted(CalendarDraft)
  /// The times were saved or discarded.
  case draftEnded
  /// A button of the mouse was pressed on a part of an item, or on an empty place.
  case grabbed(CalendarDrag)
  /// The button was released.
  case released
  /// An item of the menu was selected, which opens it; or it was closed.
  case menuMoved(Int64?)
  /// The field of the day was opened.
  case typingStarted
  /// The typed day was edited.
  case edited(TextReplacement)
  /// The field of the day was closed.
  case typingEnded
  /// An entry was deleted.
  case deleted(TimeEntryID)
}

/// The reducer of the screen of the calendar.
public struct CalendarReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Moves, selects, and keeps the unsaved times of an entry.
  ///
  /// - Complexity: O(bytes of the typed day).
  public func reduce(
    _ state: inout CalendarRoute, _ action: CalendarAction, at moment: Moment
  ) -> Effect<CalendarAction, TrackerEnvironment> {
    switch action {
    case .placed(let place):
      (state.place, state.menu, state.drag, state.typed) = (place, nil, nil, nil)
      if state.draft?.entry == nil { state.draft = nil }
    case .weekShown(let showsWeek): state.showsWeek = showsWeek
    case .zoomed(let lines): state.zoom = lines
    case .drafted(let draft): state.draft = draft
    case .draftEnded: (state.draft, state.menu, state.drag) = (nil, nil, nil)
    case .grabbed(let drag): (state.drag, state.menu) = (drag, nil)
    case .released: state.drag = nil
    case .menuMoved(let index): state.menu = index
    case .typingStarted: state.typed = TextDraft()
    case .edited(let edit): state.typed?.apply(edit)
    case .typingEnded: state.typed = nil
    case .deleted(let entry):
      (state.place.item, state.draft, state.menu, state.drag) = (nil, nil, nil, nil)
      state.offer = DeletionOffer([entry], at: moment)
    }
    return .none
  }
}

/// The screen of the calendar of a user.
public enum CalendarScreen: ScreenModule {
  /// The parameters.
  public typealias Route = CalendarRoute
  /// The actions.
  public typealias Action = CalendarAction

  /// The reducer.
  public static var reducer: CalendarReducer { CalendarReducer() }

  /// Returns `timer/USER/calendar` with the day and the view, such as `?day=2026-11-30&view=week`.
  public static func link(of route: CalendarRoute) -> DeepLink {
    var items: [DeepLink.Item] = []
    if let day = route.place.day {
      items.append(DeepLink.Item("day", CivilDate(daysSince1970: Int(day)).description))
    }
    if route.showsWeek { items.append(DeepLink.Item("view", "week")) }
    return DeepLink(components: ["timer", "\(route.user.value)", "calendar"], items: items)
  }

  /// Reads the link; without a day, it is that of the present day.
  ///
  /// - Throws: The error of an item that is no day or no view.
  public static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> CalendarRoute? {
    guard reader.take("timer"), let user: UserID = try? reader.id(), reader.take("calendar") else {
      return nil
    }
    var route = CalendarRoute(user: user)
    if let text = try reader.item("day", as: String.self) {
      guard let date = CivilDate(written: text), CalendarRoute.days.contains(date.daysSince1970)
      else { throw .invalidItem("day", value: text) }
      route.place.day = Int32(date.daysSince1970)
    }
    if let view = try reader.item("view", as: String.self) {
      guard view.hasBytes(of: "week") else { throw .invalidItem("view", value: view) }
      route.showsWeek = true
    }
    return route
  }

  static func frame(of route: CalendarRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(CalendarFrame(route, in: context))
  }
}

extension CalendarRoute {
  /// The numbers of the days that can be shown: of the years 1 to 9999.
  static var days: ClosedRange<Int> { -719_162...2_932_896 }
}

extension CivilDate {
  /// Reads a date as `description` writes it; `nil` for another text.
  fileprivate init?(written text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(Substring(parts[0])),
      let month = Int(Substring(parts[1])), let day = Int(Substring(parts[2])),
      let date = CivilDate(year: year, month: month, day: day), text.hasBytes(of: date.description)
    else { return nil }
    self = date
  }
}
