import CivilTime
public import Retrace
public import TimeTracking

/// The days of which a scene shows events.
public struct EventDays: Hashable, Sendable {
  /// The numbers of the days since 1970-01-01.
  public let numbers: ClosedRange<Int32>
  /// The time of the days.
  public let range: Range<Moment>
}

extension Scene {
  /// Returns the days whose events are to be read: the shown ones and those that the scene knows;
  /// `nil` if it shows no events.
  ///
  /// - Parameters:
  ///   - domain: The entities with the preferences of the user.
  ///   - moment: The present.
  ///   - rules: The zone in which the days are shown.
  public func eventDays(
    in domain: DomainState, at moment: Moment, by rules: ZoneRules
  ) -> EventDays? {
    guard let user = stack.top.user else { return nil }
    let preferences = domain.preferences(of: user)?.set
    let calendar = preferences.map { ReportCalendar(rules, $0) } ?? ReportCalendar(rules)
    let dates: [CivilDate]
    switch stack.top {
    case .calendar(let route): dates = calendar.shownDates(of: route, in: domain, at: moment)
    // The event of the present is suggested.
    case .timer(let route) where route.showsSuggestions: dates = [calendar.day(at: moment)]
    default: return nil
    }
    guard let first = dates.first, let last = dates.last else { return nil }
    let numbers = events.days(
      showing: Int32(first.daysSince1970)...Int32(last.daysSince1970))
    let start = CivilDate(daysSince1970: Int(numbers.lowerBound))
    let end = CivilDate(daysSince1970: Int(numbers.upperBound) + 1)
    return EventDays(numbers: numbers, range: calendar.range(of: start..<end))
  }
}
