public import RetraceState

/// The rules of one time zone: the offset from UTC at every moment.
///
/// The caller makes this value from the bytes of a file of the tz database. This module reads
/// neither a file nor the time zone of the machine.
public struct ZoneRules: Hashable, Sendable {
  /// The id of the zone in the tz database, or the text of a rule; see ``init(posixRule:)``.
  public let id: String
  /// The offset before the first transition, in seconds.
  let firstOffset: Int32
  /// The instants at which the offset changes, in ascending order, in seconds since 1970.
  let transitions: [Int64]
  /// The offset from each transition on, in seconds.
  let offsets: [Int32]
  /// The rule after the last transition; `nil` means that the last offset stays.
  let rule: PosixRule?

  /// The largest distance of a zone from UTC, in seconds: 26 hours.
  static var offsetLimit: Int64 { 93_600 }

  /// Creates the rules of a zone with a fixed offset.
  ///
  /// - Parameters:
  ///   - id: The id of the zone.
  ///   - offsetSeconds: The offset from UTC in seconds.
  public init(id: String, offsetSeconds: Int32) {
    self.init(id: id, firstOffset: offsetSeconds, transitions: [], offsets: [], rule: nil)
  }

  /// Creates the rules of a zone from a rule in the form that POSIX defines for `TZ`, such as
  /// `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` if the text is not a rule.
  ///
  /// The id is the rule, completed by its dates where they are missing, so that the same rules can
  /// be made of a recorded id.
  ///
  /// - Complexity: O(bytes of the text).
  public init?(posixRule text: String) {
    guard text.utf8.count <= Self.posixRuleLimit, let rule = PosixRule(Array(text.utf8)) else {
      return nil
    }
    let isComplete = rule.daylight == nil || text.utf8.contains(UInt8(ascii: ","))
    self.init(
      id: isComplete ? text : text + PosixRule.defaultDates, firstOffset: rule.standardOffset,
      transitions: [], offsets: [], rule: rule)
  }

  private static var posixRuleLimit: Int { 128 }

  /// Creates the rules of a zone from its changes; the last offset stays.
  ///
  /// - Parameters:
  ///   - id: The id of the zone.
  ///   - offsetBefore: The offset before the first change, in seconds.
  ///   - changes: The seconds since 1970 of the changes, in ascending order, and the offsets from
  ///     then on.
  package init(id: String, offsetBefore: Int32, changes: [(second: Int64, offset: Int32)]) {
    self.init(
      id: id, firstOffset: offsetBefore, transitions: changes.map { $0.second },
      offsets: changes.map { $0.offset }, rule: nil)
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
    offset(atSecond: moment.secondsSince1970)
  }

  /// Returns the local time in the zone at a moment.
  public func local(at moment: Moment) -> LocalTime {
    LocalTime(moment, offsetSeconds: offset(at: moment))
  }

  func offset(atSecond second: Int64) -> Int32 { span(at: second).offset }

  /// Returns the period of a constant offset around a second since 1970.
  ///
  /// The offset may be the same before and after a period: where a rule follows the transitions,
  /// and within a rule that never leaves daylight saving time.
  ///
  /// - Complexity: O(log transitions).
  func span(at second: Int64) -> ZoneSpan {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    let start = low == 0 ? Int64.min : transitions[low - 1]
    if low == transitions.count, let rule {
      var span = rule.span(at: second)
      span.start = max(span.start, start)
      return span
    }
    return ZoneSpan(
      start: start, end: low == transitions.count ? .max : transitions[low],
      offset: low == 0 ? firstOffset : offsets[low - 1])
  }
}

/// A period in which the offset is constant, in seconds since 1970.
struct ZoneSpan: Hashable, Sendable {
  /// The first second; the smallest integer for the beginning of time.
  var start: Int64
  /// The second after the last; the largest integer for the end of time.
  var end: Int64
  /// The offset in seconds east of Greenwich.
  var offset: Int32
}

extension Moment {
  /// Creates the moment that is a number of seconds after 1970, clamped to the range of the type.
  init(secondsSince1970 seconds: Int64) {
    self.init(microseconds: ElapsedTime.seconds(seconds).microseconds)
  }

  /// The whole seconds since 1970, rounded down.
  var secondsSince1970: Int64 { CivilDate.floorDiv(microseconds, 1_000_000) }
}
