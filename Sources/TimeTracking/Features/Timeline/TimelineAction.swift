import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// Time entries were started, stopped, added, changed or taken away.
public enum TimelineAction: Recordable, Equatable {
  /// A user started an entry; one that ran was stopped at the same instant.
  ///
  /// Without a start it began at the moment of the action.
  case started(EntryDetails, user: UserID, zone: RecordedZone, start: Moment?)
  /// A user stopped the running entry.
  case stopped(user: UserID)
  /// A user started an entry like an earlier one.
  case continued(TimeEntryID, user: UserID, zone: RecordedZone)
  /// A closed entry was added.
  case created(ClosedEntry)
  /// An entry was changed in some fields.
  case edited(TimeEntryID, [EntryChange])
  /// An entry was taken away.
  case deleted(TimeEntryID)
}

/// What an entry is about.
public struct EntryDetails: Recordable, Hashable {
  /// What is done.
  public var description: String
  /// The project, if it has one.
  public var project: ProjectID?
  /// The tags, in any order.
  public var tags: [TagID]
  /// Whether it is billable.
  public var isBillable: Bool

  /// Makes details.
  public init(
    description: String, project: ProjectID? = nil, tags: [TagID] = [], isBillable: Bool = false
  ) {
    self.description = description
    self.project = project
    self.tags = tags
    self.isBillable = isBillable
  }
}

/// An entry that is added with its start and its duration.
public struct ClosedEntry: Recordable, Hashable {
  /// Whose time it is.
  public var user: UserID
  /// What it is about.
  public var details: EntryDetails
  /// When it began.
  public var start: Moment
  /// How long it took.
  public var duration: ElapsedTime
  /// The zone in which it was recorded.
  public var zone: RecordedZone
  /// The id that it has elsewhere.
  public var externalID: String?

  /// Makes a closed entry.
  public init(
    user: UserID, details: EntryDetails, start: Moment, duration: ElapsedTime,
    zone: RecordedZone, externalID: String? = nil
  ) {
    self.user = user
    self.details = details
    self.start = start
    self.duration = duration
    self.zone = zone
    self.externalID = externalID
  }
}

/// A change of one field of an entry.
public enum EntryChange: Recordable, Hashable {
  /// Another description.
  case description(String)
  /// Another project, or none.
  case project(ProjectID?)
  /// Other tags, in any order.
  case tags([TagID])
  /// Another start, in a zone; the duration stays.
  case start(Moment, RecordedZone)
  /// Another duration; none makes the entry run.
  case duration(ElapsedTime?)
  /// Billable or not.
  case billable(Bool)
}
