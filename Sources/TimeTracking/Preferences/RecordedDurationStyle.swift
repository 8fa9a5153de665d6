public import CivilTime
public import RetraceAvro

/// A style of durations as it is recorded.
public enum RecordedDurationStyle: Recordable, Hashable, CaseIterable {
  /// The largest unit decides: `47 sec`, `05:22 min` or `1:05:22 h`.
  case classic
  /// Hours, minutes and seconds: `0:47:06`.
  case improved
  /// Hours with two decimals: `0.79 h`.
  case decimal

  /// The style.
  public var style: DurationStyle {
    switch self {
    case .classic: .classic
    case .improved: .improved
    case .decimal: .decimal
    }
  }
}
