import Retrace

extension ElapsedTime {
  /// The duration as a number of hours with four decimals, rounded to the nearest: `1.5000`.
  var decimalHours: String {
    let parts = tenThousandthsOfHours
    return "\(parts / 10_000).\(padded(Int(parts % 10_000), to: 4))"
  }

  /// The time in ten-thousandths of an hour, rounded to the nearest.
  var tenThousandthsOfHours: Int64 {
    (seconds * 10_000 + (seconds < 0 ? -1_800 : 1_800)) / 3_600
  }
}
