public import RetraceState

extension DomainState {
  /// Returns the number of counted entries that overlap another visible entry of their user.
  ///
  /// The visible entries of an import are counted, and some others.
  ///
  /// - Parameters:
  ///   - run: The import; `nil` for none.
  ///   - others: The other counted entries.
  ///   - range: A range that contains all counted entries; `nil` to find it.
  /// - Complexity: O(entries) without the range, and O(*n* log *n*) for the *n* entries that end
  ///   between the first start and the last end of the counted entries, or within 999 hours
  ///   after.
  public func overlappingEntries(
    of run: ImportRunID?, and others: Set<TimeEntryID> = [], in range: Range<Moment>? = nil
  ) -> Int {
    func isCounted(_ id: TimeEntryID, _ entry: TimeEntry) -> Bool {
      run != nil && entry.importRun == run || others.contains(id)
    }
    guard let range = range ?? timeRange(where: isCounted) else { return 0 }
    var times: [UserID: [(start: Moment, end: Moment, isCounted: Bool)]] = [:]
    forEachEntry(from: range.lowerBound, to: range.upperBound) { id, entry in
      let end = entry.end ?? range.upperBound
      guard entry.start < end else { return }
      times[entry.user, default: []].append((entry.start, end, isCounted(id, entry)))
    }
    return times.values.reduce(0) { $0 + Self.overlapping($1) }
  }

  /// Returns the time from the first start to the last end of some visible entries that have ended.
  private func timeRange(where isCounted: (TimeEntryID, TimeEntry) -> Bool) -> Range<Moment>? {
    var range: Range<Moment>?
    timeEntries.forEach { id, entry in
      guard isCounted(id, entry), isVisible(entry), let end = entry.end, entry.start < end
      else { return }
      let own = entry.start..<end
      let all = range ?? own
      range = min(all.lowerBound, own.lowerBound)..<max(all.upperBound, own.upperBound)
    }
    return range
  }

  /// Returns the number of counted times that overlap another time.
  private static func overlapping(
    _ times: [(start: Moment, end: Moment, isCounted: Bool)]
  ) -> Int {
    let times = times.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    var count = 0
    var latestEnd: Moment?
    for (index, time) in times.enumerated() {
      let meetsEarlier = latestEnd.map { time.start < $0 } ?? false
      let meetsLater = index + 1 < times.count && times[index + 1].start < time.end
      if time.isCounted, meetsEarlier || meetsLater { count += 1 }
      latestEnd = max(latestEnd ?? time.end, time.end)
    }
    return count
  }
}
