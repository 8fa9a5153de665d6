import CivilTime
public import Retrace
public import TimeTracking

/// The days of a report.
public enum ReportRange: Recordable, Hashable {
  /// A period of the calendar: number 0 is the present one, -1 the one before it.
  case period(CalendarPeriod, number: Int64)
  /// The days between two, both included, as numbers since 1970-01-01.
  case days(first: Int32, last: Int32)
  /// All time.
  case all
}

extension ReportRange {
  /// The present week.
  public static var thisWeek: ReportRange { .period(.week, number: 0) }

  /// Creates a range of days.
  init(_ dates: Range<CivilDate>) {
    self = .days(
      first: Int32(clamping: dates.lowerBound.daysSince1970),
      last: Int32(clamping: dates.upperBound.daysSince1970 - 1))
  }

  /// Returns the days; `nil` for all time.
  func dates(in calendar: ReportCalendar, at moment: Moment) -> Range<CivilDate>? {
    switch self {
    case .period(let period, let number):
      return calendar.dates(of: period, number: number, at: moment)
    case .days(let first, let last):
      let start = CivilDate(daysSince1970: Int(first))
      return start..<max(start, CivilDate(daysSince1970: Int(last) + 1))
    case .all: return nil
    }
  }

  /// Returns the range next to this one, later or earlier by its length; `nil` for all time.
  func moved(by step: Int64) -> ReportRange? {
    switch self {
    case .period(let period, let number):
      return .period(period, number: number.addingReportingOverflow(step).partialValue)
    case .days(let first, let last):
      let days = (Int64(last) - Int64(first) + 1) * step
      return .days(
        first: Int32(clamping: Int64(first) + days), last: Int32(clamping: Int64(last) + days))
    case .all: return nil
    }
  }
}

extension ReportRange {
  /// The range as items of a link; none for the present week.
  var items: [DeepLink.Item] {
    switch self {
    case .period(.week, number: 0): []
    case .period(let period, number: 0): [DeepLink.Item("period", period.word)]
    case .period(let period, let number):
      [DeepLink.Item("period", period.word), DeepLink.Item("number", "\(number)")]
    case .days(let first, let last):
      [DeepLink.Item("first", "\(first)"), DeepLink.Item("last", "\(last)")]
    case .all: [DeepLink.Item("all", "true")]
    }
  }

  /// Reads the items of a link; `nil` without one of them.
  init?(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    let number = try reader.item("number", as: Int64.self)
    if let word = try reader.item("period", as: String.self) {
      guard let period = CalendarPeriod(word: word) else {
        throw .invalidItem("period", value: word)
      }
      self = .period(period, number: number ?? 0)
    } else if let first = try reader.item("first", as: Int32.self) {
      guard let last = try reader.item("last", as: Int32.self) else { throw .missingItem("last") }
      guard first <= last else { throw .invalidItem("last", value: "\(last)") }
      self = .days(first: first, last: last)
    } else if let number {
      self = .period(.week, number: number)
    } else if try reader.item("all", as: Bool.self) == true {
      self = .all
    } else {
      return nil
    }
  }
}
