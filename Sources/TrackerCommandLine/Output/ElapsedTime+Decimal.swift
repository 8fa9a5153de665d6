import Retrace
import TrackerApp

extension ElapsedTime {
  /// The duration as a number of hours with four decimals, rounded to the nearest: `1.5000`.
  var decimalHours: String {
    let parts = tenThousandthsOfHours
    return "\(parts / 10_000).\(padded(Int(parts % 10_000), to: 4))"
  }
}
