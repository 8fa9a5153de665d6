public import RetraceState

/// The rules of one time zone: the offset from UTC at every moment.
///
/// The caller makes this value from the bytes of a file of the tz database. This module reads
/// neither a file nor the time zone of the machine.
public struct ZoneRules: Hashable, Sendable {
  /// The id of the zone in the tz database.
  public let id: String
  /// The offset before the first transition, in seconds.
  let firstOffset: Int32
  /// The instants at which the offset changes, in ascending order, in seconds since 1970.
  let transitions: [Int64]
  /// The offset from each transition on, in seconds.
  let offsets: [Int32]
  /// The rule after the last transition; `nil` means that the last offset stays.
  let rule: PosixRule?

  /// Makes the rules of a zone with a fixed offset.
  ///
  /// - Parameters:
  ///   - id: The id of the zone.
  ///   - offsetSeconds: The offset from UTC in seconds.
  public init(id: String, offsetSeconds: Int32) {
    self.init(id: id, firstOffset: offsetSeconds, transitions: [], offsets: [], rule: nil)
  }

  init(
    id: String, firstOffset: Int32, transitions: [Int64], offsets: [Int32], rule: PosixRule?
  ) {
    self.id = id
    self.firstOffset = firstOffset
    self.transitions = transitions
    self.offsets = offsets
    self.rule = rule
  }

  /// Coordinated universal time.
  public static var utc: ZoneRules { ZoneRules(id: "UTC", offsetSeconds: 0) }

  /// Returns the offset at a moment, in seconds.
  ///
  /// - Complexity: O(log transitions).
  public func offset(at moment: Moment) -> Int32 {
    offset(atSecond: Int64(CivilDate.floorDiv(Int(moment.microseconds), 1_000_000)))
  }

  /// Returns the local time in the zone at a moment.
  public func local(at moment: Moment) -> LocalTime {
    LocalTime(moment, offsetSeconds: offset(at: moment))
  }

  /// Returns the moments at which the zone has a local time, earliest first.
  ///
  /// - Returns: One moment; none if clocks skip the local time, two if they show it twice.
  /// - Complexity: O(log transitions).
  public func moments(forLocal local: LocalTime) -> [Moment] {
    let seconds = Int64(local.secondsSince1970)
    guard !transitions.isEmpty || rule?.daylight != nil else {
      let offset = rule?.standardOffset ?? firstOffset
      return [Moment(microseconds: (seconds - Int64(offset)) * 1_000_000)]
    }
    // No zone is further than 26 hours from UTC.
    var found: [Int64] = []
    for offset in offsets(after: seconds - 93_600, upTo: seconds + 93_600) {
      let instant = seconds - Int64(offset)
      if self.offset(atSecond: instant) == offset && !found.contains(instant) {
        found.append(instant)
      }
    }
    return found.sorted().map { Moment(microseconds: $0 * 1_000_000) }
  }

  /// Returns the first moment of a day in the zone.
  ///
  /// A day that clocks skip is empty: it starts where the day after it does.
  ///
  /// - Complexity: O(log transitions).
  public func startOfDay(_ date: CivilDate) -> Moment {
    let midnight = LocalTime(secondsSince1970: date.daysSince1970 * 86_400)
    if let first = moments(forLocal: midnight).first { return first }
    // Clocks skip midnight, so the day starts at the transition: the search keeps `before` earlier
    // and `start` later than midnight on the clock. No zone is further than 26 hours from UTC.
    let local = Int64(midnight.secondsSince1970)
    var before = local - 93_600
    var start = local + 93_600
    while start - before > 1 {
      let middle = before + (start - before) / 2
      let isBefore = middle + Int64(offset(atSecond: middle)) < local
      if isBefore { before = middle } else { start = middle }
    }
    return Moment(microseconds: start * 1_000_000)
  }

  /// Returns the offset at a second since 1970.
  func offset(atSecond second: Int64) -> Int32 {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count, let rule { return rule.offset(atSecond: second) }
    return low == 0 ? firstOffset : offsets[low - 1]
  }

  /// Returns all offsets that apply in a range of seconds, possibly with duplicates.
  private func offsets(after start: Int64, upTo end: Int64) -> [Int32] {
    var result = [offset(atSecond: start), offset(atSecond: end)]
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= start { low = middle + 1 } else { high = middle }
    }
    while low < transitions.count && transitions[low] <= end {
      result.append(offsets[low])
      low += 1
    }
    if let daylight = rule?.daylight, let rule {
      result.append(daylight.offset)
      result.append(rule.standardOffset)
    }
    return result
  }
}
