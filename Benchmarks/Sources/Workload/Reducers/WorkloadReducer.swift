public import RetraceArchitecture
public import RetraceState

/// The ten reducers of the workload, composed by the architecture's own combinators.
public struct WorkloadReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Passes the action to the reducer of its feature.
  public func reduce(
    _ state: inout WorkloadState, _ action: WorkloadAction, at moment: Moment
  ) -> Effect<WorkloadAction, Never> {
    Self.body.reduce(&state, action, at: moment)
  }

  private static var body: some Reducer<WorkloadState, WorkloadAction, Never> {
    CombineReducers {
      TimerReducer().pulledBack(through: TimerScope.self)
      EditorReducer().pulledBack(through: EditorScope.self)
      CalendarReducer().pulledBack(through: CalendarScope.self)
      ProjectsReducer().pulledBack(through: ProjectsScope.self)
      TagsReducer().pulledBack(through: TagsScope.self)
      ClientsReducer().pulledBack(through: ClientsScope.self)
      ReportsReducer().pulledBack(through: ReportsScope.self)
      SettingsReducer().pulledBack(through: SettingsScope.self)
      NavigationReducer().pulledBack(through: NavigationScope.self)
      SyncReducer().pulledBack(through: SyncScope.self)
    }
  }
}
