public import RetraceArchitecture
import RetraceAvro

/// Where a scene is, with all that restores it: the screens, a line for each.
public enum TrackerRoute: NavigationRoute, Composed {
  case users(UsersRoute)
  case timer(TimerRoute)
  case entryEditor(EntryEditorRoute)
}
