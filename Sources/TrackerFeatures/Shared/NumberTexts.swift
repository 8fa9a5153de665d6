package import Retrace
import TimeTracking

extension ElapsedTime {
  /// The duration in hours and minutes, rounded towards zero: `1:23`.
  package var hoursAndMinutes: String {
    let minutes = Int((seconds / 60).magnitude)
    let sign = microseconds < 0 && minutes > 0 ? "-" : ""
    return "\(sign)\(minutes / 60):\(padded(minutes % 60, to: 2))"
  }
}
