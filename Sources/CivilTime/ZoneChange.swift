public import RetraceState

/// A change of a zone's offset: the clocks go forward or back.
public struct ZoneChange: Hashable, Sendable {
  /// The first moment with the new offset.
  public let moment: Moment
  /// The offset before the change, in seconds.
  public let offsetBefore: Int32
  /// The offset after the change, in seconds.
  public let offsetAfter: Int32

  /// Whether clocks go forward and skip local times; otherwise they go back and repeat some.
  public var isForward: Bool { offsetAfter > offsetBefore }

  /// The moment one second before the change.
  public var lastMomentBefore: Moment {
    moment.adding(.seconds(-1))
  }

  /// The local time one second before the change, such as 01:59:59.
  public var localBefore: LocalTime {
    LocalTime(lastMomentBefore, offsetSeconds: offsetBefore)
  }

  /// The local time at the change, such as 03:00:00.
  public var localAfter: LocalTime { LocalTime(moment, offsetSeconds: offsetAfter) }

  /// Returns whether the change skips or repeats a local time between two others.
  func touches(_ locals: Range<Int64>) -> Bool {
    let before = moment.secondsSince1970 + Int64(offsetBefore)
    let after = moment.secondsSince1970 + Int64(offsetAfter)
    return min(before, after) < locals.upperBound && max(before, after) > locals.lowerBound
  }
}

extension ZoneChange: CustomStringConvertible {
  /// The change as `clocks go forward from 02:00 to 03:00`; with dates if the date changes.
  public var description: String {
    let before = LocalTime(secondsSince1970: localBefore.secondsSince1970 + 1)
    let after = localAfter
    let hasDates = before.date != after.date
    func text(_ local: LocalTime) -> String {
      let seconds = local.second == 0 ? "" : ":" + padded(local.second, to: 2)
      return (hasDates ? "\(local.date) " : "") + local.clock + seconds
    }
    return "clocks go \(isForward ? "forward" : "back") from \(text(before)) to \(text(after))"
  }
}

extension ZoneRules {
  /// Returns the first change of the offset after a moment; `nil` if the offset stays.
  ///
  /// - Complexity: O(log transitions).
  public func change(after moment: Moment) -> ZoneChange? {
    var span = span(at: moment.secondsSince1970)
    // A rule may stay in one offset for eight years at most, from one leap year to the next.
    for _ in 0..<12 {
      guard span.end < Int64.max / 1_000_000 else { return nil }
      let next = self.span(at: span.end)
      if next.offset != span.offset {
        return ZoneChange(
          moment: Moment(secondsSince1970: span.end), offsetBefore: span.offset,
          offsetAfter: next.offset)
      }
      span = next
    }
    return nil
  }
}
