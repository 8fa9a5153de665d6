import RetraceState
import TimeTracking

/// The time that a command added against the rules that hold without an allowing policy.
struct AddedTime {
  private typealias Found = (id: TimeEntryID, entry: TimeEntry)
  private let before: [Found]
  private let after: [Found]
  private let now: Moment

  init(from before: DomainState, to after: DomainState, at now: Moment) {
    func visible(in state: DomainState) -> [Found] {
      var found: [Found] = []
      state.timeEntries.forEach { id, entry in
        if state.isVisible(entry) { found.append((id, entry)) }
      }
      return found
    }
    self.before = visible(in: before)
    self.after = visible(in: after)
    self.now = now
  }

  /// Each added time, with its kind as the first word.
  var texts: [String] { long + ended + future + double }

  /// The entries that run since more than 12 hours ago, without those that are a part of an entry
  /// that already had this time.
  private var long: [String] {
    after.filter { id, entry in
      guard entry.isRunning, now.elapsed(since: entry.start) > .hours(12) else { return false }
      return !before.contains { known in
        (known.id == id || known.entry.user == entry.user) && known.entry.start <= entry.start
          && (known.entry.end ?? now) >= now
      }
    }.map { "long #\($0.id.value)" }
  }

  /// The ended entries that take more than 12 hours, without the parts of an ended entry that
  /// already had this time.
  private var ended: [String] {
    after.filter { id, entry in
      guard let end = entry.end, end.elapsed(since: entry.start) > .hours(12) else { return false }
      return !before.contains { known in
        guard let last = known.entry.end else { return false }
        if known.id == id {
          return last.elapsed(since: known.entry.start) >= end.elapsed(since: entry.start)
        }
        return known.entry.user == entry.user && known.entry.start <= entry.start && last >= end
      }
    }.map { "ended #\($0.id.value)" }
  }

  /// The entries that begin more than a minute after now, without those that were planned.
  private var future: [String] {
    after.filter { id, entry in
      guard entry.start > now.adding(.seconds(60)) else { return false }
      return !before.contains { known in
        if known.id == id, known.entry.start >= entry.start { return true }
        let end = known.entry.end ?? now
        return known.entry.user == entry.user && known.entry.start <= entry.start
          && end > entry.start
      }
    }.map { "future #\($0.id.value)" }
  }

  /// The moments from which a user has more entries at once than before, and more than one.
  private var double: [String] {
    let users = Set(after.map(\.entry.user))
    return users.sorted().flatMap { user in
      let (old, new) = (spans(before, of: user), spans(after, of: user))
      let moments = Set((old + new).flatMap { [$0.lowerBound, $0.upperBound] })
      return moments.filter { moment in
        new.count { $0.contains(moment) } > max(1, old.count { $0.contains(moment) })
      }.map { "double \($0.hours)" }
    }
  }

  /// The times of a user, until now where an entry runs.
  private func spans(_ entries: [Found], of user: UserID) -> [Range<Moment>] {
    entries.filter { $0.entry.user == user }.map { _, entry in
      entry.start..<max(entry.start, entry.end ?? now)
    }
  }
}
