public import CivilTime
import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// A stretch of time that somebody spent on something, or is spending now.
///
/// Only the reducer makes one. The initializer is the implicit one on purpose: a written one copies
/// the whole entry once more, which took a third of the time that an import needs to be reduced.
public struct TimeEntry: TableEntity, Hashable {
  /// Whose time it is.
  public var user: UserID
  /// The workspace of its project, if it has one.
  public var workspace: WorkspaceID?
  /// What was done.
  public var description: String
  /// The project, if it has one.
  public var project: ProjectID?
  /// The tags, in order of their ids, each once.
  public var tags: [TagID]
  /// When it began.
  public var start: Moment
  /// How long it took; `nil` while it runs.
  public var duration: ElapsedTime?
  /// The zone in which it was recorded.
  public var recordedZone: RecordedZone
  /// Whether it is billable.
  public var isBillable: Bool
  /// The id that it has elsewhere, by which an import notices it.
  public var externalID: String?

  /// The start in microseconds, by which ranges of time are found.
  public var sortKey: Int64 { start.microseconds }

  /// When it ended; `nil` while it runs.
  public var end: Moment? { duration.map { start.adding($0) } }

  /// Whether it runs.
  public var isRunning: Bool { duration == nil }

  /// How long it took, or has been running at a moment.
  public func elapsed(at moment: Moment) -> ElapsedTime {
    duration ?? moment.elapsed(since: start)
  }

  /// When it began, by the clock where it was recorded.
  public var localStart: LocalTime {
    LocalTime(start, offsetSeconds: recordedZone.offsetSeconds)
  }
}
