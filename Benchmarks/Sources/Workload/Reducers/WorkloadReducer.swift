public import RetraceArchitecture
public import RetraceState

/// The ten reducers of the workload, composed by the architecture's own combinators.
public struct WorkloadReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// The reducers of the features.
  public var body: some Reducer<WorkloadState, WorkloadAction, Never> {
    Scope(\.timeline, action: \.timer) { TimerReducer() }
    Scope(\.timeline, action: \.editor) { EditorReducer() }
    Scope(\.calendar, action: \.calendar) { CalendarReducer() }
    Scope(\.projects, action: \.projects) { ProjectsReducer() }
    Scope(\.tags, action: \.tags) { TagsReducer() }
    Scope(\.clients, action: \.clients) { ClientsReducer() }
    Scope(\.reports, action: \.reports) { ReportsReducer() }
    Scope(\.settings, action: \.settings) { SettingsReducer() }
    Scope(\.navigation, action: \.navigation) { NavigationReducer() }
    Scope(\.sync, action: \.sync) { SyncReducer() }
  }

  /// Runs ``body``; here, so that it is specialized in this module and other modules call that.
  public func reduce(
    _ state: inout WorkloadState, _ action: WorkloadAction, at moment: Moment
  ) -> Effect<WorkloadAction, Never> {
    body.reduce(&state, action, at: moment)
  }
}
