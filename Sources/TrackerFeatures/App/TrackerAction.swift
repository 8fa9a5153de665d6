public import RetraceArchitecture
public import RetraceAvro
public import RetraceState
public import TimeTracking

/// The actions of the tracker.
public enum TrackerAction: Recordable, Equatable, Composed {
  /// What a decider returned.
  case fact(DomainFact)
  /// What happened in the scenes.
  case scenes(ScenesAction)
}

/// The actions that a driver sends: those about scenes.
public enum ScenesAction: Recordable, Equatable, Composed {
  /// A scene was opened; one that exists stays as it is.
  case opened(SceneID)
  /// Something happened in a scene.
  case scene(SceneID, SceneChange)
}
