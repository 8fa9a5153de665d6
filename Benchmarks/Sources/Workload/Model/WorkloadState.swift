public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The state of the workload: nine parts, of which two features share the first.
public struct WorkloadState: RecordedState, Composed {
  /// The time entries.
  public var timeline: Timeline = Timeline()
  /// What the calendar shows.
  public var calendar: Calendar = Calendar()
  /// The projects.
  public var projects: Projects = Projects()
  /// The tags.
  public var tags: Tags = Tags()
  /// The clients.
  public var clients: Clients = Clients()
  /// What the report shows.
  public var reports: Reports = Reports()
  /// The settings.
  public var settings: Settings = Settings()
  /// Screens, tabs and sheets.
  public var navigation: Navigation = Navigation()
  /// Synchronisation with a server.
  public var sync: Sync = Sync()

  /// Makes the state before the first record.
  public init() {}
}
