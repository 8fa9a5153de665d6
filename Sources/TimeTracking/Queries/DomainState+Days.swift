public import RetraceState

/// An overlap of two entries of one user.
public struct EntryOverlap: Hashable, Sendable {
  /// The entry that begins earlier or, if both begin together, has the lower id.
  public var first: TimeEntryID
  /// The other entry.
  public var second: TimeEntryID
  /// The time in common, within the range of the query.
  public var range: Range<Moment>
}

extension DomainState {
  /// Returns the gaps in a range: the times without an entry of a user, in order.
  ///
  /// - Parameters:
  ///   - range: The range, such as a day. It is cut at `moment`.
  ///   - user: The user.
  ///   - moment: The end of running entries.
  ///   - least: The minimum length of a gap.
  /// - Complexity: O(*n* log *n*) for the *n* entries that end in the range or within 999 hours
  ///   after.
  public func gaps(
    in range: Range<Moment>, of user: UserID, at moment: Moment, atLeast least: ElapsedTime = .zero
  ) -> [Range<Moment>] {
    let end = min(range.upperBound, moment)
    guard range.lowerBound < end else { return [] }
    var gaps: [Range<Moment>] = []
    var covered = range.lowerBound
    func cover(_ start: Moment, _ end: Moment) {
      if covered < start, start.elapsed(since: covered) >= least { gaps.append(covered..<start) }
      covered = max(covered, end)
    }
    for part in parts(in: range.lowerBound..<end, of: user, at: moment) where !part.range.isEmpty {
      cover(part.range.lowerBound, part.range.upperBound)
    }
    cover(end, end)
    return gaps
  }

  /// Returns the pairs of a user's entries that overlap in a range, ordered by the start of the
  /// first entry.
  ///
  /// - Parameters:
  ///   - range: The range, such as a day.
  ///   - user: The user.
  ///   - moment: The end of running entries.
  /// - Complexity: O(*n* log *n* + pairs) for the *n* entries that end in the range or within
  ///   999 hours after.
  public func overlaps(
    in range: Range<Moment>, of user: UserID, at moment: Moment
  ) -> [EntryOverlap] {
    let parts = parts(in: range, of: user, at: moment).filter { !$0.range.isEmpty }
    var overlaps: [EntryOverlap] = []
    for (index, first) in parts.enumerated() {
      for second in parts[(index + 1)...] {
        guard second.range.lowerBound < first.range.upperBound else { break }
        let shared = first.range.clamped(to: second.range)
        overlaps.append(EntryOverlap(first: first.id, second: second.id, range: shared))
      }
    }
    return overlaps
  }

  /// Returns the parts of a user's entries in a range, in order of their starts.
  private func parts(
    in range: Range<Moment>, of user: UserID, at moment: Moment
  ) -> [(id: TimeEntryID, start: Moment, range: Range<Moment>)] {
    var parts: [(id: TimeEntryID, start: Moment, range: Range<Moment>)] = []
    forEachPart(in: range, at: moment, of: user) { id, entry, part in
      parts.append((id, entry.start, part))
    }
    // Sorted by the starts of the entries, because several may begin before the range.
    return parts.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }
}
