public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Actions in the calendar.
public enum CalendarAction: Recordable, Codable {
  /// A day, counted from 1970.
  case dayShown(Int64)
  /// A week, counted from 1970.
  case weekShown(Int64)
  /// Another height of an hour.
  case zoomed(to: Int32)
  /// An entry was selected.
  case selected(EntryID)
  /// Nothing is selected any more.
  case deselected
  /// An appointment of another calendar was imported.
  case imported(String, start: Moment, duration: ElapsedTime)
  /// The day was scrolled.
  case scrolled(by: Int32)
}

/// What the calendar shows.
public struct Calendar: Recordable, Equatable {
  /// The day, counted from 1970.
  public var day: Int64 = 0
  /// The week, counted from 1970.
  public var week: Int64 = 0
  /// The height of an hour.
  public var zoom: Int32 = 0
  /// How far the day is scrolled.
  public var offset: Int32 = 0
  /// What is selected.
  public var selected: EntryID?
  /// The text of the last imported appointment.
  public var appointment: String = ""
  /// The sum of the durations of all imported appointments.
  public var appointed: ElapsedTime = .zero

  /// Makes the initial calendar.
  public init() {}
}

extension Calendar {
  mutating func note(_ text: String, _ duration: ElapsedTime) {
    appointment = text
    appointed = appointed.adding(duration)
  }
}

/// Reduces ``CalendarAction``.
public struct CalendarReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes what is shown.
  public func reduce(
    _ state: inout Calendar, _ action: CalendarAction, at moment: Moment
  ) -> Effect<CalendarAction, Never> {
    switch action {
    case .dayShown(let day): state.day = day
    case .weekShown(let week): state.week = week
    case .zoomed(let zoom): state.zoom = zoom
    case .selected(let id): state.selected = id
    case .deselected: state.selected = nil
    case .imported(let text, _, let duration): state.note(text, duration)
    case .scrolled(let rows): state.offset &+= rows
    }
    return .none
  }
}
