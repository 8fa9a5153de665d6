public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The state of the domain: a table for each entity.
public struct DomainState: EntityState, RecordedState, Composed {
  public var workspaces: EntityTable<WorkspaceID, Workspace> = EntityTable()
  public var clients: EntityTable<ClientID, Client> = EntityTable()
  public var projects: EntityTable<ProjectID, Project> = EntityTable()
  public var tasks: EntityTable<TaskID, ProjectTask> = EntityTable()
  public var tags: EntityTable<TagID, Tag> = EntityTable()
  public var users: EntityTable<UserID, User> = EntityTable()
  public var preferenceSets: EntityTable<PreferenceSetID, PreferenceSet> = EntityTable()
  public var goals: EntityTable<GoalID, Goal> = EntityTable()
  public var externalSources: EntityTable<SourceID, ExternalSource> = EntityTable()
  public var importRuns: EntityTable<ImportRunID, ImportRun> = EntityTable()
  public var timeEntries: EntityTable<TimeEntryID, TimeEntry> = EntityTable()

  /// The number of facts so far that can be undone.
  public var undoableFacts: Int64 = 0

  /// Makes the state before the first record.
  public init() {}
}
