public import RetraceState

/// The moments at which the clocks of a zone show a local time.
public enum LocalTimeResolution: Hashable, Sendable {
  /// Clocks show the local time once.
  case existing(Moment, offsetSeconds: Int32)
  /// Clocks never show the local time, because the change skips it.
  ///
  /// The nearest moments are ``ZoneChange/lastMomentBefore``, when clocks show
  /// ``ZoneChange/localBefore``, and ``ZoneChange/moment``, when they show
  /// ``ZoneChange/localAfter``.
  case skipped(by: ZoneChange)
  /// Clocks show the local time twice: before and after the change.
  case ambiguous(earlier: Moment, later: Moment, around: ZoneChange)

  /// The moments, earliest first: one, none, or two.
  public var moments: [Moment] {
    switch self {
    case .existing(let moment, _): [moment]
    case .skipped: []
    case .ambiguous(let earlier, let later, _): [earlier, later]
    }
  }
}

extension ZoneRules {
  /// Returns the moments at which the clocks of the zone show a local time, or the change that
  /// skips it.
  ///
  /// - Parameters:
  ///   - local: The local time.
  ///   - offsetSeconds: The offset that selects one of the moments of an ambiguous local time. It
  ///     has no effect if the zone does not have this offset at this local time.
  /// - Complexity: O(log transitions), and O(log transitions) for each change within 26 hours.
  public func resolve(_ local: LocalTime, offsetSeconds: Int32? = nil) -> LocalTimeResolution {
    let clock = local.secondsSince1970
    let end = clock + Self.offsetLimit
    var span = span(at: clock - Self.offsetLimit)
    var found: (first: Moment, last: Moment, offset: Int32)?
    var skipping: ZoneChange?
    var repeating: ZoneChange?
    while true {
      let second = clock - Int64(span.offset)
      if second >= span.start && second < span.end {
        let moment = Moment(secondsSince1970: second)
        if span.offset == offsetSeconds { return .existing(moment, offsetSeconds: span.offset) }
        found = (found?.first ?? moment, moment, span.offset)
      }
      if span.end > end { break }
      let next = self.span(at: span.end)
      let isLaterBefore = span.end + Int64(span.offset) > clock
      let isLaterAfter = span.end + Int64(next.offset) > clock
      if isLaterBefore != isLaterAfter {
        let change = ZoneChange(
          moment: Moment(secondsSince1970: span.end), offsetBefore: span.offset,
          offsetAfter: next.offset)
        if isLaterAfter { skipping = skipping ?? change } else { repeating = repeating ?? change }
      }
      span = next
    }
    if let found, let repeating, found.first < found.last {
      return .ambiguous(earlier: found.first, later: found.last, around: repeating)
    }
    if let found { return .existing(found.first, offsetSeconds: found.offset) }
    // Clocks are earlier than `local` 26 hours before it and later 26 hours after it, so a change
    // skips what they never show.
    guard let skipping else { preconditionFailure("a local time is neither shown nor skipped") }
    return .skipped(by: skipping)
  }

  /// Returns the moments at which the zone has a local time, earliest first.
  ///
  /// - Returns: One moment; none if clocks skip the local time, two if they show it twice.
  /// - Complexity: As ``resolve(_:offsetSeconds:)``.
  public func moments(forLocal local: LocalTime) -> [Moment] { resolve(local).moments }
}
