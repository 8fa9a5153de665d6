public import RetraceState

/// A day in a zone: its moments, and the changes of the clocks that make it shorter or longer.
public struct ZoneDay: Hashable, Sendable {
  /// The date.
  public let date: CivilDate
  /// The moments of the day; empty if clocks skip the whole day.
  public let moments: Range<Moment>
  /// The changes that skip or repeat local times of the day, in order of time.
  public let changes: [ZoneChange]

  /// The length in seconds, 86,400 for most days.
  public var lengthSeconds: Int64 {
    moments.upperBound.elapsed(since: moments.lowerBound).seconds
  }

  /// The length and the reason for it, such as `2026-03-29 has 23 hours: clocks go forward from
  /// 02:00 to 03:00`; `nil` for a day without a change.
  public var explanation: String? {
    if changes.isEmpty { return nil }
    let length = lengthSeconds
    let parts = [
      (length / 3_600, "hour"), (length / 60 % 60, "minute"), (length % 60, "second"),
    ]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    let reason = changes.map { $0.description }.joined(separator: "; ")
    let what = text.isEmpty ? "is skipped" : "has \(text.joined(separator: " "))"
    return "\(date) \(what): \(reason)"
  }
}

extension ZoneRules {
  /// Returns the first moment of a day in the zone.
  ///
  /// A day that clocks skip is empty: it starts where the day after it does. If clocks show
  /// midnight twice, the day starts at the first one.
  ///
  /// - Complexity: As ``resolve(_:offsetSeconds:)``.
  public func startOfDay(_ date: CivilDate) -> Moment {
    firstMoment(notBefore: LocalTime(second: 0, ofDay: date.daysSince1970))
  }

  /// Returns the first moment at which clocks show a local time or, if they skip it, a later one.
  ///
  /// - Complexity: As ``resolve(_:offsetSeconds:)``.
  public func firstMoment(notBefore local: LocalTime) -> Moment {
    let clock = local.secondsSince1970
    var span = span(at: clock - Self.offsetLimit)
    while true {
      let second = max(span.start, clock - Int64(span.offset))
      if second < span.end { return Moment(secondsSince1970: second) }
      span = self.span(at: span.end)
    }
  }

  /// Returns the moments of the days of a range, such as ``CivilDate/week(startingOn:)``.
  ///
  /// - Complexity: As ``startOfDay(_:)``.
  public func moments(of dates: Range<CivilDate>) -> Range<Moment> {
    startOfDay(dates.lowerBound)..<startOfDay(dates.upperBound)
  }

  /// Returns a day with its length, and the changes that explain it.
  ///
  /// - Parameters:
  ///   - date: The date of the day.
  ///   - dayStart: The start of a day, in seconds since midnight on the clock.
  /// - Complexity: As ``startOfDay(_:)``.
  public func day(_ date: CivilDate, startingAt dayStart: Int = 0) -> ZoneDay {
    let locals = [date, date.adding(days: 1)].map {
      LocalTime(second: dayStart, ofDay: $0.daysSince1970)
    }
    let moments = firstMoment(notBefore: locals[0])..<firstMoment(notBefore: locals[1])
    let first = locals[0].secondsSince1970
    var changes: [ZoneChange] = []
    var next = change(after: moments.lowerBound.adding(.seconds(-1)))
    while let change = next, change.moment <= moments.upperBound {
      // Repeated time belongs to the day that it interrupts; skipped time to its own date.
      let isOfDay =
        change.isForward
        ? change.touches(first..<first + 86_400)
        : change.moment < moments.upperBound
      if isOfDay { changes.append(change) }
      next = self.change(after: change.moment)
    }
    return ZoneDay(date: date, moments: moments, changes: changes)
  }
}
