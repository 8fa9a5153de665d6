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
  let id: RouteID
  /// Whether this is the lowest screen of the stack.
  let isRoot: Bool
  private let notice: Notice?
  let memo: FrameMemo
  /// The draft that the screen offers.
  let draft: KeptDraft?
  private let offer: Screen.Line?

  init(_ route: UsersRoute, in context: ScreenContext) {
    self.route = route
    domain = context.domain
    rowsShown = max(1, Self.parts(in: Rect(context.size)).list.rows)
    id = context.route
    isRoot = context.isRoot
    notice = context.notice
    memo = context.memo
    draft = context.draft(for: .users(route))
    offer = draft?.line(at: context.moment)
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

  /// The number of rows that fit.
  let rowsShown: Int
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

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = Self.parts(in: rect)
    canvas.drawLine("Who is tracking time?", style: .title, in: parts.title)
    canvas.drawLine(Self.label, style: .strong, in: parts.label)
    input.draw(in: parts.name, on: &canvas)
    if selectedRow == nil, !name.isEmpty, !isKnown(name), !known.isEmpty {
      let text = "  There is none; enter twice makes one."
      canvas.drawLine(text, style: .faint, in: parts.note)
    } else if let offer {
      canvas.drawLine("  \(offer.text)", style: .faint, in: parts.note)
    }
    list.draw(in: parts.list, on: &canvas)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { input.cursor(in: Self.parts(in: rect).name) }

  private static var label: String { "Name: " }

  var input: TextInput { TextInput(route.name, hasFocus: true) }

  /// The list of the users; it shows the page of the selected one.
  var list: List<Screen.Run> {
    let selected = selectedRow ?? 0
    let state = ListState(
      selected: Int64(selected), offset: Int64(selected / rowsShown * rowsShown))
    return List(
      count: rows.count, state: state, hasSelection: selectedRow != nil,
      emptyText: "No users yet. Type a name and press enter."
    ) { Screen.Run(rows[$0].name.text) }
  }

  /// Divides a rectangle; of a low one, the name and the list are left.
  static func parts(
    in rect: Rect
  ) -> (title: Rect, label: Rect, name: Rect, note: Rect, list: Rect) {
    var rest = rect
    let title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    var name = rest.removeTop(1)
    let label = name.removeLeft(Self.label.utf8.count)
    let note = rest.removeTop(rect.rows > 4 ? 1 : 0)
    return (title, label, name, note, rest)
  }
}
