import RetraceArchitecture
import RetraceScreen
import RetraceState

extension WelcomeState {
  /// The users in order of their names.
  ///
  /// - Complexity: O(users log users).
  static func users(in state: AppState) -> [(id: UserID, name: String)] {
    var users: [(id: UserID, name: String)] = []
    state.library.users.forEach { id, user in users.append((id, user.name)) }
    return users.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// The screen: a name to type, and the users there are.
  func screen(in state: AppState, size: Screen.Size) -> Screen {
    let label = "Name: "
    let window = TextWindow(name, cells: size.columns - label.utf8.count, followsCursor: true)
    var lines = [
      Screen.Line("Who is tracking time?", .title),
      Screen.Line(""),
      Screen.Line([Screen.Run(label, .strong), Screen.Run(window.text)]),
      Screen.Line(""),
    ]
    let users = Self.users(in: state)
    for index in ListWindow.range(of: users.count, from: firstRow, in: size) {
      let user = users[index]
      let isSelected = user.id == selection
      lines.append(
        Screen.Line((isSelected ? "> " : "  ") + user.name, isSelected ? .selected : .plain))
    }
    if users.isEmpty { lines.append(Screen.Line("  nobody yet: type a name, then enter", .faint)) }
    let cursor = Screen.Cursor(row: 2, column: label.utf8.count + window.cursor)
    return Screen(lines: lines, cursor: cursor)
  }
}
