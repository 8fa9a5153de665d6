public import RetraceAvro

/// What happened in one scene.
public enum SceneAction: Recordable, Equatable {
  /// Something on the welcome screen.
  case welcome(WelcomeAction)
  /// Something on the timer screen.
  case timer(TimerAction)
  /// Something on the screen that starts or edits an entry.
  case startEdit(StartEditAction)
  /// The list of keys was called or sent away.
  case helpToggled
  /// The way back was taken.
  case wentBack
  /// A path was opened; all drafts of the scene are dropped.
  case pathOpened(String)
  /// The last deletion of the scene was taken back.
  case deletionUndone
  /// The time in which a deletion can be taken back is over.
  case deletionExpired
  /// The zone of the machine is another now, or its offset is.
  case zoneChanged(RecordedZone)
}
