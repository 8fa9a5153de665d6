public import CivilTime
import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a time entry.
public struct TimeEntryID: EntityID { @usableFromInline var number: Int64 }

/// A stretch of time that somebody spent on something, or is spending now.
///
/// The initializer is the implicit one on purpose: a written one copies the whole entry once more,
/// which took a third of the time that an import needs to be reduced.
public struct TimeEntry: TableEntity, TrackedEntity {
  /// The longest entry: 999 hours.
  public static var durationMax: ElapsedTime { .seconds(999 * 3_600) }
  /// The longest entry that needs no ``Policy/allow``: 12 hours.
  public static var usualDurationMax: ElapsedTime { .seconds(12 * 3_600) }
  /// The moments at which an entry may begin and end: those of the years 1 to 9999.
  public static var moments: ClosedRange<Moment> {
    Moment(
      microseconds: -62_135_596_800_000_000)...Moment(
        microseconds: 253_402_300_799_999_999)
  }
  /// The most bytes of the description and all annotations, so that every change of an entry can be
  /// undone by one fact.
  public static var textBytesMax: Int { 65_536 }
  /// The most tags, and the most annotations.
  public static var listMax: Int { 100 }

  /// Whose time it is.
  public var user: UserID
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID?
  /// What was done.
  public var description: String
  /// The project, if any.
  public var project: ProjectID?
  /// The task of the project, if any.
  public var task: TaskID?
  /// The tags, in order of their ids, each once.
  public var tags: [TagID]
  /// When it began.
  public var start: Moment
  /// When it ended; `nil` while it runs.
  public var end: Moment?
  /// The zone in which it was recorded.
  public var zone: RecordedZone
  /// Whether it is billable.
  public var isBillable: Bool
  /// The price of an hour in hundredths of the currency, as it was when the entry was made; `nil`
  /// if there is none.
  public var rate: Int64?
  /// Remarks, in the order in which they were made.
  public var annotations: [String]
  /// The ids in other systems.
  public var externalIDs: [ExternalID]
  /// The import that it came with; it is invisible until that is finished, and when it is undone.
  public var importRun: ImportRunID?
  /// When it was changed last.
  public var modified: Moment
  /// When it was deleted.
  public var deleted: Moment?
  /// Whether it may overlap other entries of its user: a command allowed that, or allowed it to lie
  /// in the future, or it was imported.
  public var allowsOverlap: Bool = false

  /// The end in microseconds, by which ranges of time are found; the highest number while it runs.
  public var sortKey: Int64 { end?.microseconds ?? .max }

  /// Whether it runs.
  public var isRunning: Bool { end == nil }

  /// How long it took; `nil` while it runs.
  public var duration: ElapsedTime? { end?.elapsed(since: start) }

  /// Returns the time that it takes in sums, until a moment if it is running.
  ///
  /// Both ends are cut to whole seconds, as they are shown, so that shown times add up.
  public func span(at moment: Moment) -> Range<Moment> {
    let start = start.wholeSecond
    return start..<max(start, (end ?? moment).wholeSecond)
  }

  /// Returns how long it took, or has been running at a moment, in whole seconds.
  public func elapsed(at moment: Moment) -> ElapsedTime {
    let span = span(at: moment)
    return span.upperBound.elapsed(since: span.lowerBound)
  }

  /// When it began, by the clock where it was recorded.
  public var localStart: LocalTime { LocalTime(start, offsetSeconds: zone.offsetSeconds) }

  /// When it ended, by the clock where it was recorded and the offset of its start.
  public var localEnd: LocalTime? {
    end.map { LocalTime($0, offsetSeconds: zone.offsetSeconds) }
  }

  /// Returns what clocks show at the start and at the end.
  ///
  /// - Parameter rules: The rules of the zone; `nil` for the offset that the entry has recorded,
  ///   which is that of its start only.
  public func local(by rules: ZoneRules?) -> (start: LocalTime, end: LocalTime?) {
    guard let rules else { return (localStart, localEnd) }
    return (rules.local(at: start), end.map { rules.local(at: $0) })
  }

  /// Takes the start and the end together, and the workspace, the project, the task and how it is
  /// billed.
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

  /// Makes a value without changes.
  public init() {}
}
