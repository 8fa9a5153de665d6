public import CivilTime
public import RetraceAvro

/// A style of dates on screens and in lists.
///
/// Dates may be typed as they are shown, and as 2026-03-04 in each style. In another style than the
/// shown one, 04-03-2026 is refused, because that is a day in April for some people.
public enum DateStyle: Recordable, Hashable, CaseIterable {
  /// Year, month and day: `2026-03-04`.
  case yearMonthDay
  /// Month, day and year with slashes: `03/04/2026`.
  case monthDayYearSlashes
  /// Day, month and year with hyphens: `04-03-2026`.
  case dayMonthYearHyphens
  /// Month, day and year with hyphens: `03-04-2026`.
  case monthDayYearHyphens
  /// Day, month and year with slashes: `04/03/2026`.
  case dayMonthYearSlashes
  /// Day, month and year with full stops: `04.03.2026`.
  case dayMonthYearStops

  /// The style in letters: `DD.MM.YYYY`.
  public var pattern: String { text("YYYY", "MM", "DD") }

  /// The form in which dates may be typed beside 2026-03-04; `nil` for that form itself.
  var typedForm: NumericDateForm? {
    switch self {
    case .yearMonthDay: nil
    case .monthDayYearSlashes: NumericDateForm(separator: "/", isDayFirst: false)
    case .dayMonthYearHyphens: NumericDateForm(separator: "-", isDayFirst: true)
    case .monthDayYearHyphens: NumericDateForm(separator: "-", isDayFirst: false)
    case .dayMonthYearSlashes: NumericDateForm(separator: "/", isDayFirst: true)
    case .dayMonthYearStops: NumericDateForm(separator: ".", isDayFirst: true)
    }
  }

  /// Returns a date: `04.03.2026`.
  public func text(_ date: CivilDate) -> String {
    text(padded(date.year, to: 4), padded(date.month, to: 2), padded(date.day, to: 2))
  }

  /// Returns a date without its year: `04.03.`.
  public func textWithoutYear(_ date: CivilDate) -> String {
    let (month, day) = (padded(date.month, to: 2), padded(date.day, to: 2))
    return switch self {
    case .yearMonthDay, .monthDayYearHyphens: "\(month)-\(day)"
    case .monthDayYearSlashes: "\(month)/\(day)"
    case .dayMonthYearHyphens: "\(day)-\(month)"
    case .dayMonthYearSlashes: "\(day)/\(month)"
    case .dayMonthYearStops: "\(day).\(month)."
    }
  }

  private func text(_ year: String, _ month: String, _ day: String) -> String {
    switch self {
    case .yearMonthDay: "\(year)-\(month)-\(day)"
    case .monthDayYearSlashes: "\(month)/\(day)/\(year)"
    case .dayMonthYearHyphens: "\(day)-\(month)-\(year)"
    case .monthDayYearHyphens: "\(month)-\(day)-\(year)"
    case .dayMonthYearSlashes: "\(day)/\(month)/\(year)"
    case .dayMonthYearStops: "\(day).\(month).\(year)"
    }
  }
}
