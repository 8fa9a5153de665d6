public import CivilTime
import RetraceArchitecture
public import RetraceState

/// A time entry with the names behind its ids, for people and for output.
public struct EntryReport: Hashable, Sendable {
  /// The id of the entry.
  public var id: TimeEntryID
  /// The name of the user.
  public var user: String
  /// What was done.
  public var description: String
  /// The name of the project, if it has one.
  public var project: String?
  /// The names of the tags.
  public var tags: [String]
  /// When it began.
  public var start: Moment
  /// When it began, by the clock where it was recorded.
  public var localStart: LocalTime
  /// The zone in which it was recorded.
  public var zone: RecordedZone
  /// How long it took, or has been running.
  public var elapsed: ElapsedTime
  /// Whether it runs.
  public var isRunning: Bool
  /// Whether it is billable.
  public var isBillable: Bool
  /// The id that it has elsewhere.
  public var externalID: String?
}

extension AppState {
  /// Looks up what an entry's ids mean.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - moment: Up to when a running entry is counted.
  /// - Returns: `nil` when there is no such entry.
  /// - Complexity: O(tags of the entry).
  public func report(of id: TimeEntryID, at moment: Moment) -> EntryReport? {
    guard let entry = timeline.entries[id] else { return nil }
    return EntryReport(
      id: id, user: library.users[entry.user]?.name ?? "", description: entry.description,
      project: entry.project.flatMap { library.projects[$0]?.name },
      tags: entry.tags.compactMap { library.tags[$0]?.name }, start: entry.start,
      localStart: entry.localStart, zone: entry.recordedZone, elapsed: entry.elapsed(at: moment),
      isRunning: entry.isRunning, isBillable: entry.isBillable, externalID: entry.externalID)
  }
}
