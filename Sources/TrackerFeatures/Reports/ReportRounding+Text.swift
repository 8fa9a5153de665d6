import CivilTime
import Retrace
import TimeTracking

extension ReportRounding {
  /// Returns the rounding of a text, such as `15m up`; `nil` for an empty text and for `none`.
  ///
  /// It is a duration and, in any order, a direction, which is `nearest` unless one is written, and
  /// a level, which is `entry`. They are those of `track report --round`.
  ///
  /// - Throws: ``KeyObstacle/unreadableRounding``.
  /// - Complexity: O(bytes).
  static func reading(_ text: String) throws(KeyObstacle) -> ReportRounding? {
    var (mode, level): (Mode?, Level?) = (nil, nil)
    var duration: [String] = []
    for word in text.utf8.split(separator: UInt8(ascii: " ")).map({ String(Substring($0)) }) {
      if let named = Mode(rawValue: word) {
        guard mode == nil else { throw .unreadableRounding }
        mode = named
      } else if let named = Level(rawValue: word) {
        guard level == nil else { throw .unreadableRounding }
        level = named
      } else {
        duration.append(word)
      }
    }
    if mode == nil, level == nil, duration.isEmpty || duration == ["none"] { return nil }
    guard let time = try? DurationExpression(duration.joined(separator: " ")).time, time > .zero,
      time <= incrementMax
    else { throw .unreadableRounding }
    return ReportRounding(level ?? .entry, to: time, mode ?? .nearest)
  }
}
