public import RetraceState

/// A style of durations on screens and in reports.
public enum DurationStyle: String, CaseIterable, Hashable, Sendable {
  /// The largest unit decides: `47 sec`, `05:22 min` or `1:05:22 h`.
  case classic
  /// Hours, minutes and seconds: `0:47:06`.
  case improved
  /// Hours with two decimals, started hundredths counted as whole: `0.79 h`.
  case decimal

  /// Returns a duration as text, in whole seconds rounded towards zero.
  ///
  /// ``DurationExpression`` reads the texts up to its longest duration. It reads the same duration,
  /// except for ``decimal``, whose duration can be up to 36 seconds longer.
  public func text(_ time: ElapsedTime) -> String {
    let sign = time.seconds < 0 ? "-" : ""
    let seconds = Int64(time.seconds.magnitude)
    let (hours, rest) = (seconds / 3_600, seconds % 3_600)
    let clock = "\(padded(rest / 60, to: 2)):\(padded(rest % 60, to: 2))"
    switch self {
    case .classic where seconds < 60: return "\(sign)\(seconds) sec"
    case .classic where seconds < 3_600: return "\(sign)\(clock) min"
    case .classic: return "\(sign)\(hours):\(clock) h"
    case .improved: return "\(sign)\(hours):\(clock)"
    case .decimal:
      // The last 36 seconds of an hour carry into the hours.
      let hundredths = hours * 100 + (rest + 35) / 36
      return "\(sign)\(hundredths / 100).\(padded(hundredths % 100, to: 2)) h"
    }
  }

  /// Returns the time that is left as text, in whole seconds, a started one counted as whole.
  ///
  /// So a countdown of five minutes begins with five minutes, and shows one second until it ends. A
  /// time that is over has the text of no time.
  public func countdown(_ left: ElapsedTime) -> String {
    let isWhole = left.microseconds % 1_000_000 == 0
    return text(.seconds(max(0, left.seconds + (isWhole || left.microseconds < 0 ? 0 : 1))))
  }
}
