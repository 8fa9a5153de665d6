import CivilTime
import Retrace
import TimeTracking

extension ReportRounding {
  /// The longest increment.
  private static var incrementMax: ElapsedTime { .seconds(86_400) }

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
      if let named = Mode(word: word) {
        guard mode == nil else { throw .unreadableRounding }
        mode = named
      } else if let named = Level(word: word) {
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

extension ReportRounding.Mode {
  fileprivate init?(word: String) {
    switch word {
    case "up": self = .up
    case "down": self = .down
    case "nearest": self = .nearest
    default: return nil
    }
  }
}

extension ReportRounding.Level {
  fileprivate init?(word: String) {
    switch word {
    case "entry": self = .entry
    case "day": self = .day
    case "group": self = .group
    default: return nil
    }
  }
}
