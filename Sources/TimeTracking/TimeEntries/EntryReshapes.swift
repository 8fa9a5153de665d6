import RetraceAvro
package import RetraceState

/// Commands that change when an entry begins or ends by what is around it.
extension DomainState {
  /// Returns the changes that lengthen an entry up to the entries before and after it on the day on
  /// which it begins; `nil` if no gap is beside it.
  ///
  /// A running entry keeps running.
  ///
  /// - Complexity: O(log entries + entries of the day).
  package func filling(
    _ found: IdentifiedEntry, in calendar: ReportCalendar
  ) -> TimeEntryCorrection? {
    let entry = found.entry
    let day = calendar.range(of: calendar.day(at: entry.start))
    var (start, end) = (day.lowerBound, day.upperBound)
    var (hasBefore, hasAfter) = (false, false)
    forEachEntry(from: start, to: end, of: entry.user) { id, other in
      guard id != found.id else { return }
      if let ended = other.end, ended <= entry.start, ended >= start {
        start = ended
        hasBefore = true
      }
      if let own = entry.end, other.start >= own, other.start <= end {
        end = other.start
        hasAfter = true
      }
    }
    var correction = TimeEntryCorrection()
    if hasBefore, start != entry.start {
      correction.changes.start = Change(from: entry.start, to: start)
    }
    if hasAfter, let own = entry.end, end != own {
      correction.changes.end = Change(from: own, to: end)
    }
    return correction == TimeEntryCorrection() ? nil : correction
  }

  /// Returns the entry of the same user that begins first after the end of an entry, within a day;
  /// `nil` for none.
  ///
  /// - Complexity: O(log entries + entries of the day).
  package func next(after entry: TimeEntry) -> IdentifiedEntry? {
    guard let end = entry.end else { return nil }
    var found: IdentifiedEntry?
    forEachEntry(from: end, to: end.adding(.seconds(86_400)), of: entry.user) { id, other in
      guard other.start >= end else { return }
      if let found, (found.entry.start, found.id) <= (other.start, id) { return }
      found = IdentifiedEntry(id: id, entry: other)
    }
    return found
  }
}

extension TimeEntry {
  /// Returns the middle of the entry, of a running one until now, in whole seconds unless the entry
  /// is shorter.
  package func middle(at now: Moment) -> Moment {
    let last = end ?? now
    let middle = start.microseconds + (last.microseconds - start.microseconds) / 2
    let second = middle - middle % 1_000_000
    return Moment(microseconds: second > start.microseconds ? second : middle)
  }
}
