import CivilTime
import RetraceState

/// The clock of a zone, which remembers the time between two changes, because most of the times
/// that are asked for are near to the one before.
struct ZoneClock: Sendable {
  private let rules: ZoneRules
  /// Times on the clock that are far from any change.
  private var known: Range<Int64> = 0..<0
  /// The offset at those times.
  private var offset: Int64 = 0

  /// Twice the largest distance of a clock from UTC, in seconds.
  private static var distance: Int64 { 187_200 }

  /// Creates the clock of a zone.
  init(_ rules: ZoneRules) { self.rules = rules }

  /// Returns the second of UTC of a time on the clock, and whether clocks skip that time.
  ///
  /// - Complexity: O(log changes) near a change and at the first time after it, else O(1).
  mutating func shown(_ clock: Int64) -> (second: Int64, isSkipped: Bool) {
    if known.contains(clock) { return (clock - offset, false) }
    let before = Moment(second: clock - Self.distance)
    let change = rules.change(after: before)?.moment.microseconds ?? .max
    let end = change / 1_000_000 - Self.distance
    guard clock < end else { return rules.shown(clock) }
    (known, offset) = (clock..<end, Int64(rules.offset(at: before)))
    return (clock - offset, false)
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
