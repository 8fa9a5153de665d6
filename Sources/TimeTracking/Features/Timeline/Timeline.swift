import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The time entries, and which of them runs for whom.
public struct Timeline: RecordedState {
  /// The time entries.
  public var entries: EntityTable<TimeEntryID, TimeEntry> = EntityTable()
  /// The running entry of each user who has one.
  public var running: [UserID: TimeEntryID] = [:]

  /// Makes an empty timeline.
  public init() {}
}

extension Timeline {
  /// Adds a running entry and stops the one that ran, at the start of the new one.
  mutating func start(_ entry: TimeEntry) -> TimeEntryID {
    stop(entry.user, at: entry.start)
    let id = entries.insert(entry)
    running[entry.user] = id
    return id
  }

  /// Stops the running entry of a user, if there is one; a start that lies later counts as now.
  @discardableResult
  mutating func stop(_ user: UserID, at moment: Moment) -> Bool {
    guard let id = running.removeValue(forKey: user) else { return false }
    entries.modify(id) { $0.duration = moment.elapsed(since: $0.start) }
    return true
  }

  /// Takes an entry away; answers whether there was one.
  mutating func remove(_ id: TimeEntryID) -> Bool {
    guard let user = entries.read(id, { $0.user }) else { return false }
    if running[user] == id { running[user] = nil }
    return entries.remove(id)
  }
}
