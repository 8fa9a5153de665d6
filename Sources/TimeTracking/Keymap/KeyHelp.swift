import RetraceArchitecture
import RetraceScreen

/// The list of keys of each screen.
enum KeyHelp {
  /// The line that is shown when nothing went wrong: the keys that are needed first.
  static func hint(for route: Route, isHelpShown: Bool) -> String {
    if isHelpShown { return "escape: back    ctrl-c: leave" }
    let own =
      switch route {
      case .welcome: "a name, or up and down, then enter"
      case .timer: "n: new    s: stop    enter: continue"
      case .startEdit: "enter: save    tab: next field    escape: back"
      }
    return own + "    ?: keys    ctrl-c: leave"
  }

  /// The keys of a screen, as lines.
  static func lines(for route: Route) -> [Screen.Line] {
    [Screen.Line("Keys", .title), Screen.Line("")]
      + keys(for: route).map { key, meaning in
        Screen.Line([
          Screen.Run("  " + fitted(key, to: 16), .strong), Screen.Run(meaning),
        ])
      }
  }

  private static func keys(for route: Route) -> [(String, String)] {
    let own =
      switch route {
      case .welcome: welcome
      case .timer: timer
      case .startEdit: startEdit
      }
    return [("?", "show or hide this list (in a text: while it is empty)")] + own
      + [("ctrl-c, ctrl-d", "leave the app; it opens here again")]
  }

  private static let welcome = [
    ("letters", "type the name of a user, new or not"),
    ("enter", "go on with the typed or the selected user"),
    ("up, down", "select a user"),
    ("escape", "clear the name and the selection"),
  ]

  private static let timer = [
    ("n", "new entry"),
    ("s", "stop the running entry"),
    ("up, down", "select an entry"),
    ("page-up, -down", "a page further"),
    ("enter", "continue the selected entry, or a new one"),
    ("e", "edit the selected entry, or the running one"),
    ("d", "delete the selected entry"),
    ("z", "take the last deletion back, for 10 s"),
    ("escape", "select none"),
    ("u", "users"),
  ]

  private static let startEdit = [
    ("tab, backtab", "the next or the previous field"),
    ("@name, #name", "in the description: project, tag"),
    ("right", "at the end of a name: complete it"),
    ("enter", "save"),
    ("escape", "leave without saving"),
    ("blank", "on billable: yes or no"),
    ("ctrl-u", "delete what is before the cursor"),
  ]
}
