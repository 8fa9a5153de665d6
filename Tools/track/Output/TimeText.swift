import CivilTime
import RetraceState
import TimeTracking

extension ElapsedTime {
  /// The duration in hours and minutes, rounded towards zero: `1:23`.
  var hoursAndMinutes: String {
    let minutes = Int((seconds / 60).magnitude)
    let sign = microseconds < 0 && minutes > 0 ? "-" : ""
    return "\(sign)\(minutes / 60):\(padded(minutes % 60, to: 2))"
  }
}

extension CivilDate {
  /// The date with its weekday: `Mon 2026-03-02`.
  var withWeekday: String {
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return "\(names[weekday]) \(self)"
  }

  /// The month of the date: `March 2026`.
  var monthText: String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[month - 1]) \(padded(year, to: 4))"
  }
}

extension Amount {
  /// The amount with its currency: `EUR 12.50`.
  var text: String { (currency.map { "\($0) " } ?? "") + decimal }

  /// The amount with two decimals: `12.50`.
  var decimal: String { Self.decimal(hundredths) }

  /// Returns a number of hundredths with two decimals: `12.50`.
  static func decimal(_ number: Int64) -> String {
    let rest = Int(number.magnitude % 100)
    return "\(number < 0 ? "-" : "")\(number.magnitude / 100).\(padded(rest, to: 2))"
  }
}
