import CivilTime
import RetraceState

/// The clock of a zone, which remembers the time up to the next change, because most of the times
/// that are asked for are near to the one before.
struct ZoneClock: Sendable {
  private let rules: ZoneRules
  /// Times on the clock that no change skips or repeats.
  private var known: Range<Int64> = 0..<0
  /// The offset at those times.
  private var offset: Int64 = 0

  /// The largest distance of a clock from UTC, in seconds.
  static var offsetMax: Int64 { 93_600 }

  /// Creates the clock of a zone.
  init(_ rules: ZoneRules) { self.rules = rules }

  /// Returns the second of UTC of a time on the clock, and whether clocks skip that time.
  ///
  /// - Complexity: O(log changes) at the first time after a change, and at a time that one skips or
  ///   repeats; else O(1).
  mutating func shown(_ clock: Int64) -> (second: Int64, isSkipped: Bool) {
    if known.contains(clock) { return (clock - offset, false) }
    var moment = Moment(second: clock - Self.offsetMax - 1)
    var offset = rules.offset(at: moment)
    // Within 52 hours there is one change, but for a few in history.
    for _ in 0..<2 {
      guard let change = rules.change(after: moment) else {
        known = clock..<max(clock, .max - Self.offsetMax)
        self.offset = Int64(offset)
        return (clock - self.offset, false)
      }
      let second = change.moment.microseconds / 1_000_000
      let offsets = [Int64(change.offsetBefore), Int64(change.offsetAfter)].sorted()
      if clock < second + offsets[0] {
        (known, self.offset) = (clock..<second + offsets[0], Int64(offset))
        return (clock - self.offset, false)
      }
      guard clock >= second + offsets[1] else { break }
      (moment, offset) = (change.moment, change.offsetAfter)
    }
    return rules.shown(clock)
  }
}

extension ZoneRules {
  /// Returns the second of UTC of a time on the clock, and whether clocks skip that time.
  ///
  /// RFC 5545, section 3.3.5: a time that clocks show twice is the first one, and one that they
  /// skip has the offset before the change.
  ///
  /// - Complexity: As ``CivilTime/ZoneRules/resolve(_:offsetSeconds:)``.
  func shown(_ clock: Int64) -> (second: Int64, isSkipped: Bool) {
    switch resolve(LocalTime(secondsSince1970: clock)) {
    case .existing(_, let offset): (clock - Int64(offset), false)
    case .ambiguous(_, _, let change): (clock - Int64(change.offsetBefore), false)
    case .skipped(let change): (clock - Int64(change.offsetBefore), true)
    }
  }
}
