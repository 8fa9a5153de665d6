public import Retrace
public import TimeTracking

/// The actions of the tracker.
public enum TrackerAction: Recordable, Equatable, Composed {
  /// A fact, which a decider returned.
  case fact(DomainFact)
  /// A scene action.
  case scenes(ScenesAction)
}

/// The scene actions, which a driver sends.
public enum ScenesAction: Recordable, Equatable, Composed {
  /// A scene was opened. An existing scene stays as it is.
  case opened(SceneID)
  /// A change within a scene.
  case scene(SceneID, SceneChange)
  /// An effect asks for a command.
  ///
  /// It is never recorded: a store decides the command.
  case requested(DomainCommand)
}
