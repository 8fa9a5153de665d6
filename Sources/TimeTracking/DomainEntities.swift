public import RetraceArchitecture
import RetraceAvro

/// The entities of the domain, a line for each.
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
}
