public import RetraceArchitecture
import RetraceAvro

/// The list of the entities of the domain.
public enum DomainEntities: EntityList {
  /// The state.
  public typealias State = DomainState

  case workspace(Workspaces)
  case client(Clients)
  case project(Projects)
  case task(Tasks)
  case tag(Tags)
  case user(Users)
  case preferences(PreferenceSets)
  case goal(Goals)
  case source(ExternalSources)
  case importRun(ImportRuns)
  case entry(TimeEntries)
  case favorite(Favorites)
  case closing(Closings)
}
