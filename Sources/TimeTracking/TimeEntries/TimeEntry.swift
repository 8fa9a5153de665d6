public import CivilTime
import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a time entry.
public struct TimeEntryID: EntityID { @usableFromInline var number: Int64 }

/// A period of time that a user has spent, or is spending now.
///
/// The initializer is the implicit memberwise one. An explicit initializer copies the entry once
/// more, which took a third of the time of reducing an import.
public struct TimeEntry: TableEntity, TrackedEntity {
  /// The maximum duration: 999 hours.
  public static var durationMax: ElapsedTime { .seconds(999 * 3_600) }
  /// The maximum duration without ``Policy/allow``: 12 hours.
  public static var usualDurationMax: ElapsedTime { .seconds(12 * 3_600) }
  /// The range of the start and the end: the years 1 to 9999.
  public static var moments: ClosedRange<Moment> {
    Moment(
      microseconds: -62_135_596_800_000_000)...Moment(
        microseconds: 253_402_300_799_999_999)
  }
  /// The maximum number of bytes of the description and all annotations.
  ///
  /// With this limit, the undo of any change of an entry fits into one fact.
  public static var textBytesMax: Int { 65_536 }
  /// The maximum number of tags, and of annotations.
  public static var listMax: Int { 100 }

  /// The user.
  public var user: UserID
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID?
  /// The description of the work.
  public var description: String
  /// The project, if any.
  public var project: ProjectID?
  /// The task of the project, if any.
  public var task: TaskID?
  /// The tags, in order of their ids, each once.
  public var tags: [TagID]
  /// The start.
  public var start: Moment
  /// The end; `nil` while the entry runs.
  public var end: Moment?
  /// The zone in which it was recorded.
  public var zone: RecordedZone
  /// Whether it is billable.
  public var isBillable: Bool
  /// The hourly rate in hundredths of the currency, frozen when the entry was created or billed
  /// otherwise; `nil` for none.
  public var rate: Int64?
  /// The annotations, oldest first.
  public var annotations: [String]
  /// The ids in other systems.
  public var externalIDs: [ExternalID]
  /// The import that created it; the entry is invisible while that is unfinished or undone.
  public var importRun: ImportRunID?
  /// The moment of the last change.
  public var modified: Moment
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?
  /// Whether it may overlap other entries of its user: a command allowed that or a time in the
  /// future, or it was imported.
  public var allowsOverlap: Bool = false

  /// The end in microseconds, by which ranges of time are found; `Int64.max` while it runs.
  public var sortKey: Int64 { end?.microseconds ?? .max }

  /// Whether it runs.
  public var isRunning: Bool { end == nil }

  /// Returns whether it has no end and begins after the second of a moment.
  public func isPlanned(at moment: Moment) -> Bool {
    isRunning && start.wholeSecond > moment.wholeSecond
  }

  /// The duration; `nil` while it runs.
  public var duration: ElapsedTime? { end?.elapsed(since: start) }

  /// Returns the time that counts in sums, until a moment if it is running.
  ///
  /// The start and the end are truncated to whole seconds, as they are shown, so that shown times
  /// add up.
  public func span(at moment: Moment) -> Range<Moment> {
    let start = start.wholeSecond
    return start..<max(start, (end ?? moment).wholeSecond)
  }

  /// Returns the duration in whole seconds, until a moment if it is running.
  public func elapsed(at moment: Moment) -> ElapsedTime {
    let span = span(at: moment)
    return span.upperBound.elapsed(since: span.lowerBound)
  }

  /// The local time of the start, in the recorded offset.
  public var localStart: LocalTime { LocalTime(start, offsetSeconds: zone.offsetSeconds) }

  /// The local time of the end, in the recorded offset, which is the one at the start.
  public var localEnd: LocalTime? {
    end.map { LocalTime($0, offsetSeconds: zone.offsetSeconds) }
  }

  /// Returns the local times of the start and the end.
  ///
  /// - Parameter rules: The rules of the zone; `nil` for the recorded offset, which is the one at
  ///   the start.
  public func local(by rules: ZoneRules?) -> (start: LocalTime, end: LocalTime?) {
    guard let rules else { return (localStart, localEnd) }
    return (rules.local(at: start), end.map { rules.local(at: $0) })
  }

  /// Merges the start and the end as one field, and the workspace, project, task and billing as
  /// another.
  public mutating func takeJointFields(of server: TimeEntry, changedSince base: TimeEntry) {
    if (server.start, server.end) != (base.start, base.end) {
      (start, end) = (server.start, server.end)
    }
    let place = (base.workspace, base.project, base.task, base.isBillable, base.rate)
    if (server.workspace, server.project, server.task, server.isBillable, server.rate) != place {
      (workspace, project, task) = (server.workspace, server.project, server.task)
      (isBillable, rate) = (server.isBillable, server.rate)
    }
  }
}

/// The changes of the fields of a time entry.
public struct TimeEntryChanges: EntityChanges {
  /// The entity.
  public typealias Entity = TimeEntry

  /// The change of `user`.
  public var user: Change<UserID>?
  /// The change of `workspace`.
  public var workspace: Change<WorkspaceID?>?
  /// The change of `description`.
  public var description: Change<String>?
  /// The change of `project`.
  public var project: Change<ProjectID?>?
  /// The change of `task`.
  public var task: Change<TaskID?>?
  /// The change of `tags`.
  public var tags: Change<[TagID]>?
  /// The change of `start`.
  public var start: Change<Moment>?
  /// The change of `end`.
  public var end: Change<Moment?>?
  /// The change of `zone`.
  public var zone: Change<RecordedZone>?
  /// The change of `isBillable`.
  public var isBillable: Change<Bool>?
  /// The change of `rate`.
  public var rate: Change<Int64?>?
  /// The change of `annotations`.
  public var annotations: Change<[String]>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
  /// The change of `allowsOverlap`.
  public var allowsOverlap: Change<Bool>?
}

extension TimeEntry: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(workspace) || entity.has(project) || entity.has(task)
      || tags.contains { entity.has($0) }
  }
}
