public import RetraceState

extension DomainState {
  /// Returns whether an entry counts: it is not deleted, and its import, if any, is finished and
  /// not undone.
  public func isVisible(_ entry: TimeEntry) -> Bool {
    guard entry.deleted == nil else { return false }
    guard let run = entry.importRun else { return true }
    return importRuns.read(run) { $0.isActive } ?? false
  }

  /// Returns the running entry of a user.
  ///
  /// - Complexity: O(running entries).
  public func runningEntry(
    of user: UserID
  ) -> (id: TimeEntryID, entry: TimeEntry)? {
    var found: (id: TimeEntryID, entry: TimeEntry)?
    forEachRunningEntry { id, entry in
      if found == nil, entry.user == user { found = (id, entry) }
    }
    return found
  }

  /// Calls `body` with the running entries, in order of their ids.
  ///
  /// - Complexity: O(running entries).
  public func forEachRunningEntry(_ body: (TimeEntryID, TimeEntry) -> Void) {
    timeEntries.forEach(inSortKeys: Int64.max...Int64.max) { id, entry in
      if entry.isRunning, isVisible(entry) { body(id, entry) }
    }
  }

  /// Calls `body` with the visible entries that overlap a range, in order of their ids.
  ///
  /// - Parameters:
  ///   - start: The start of the range.
  ///   - end: The end of the range; `nil` for no end.
  ///   - user: The user; `nil` for all users.
  ///   - body: Receives the id of an entry, and the entry.
  /// - Complexity: O(entries that end within 999 hours after the range).
  public func forEachEntry(
    from start: Moment, to end: Moment?, of user: UserID? = nil,
    _ body: (TimeEntryID, TimeEntry) -> Void
  ) {
    let first = start.microseconds
    var visible = VisibleEntries(self)
    func visit(_ id: TimeEntryID, _ entry: TimeEntry) {
      // An entry that starts with the range is in it even if the entry is empty.
      let isAfter = entry.sortKey > first || entry.start == start
      let isIn = isAfter && end.map { entry.start < $0 } ?? true
      if isIn, user == nil || entry.user == user, visible.contains(entry) { body(id, entry) }
    }
    guard let end else {
      return timeEntries.forEach(inSortKeys: first...Int64.max, visit)
    }
    // Running entries are visited below.
    let last = min(end.adding(TimeEntry.durationMax).microseconds, .max - 1)
    guard first <= last else { return }
    timeEntries.forEach(inSortKeys: first...last, visit)
    timeEntries.forEach(inSortKeys: Int64.max...Int64.max, visit)
  }
}

/// A test for visible entries that looks up each import once.
package struct VisibleEntries {
  private let state: DomainState
  private var isActive = SmallMap<ImportRunID, Bool>()

  /// Creates a test without cached imports.
  package init(_ state: DomainState) { self.state = state }

  /// Returns whether an entry counts, as `DomainState.isVisible(_:)` does.
  package mutating func contains(_ entry: borrowing TimeEntry) -> Bool {
    guard entry.deleted == nil else { return false }
    guard let run = entry.importRun else { return true }
    if let known = isActive.value(for: run) { return known }
    let active = state.importRuns.read(run) { $0.isActive } ?? false
    isActive.insert(active, for: run)
    return active
  }
}
