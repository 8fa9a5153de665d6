import Retrace
import TimeTracking

extension ScreenContext {
  /// Returns the calendar by which the days of a user's entries are shown.
  ///
  /// A log has no zone rules. There the zone in which the newest entry was recorded is taken, with
  /// its offset.
  ///
  /// - Complexity: As `EntryDays.day(before:visits:)`; O(preferences of users) with zone rules.
  func calendar(of user: UserID) -> ReportCalendar {
    let zone = rules ?? recordedZone(of: user) ?? .utc
    guard let preferences = domain.preferences(of: user)?.set else { return ReportCalendar(zone) }
    return ReportCalendar(zone, preferences)
  }

  private func recordedZone(of user: UserID) -> ZoneRules? {
    var days = EntryDays(of: user, in: ReportCalendar(.utc), domain)
    var visits = LogPage.visitsMax
    guard case .found(let newest) = days.entry(at: nil, visits: &visits) else { return nil }
    let zone = newest.entry.entry.zone
    return ZoneRules(id: zone.id, offsetSeconds: zone.offsetSeconds)
  }
}
