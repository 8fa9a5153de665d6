public import CivilTime
public import RetraceState

/// A day of a calendar with the ended entries of a user.
///
/// An entry is listed on the day on which it began. The time of the day is that of its report, so
/// an entry counts on each day with the part that is on that day.
public struct EntryDay: Equatable, Sendable {
  /// The date.
  public let date: CivilDate
  /// The time from the start of the day to the start of the next one; empty if the zone skips the
  /// day.
  public let range: Range<Moment>
  /// The entries that began on the day, the latest place first.
  public let entries: [IdentifiedEntry]
  /// The entries that began before the day and did not end before it, the latest place first.
  public let carried: [IdentifiedEntry]
  /// The sum of the parts of entries that are on the day, in whole seconds.
  ///
  /// Overlapping entries count in full.
  public let time: ElapsedTime

  /// Divides entries into those that began on the day and those that began before it.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - range: The time of the day.
  ///   - entries: The ended entries that began before the end of the day and did not end before its
  ///     start, in any order.
  /// - Complexity: O(*n* log *n*) for *n* entries.
  init(_ date: CivilDate, _ range: Range<Moment>, _ entries: [IdentifiedEntry]) {
    var (begun, carried): ([IdentifiedEntry], [IdentifiedEntry]) = ([], [])
    var time = ElapsedTime.zero
    let sorted = entries.sorted {
      ($0.entry.sortKey, $0.id) > ($1.entry.sortKey, $1.id)
    }
    for entry in sorted {
      if entry.entry.start < range.lowerBound { carried.append(entry) } else { begun.append(entry) }
      time = time.adding(entry.entry.time(in: range))
    }
    (self.date, self.range, self.time) = (date, range, time)
    (self.entries, self.carried) = (begun, carried)
  }
}

extension TimeEntry {
  /// Returns the time of the part of an ended entry that is in a range.
  ///
  /// Its ends are truncated to whole seconds before the part is taken, as in every sum.
  fileprivate func time(in range: Range<Moment>) -> ElapsedTime {
    let part = span(at: start).clamped(to: range)
    return part.upperBound.elapsed(since: part.lowerBound)
  }
}
