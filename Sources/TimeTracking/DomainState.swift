public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The state of the domain: a table for each entity.
public struct DomainState: EntityState, RecordedState, Composed {
  /// Places for clients, projects and tags.
  public var workspaces: EntityTable<WorkspaceID, Workspace> = EntityTable()
  /// Those for whom time is spent.
  public var clients: EntityTable<ClientID, Client> = EntityTable()
  /// What time is spent on.
  public var projects: EntityTable<ProjectID, Project> = EntityTable()
  /// Parts of projects.
  public var tasks: EntityTable<TaskID, ProjectTask> = EntityTable()
  /// Labels of entries.
  public var tags: EntityTable<TagID, Tag> = EntityTable()
  /// Those whose time is tracked.
  public var users: EntityTable<UserID, User> = EntityTable()
  /// What users prefer.
  public var preferenceSets: EntityTable<PreferenceSetID, PreferenceSet> = EntityTable()
  /// Times that users want to spend.
  public var goals: EntityTable<GoalID, Goal> = EntityTable()
  /// Systems that entities were imported from.
  public var externalSources: EntityTable<SourceID, ExternalSource> = EntityTable()
  /// Imports of files.
  public var importRuns: EntityTable<ImportRunID, ImportRun> = EntityTable()
  /// Combinations that users start often.
  public var favorites: EntityTable<FavoriteID, Favorite> = EntityTable()
  /// Stretches of time.
  public var timeEntries: EntityTable<TimeEntryID, TimeEntry> = EntityTable()

  /// The number of facts so far that can be undone.
  public var undoableFacts: Int64 = 0

  /// Makes the state before the first record.
  public init() {}
}
