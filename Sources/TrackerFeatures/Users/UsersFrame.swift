import Retrace
import TimeTracking

/// The content of the screen of the users.
struct UsersFrame: ScreenFrame {
  /// A user of the list.
  struct Row {
    var id: UserID
    var name: Name
  }

  var edge: Edge?
  let route: UsersRoute
  let domain: DomainState
  /// The users that are not archived, in order of their names.
  let rows: [Row]
  /// The typed name, in the Unicode normalization form of a user's name.
  let name: Name
  /// The names of all users, including archived ones.
  private let known: Set<Name>
  private let size: Screen.Size
  let id: RouteID
  /// Whether this is the lowest screen of the stack.
  let isRoot: Bool
  private let notice: Notice?

  init(_ route: UsersRoute, in context: FrameContext) {
    self.route = route
    domain = context.domain
    size = context.size
    id = context.route
    isRoot = context.isRoot
    notice = context.notice
    name = Name(route.name.text, in: context.domain.users)
    var rows: [Row] = []
    var known: Set<Name> = []
    context.domain.users.forEach { id, user in
      guard user.deleted == nil else { return }
      known.insert(user.name)
      if !user.isArchived { rows.append(Row(id: id, name: user.name)) }
    }
    self.known = known
    self.rows = rows.sorted {
      $0.name == $1.name
        ? $0.id < $1.id : $0.name.key.utf8.lexicographicallyPrecedes($1.name.key.utf8)
    }
  }

  var routes: [TrackerRoute]? { [.users(route)] }

  /// The lines above the list.
  private static var headRows: Int { 4 }
  /// The number of rows that fit.
  var rowsShown: Int { max(1, size.rows - Self.headRows) }
  var selectedRow: Int? { rows.firstIndex { $0.id == route.selection } }

  func isKnown(_ name: Name) -> Bool { known.contains(name) }

  /// The obstacle to going on with an unknown name; `nil` once the scene tells it, so that a second
  /// enter creates the user.
  ///
  /// The first user of a store cannot be a mistyped name of another one.
  var doubt: KeyObstacle? {
    if isKnown(name) || known.isEmpty || notice == .obstacle(.userIsNew(name)) { return nil }
    return .userIsNew(name)
  }

  var screen: Screen {
    let label = "Name: "
    let window = TextWindow(
      route.name, cells: size.columns - label.utf8.count, followsCursor: true)
    let isNew = selectedRow == nil && !name.isEmpty && !isKnown(name) && !known.isEmpty
    var lines = [
      Screen.Line("Who is tracking time?", .title), Screen.Line(""),
      Screen.Line([Screen.Run(label, .strong), Screen.Run(window.text)]),
      Screen.Line(isNew ? "  There is no such user; enter twice makes a new one." : "", .faint),
    ]
    let first = (selectedRow ?? 0) / rowsShown * rowsShown
    for row in rows.dropFirst(first).prefix(rowsShown) {
      let isSelected = row.id == route.selection
      lines.append(
        Screen.Line((isSelected ? "> " : "  ") + row.name.text, isSelected ? .selected : .plain))
    }
    if rows.isEmpty {
      lines.append(Screen.Line("  No users yet. Type a name and press enter.", .faint))
    }
    return Screen(
      lines: lines, cursor: Screen.Cursor(row: 2, column: label.utf8.count + window.cursor))
  }
}
