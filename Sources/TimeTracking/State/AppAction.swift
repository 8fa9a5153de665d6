public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// What happened or was asked, by feature.
public enum AppAction: Recordable, Equatable, Composed {
  /// Something in the timeline.
  case timeline(TimelineAction)
  /// Something in the library.
  case library(LibraryAction)
  /// Something in one scene.
  case scene(SceneID, SceneAction)
  /// A scene was opened, in a zone.
  case sceneOpened(RecordedZone)
}
