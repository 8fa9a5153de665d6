import RetraceArchitecture
import RetraceState

/// Counts intervals that overlap another one of the same user.
struct OverlapCounter: Sendable {
  /// An interval that holds its start and not its end.
  private struct Interval {
    var start: Int64
    var end: Int64
    var isNew: Bool
  }

  private var intervals: [UserID: [Interval]] = [:]

  /// Adds an interval; an empty one overlaps nothing and is forgotten.
  mutating func add(_ user: UserID, from start: Moment, to end: Moment, isNew: Bool) {
    guard start < end else { return }
    intervals[user, default: []].append(
      Interval(start: start.microseconds, end: end.microseconds, isNew: isNew))
  }

  /// Forgets the intervals that are not new.
  mutating func removeOld() {
    for index in intervals.values.indices {
      intervals.values[index].removeAll { !$0.isNew }
    }
  }

  /// How many new intervals overlap any other.
  ///
  /// - Complexity: O(n log n) for n intervals.
  var overlaps: Int {
    var count = 0
    for var list in intervals.values {
      list.sort { ($0.start, $0.end) < ($1.start, $1.end) }
      var latestEnd = Int64.min
      for index in list.indices {
        let interval = list[index]
        let meetsEarlier = interval.start < latestEnd
        let meetsLater = index + 1 < list.count && list[index + 1].start < interval.end
        if interval.isNew && (meetsEarlier || meetsLater) { count += 1 }
        latestEnd = max(latestEnd, interval.end)
      }
    }
    return count
  }
}
