public import RetraceArchitecture
import RetraceAvro

/// A stretch of time that somebody spent on something, or is spending now.
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

  /// Makes a time entry.
  public init(
    user: UserID, workspace: WorkspaceID?, description: String, project: ProjectID?,
    tags: [TagID], start: Moment, duration: ElapsedTime?, recordedZone: RecordedZone,
    isBillable: Bool, externalID: String?
  ) {
    self.user = user
    self.workspace = workspace
    self.description = description
    self.project = project
    self.tags = tags
    self.start = start
    self.duration = duration
    self.recordedZone = recordedZone
    self.isBillable = isBillable
    self.externalID = externalID
  }

  /// The start in microseconds, by which ranges of time are found.
  public var zone: Int64 { start.microseconds }

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
