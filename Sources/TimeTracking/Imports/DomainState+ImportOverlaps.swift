import RetraceState

/// An entry of an import, and another entry of its user at the same time.
public struct ImportOverlap: Hashable, Sendable {
  /// The entry of the import.
  public let entry: TimeEntryID
  /// The other entry, which may be of the import, too.
  public let other: TimeEntryID
  /// Whether the other entry is an older one with the same start, so that the entry of the import
  /// may be its correction.
  public let isCorrection: Bool
}

extension DomainState {
  /// Returns the visible entries of an import that overlap another one, in order of their starts,
  /// each with one other: an older one with the same start, if there is one.
  ///
  /// - Complexity: O(entries), and O(*n* log *n*) for the *n* entries between the first start and
  ///   the last end of the import.
  public func overlaps(of run: ImportRunID) -> [ImportOverlap] {
    var range: Range<Moment>?
    timeEntries.forEach { _, entry in
      guard entry.importRun == run, let end = entry.end, entry.start < end else { return }
      let own = range ?? entry.start..<end
      range = min(own.lowerBound, entry.start)..<max(own.upperBound, end)
    }
    guard let range else { return [] }
    var times: [UserID: [OverlapTime]] = [:]
    forEachEntry(from: range.lowerBound, to: range.upperBound) { id, entry in
      let end = entry.end ?? range.upperBound
      guard entry.start < end else { return }
      times[entry.user, default: []].append(
        OverlapTime(start: entry.start, end: end, id: id, isOwn: entry.importRun == run))
    }
    let found = times.values.flatMap { Self.overlaps(in: $0) }
    return found.sorted { ($0.start, $0.overlap.entry) < ($1.start, $1.overlap.entry) }
      .map { $0.overlap }
  }

  /// Returns the overlaps among the entries of one user.
  private static func overlaps(
    in times: [OverlapTime]
  ) -> [(start: Moment, overlap: ImportOverlap)] {
    let times = times.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    var older: [Moment: TimeEntryID] = [:]
    for time in times where !time.isOwn { older[time.start] = time.id }
    var found: [(start: Moment, overlap: ImportOverlap)] = []
    var latest: OverlapTime?
    for (index, time) in times.enumerated() {
      if time.isOwn {
        let earlier = latest.flatMap { time.start < $0.end ? $0.id : nil }
        let later =
          index + 1 < times.count && times[index + 1].start < time.end ? times[index + 1].id : nil
        let same = older[time.start]
        if let other = same ?? earlier ?? later {
          found.append(
            (
              time.start,
              ImportOverlap(entry: time.id, other: other, isCorrection: same != nil)
            ))
        }
      }
      if latest.map({ $0.end < time.end }) ?? true { latest = time }
    }
    return found
  }
}

/// The time of an entry.
private struct OverlapTime {
  var start: Moment
  var end: Moment
  var id: TimeEntryID
  var isOwn: Bool
}
