public import RetraceArchitecture

/// The screens of the tracker, a line for each.
public enum TrackerScreens: ScreenList {
  /// The app has no effects.
  public typealias Environment = Never
  typealias Context = FrameContext
  typealias Frame = any ScreenFrame

  case users(UsersScreen)
  case entryEditor(EntryEditorScreen)
  case timer(TimerScreen)
}
