public import RetraceArchitecture
public import RetraceAvro

/// What can happen in the workload: 69 cases in ten features.
public enum WorkloadAction: Recordable, Codable, Composed {
  /// Entries start, stop, change and are removed.
  case timer(TimerAction)
  /// An entry is changed.
  case editor(EditorAction)
  /// The calendar.
  case calendar(CalendarAction)
  /// Projects.
  case projects(ProjectsAction)
  /// Tags.
  case tags(TagsAction)
  /// Clients.
  case clients(ClientsAction)
  /// Reports.
  case reports(ReportsAction)
  /// Settings.
  case settings(SettingsAction)
  /// Screens, tabs and sheets.
  case navigation(NavigationAction)
  /// Synchronisation with a server.
  case sync(SyncAction)
}
