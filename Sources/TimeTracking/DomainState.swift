public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The state of the domain: a table for each entity.
public struct DomainState: EntityState, RecordedState, Composed {
  /// The workspaces.
  public var workspaces: EntityTable<WorkspaceID, Workspace> = EntityTable()
  /// The clients.
  public var clients: EntityTable<ClientID, Client> = EntityTable()
  /// The projects.
  public var projects: EntityTable<ProjectID, Project> = EntityTable()
  /// The tasks of projects.
  public var tasks: EntityTable<TaskID, ProjectTask> = EntityTable()
  /// The tags.
  public var tags: EntityTable<TagID, Tag> = EntityTable()
  /// The users.
  public var users: EntityTable<UserID, User> = EntityTable()
  /// The preferences of users.
  public var preferenceSets: EntityTable<PreferenceSetID, PreferenceSet> = EntityTable()
  /// The goals of users.
  public var goals: EntityTable<GoalID, Goal> = EntityTable()
  /// The systems that entities were imported from.
  public var externalSources: EntityTable<SourceID, ExternalSource> = EntityTable()
  /// The imports of files.
  public var importRuns: EntityTable<ImportRunID, ImportRun> = EntityTable()
  /// The favourites of users.
  public var favorites: EntityTable<FavoriteID, Favorite> = EntityTable()
  /// The time entries.
  public var timeEntries: EntityTable<TimeEntryID, TimeEntry> = EntityTable()
  /// The closed periods.
  public var closings: EntityTable<ClosingID, Closing> = EntityTable()

  /// The number of undoable facts so far.
  public var undoableFacts: Int64 = 0

  /// Creates the state before the first record.
  public init() {}
}
