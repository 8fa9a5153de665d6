import Retrace
import TimeTracking

/// The content of the settings.
struct SettingsFrame: ScreenFrame {
  /// A line of the list.
  enum Line: Sendable {
    case heading(String)
    case item(SettingsItem)
  }

  var edge: Edge?
  let route: SettingsRoute
  /// The id of the route.
  let id: RouteID
  /// Whether this is the lowest screen of the stack.
  let isRoot: Bool
  /// The domain that the frame was painted from.
  let domain: DomainState
  let memo: FrameMemo
  /// The headings and the rows.
  let lines: [Line]
  /// The index of the selected row among the lines.
  let selectedIndex: Int
  /// What is to be known about the selected row, or what the user is asked.
  let remarks: [Screen.Line]
  let size: Screen.Size

  init(_ route: SettingsRoute, in context: ScreenContext) {
    self.route = route
    (id, isRoot, size) = (context.route, context.isRoot, context.size)
    (domain, memo) = (context.domain, context.memo)
    let all = SettingsItems(
      of: route.user, in: context.domain, store: context.store, calendars: context.calendars)
    var lines: [Line] = []
    for section in SettingsSection.allCases {
      lines.append(.heading(section.title))
      lines += all.items(in: section).map { .item($0) }
    }
    self.lines = lines
    let index = lines.firstIndex { $0.item?.row == route.row }
    selectedIndex = index ?? 1
    remarks = Self.remarks(on: lines[selectedIndex].item, of: route, in: context)
  }

  private static func remarks(
    on item: SettingsItem?, of route: SettingsRoute, in context: ScreenContext
  ) -> [Screen.Line] {
    guard let item else { return [] }
    let columns = context.size.columns
    var remarks = FormRemarks(isDeleted: false, changes: [], fitting: columns)
    switch (route.question, route.dialog) {
    case (.changesCurrency?, _):
      remarks.add(
        "! The rates of entries keep their numbers, and get another currency. Change it?", .warning)
    case (.signsOut?, _):
      remarks.add(
        "! Sign out? The list of users is shown, and what you typed and did not save is dropped.",
        .warning, linesMax: 3)
    case (nil, .text(let draft)?):
      // The notice says why the text was refused.
      if context.notice?.isRefusalOfText == true { break }
      let command = SettingsCommand(user: route.user, domain: context.domain)
      if let problem = command.problem(setting: item.row, to: draft.text, at: context.moment) {
        remarks.add("! \(problem)", .warning, linesMax: 3)
      }
    case (nil, nil), (nil, .choices?): break
    }
    // A low screen has room for what is wrong only.
    guard remarks.lines.isEmpty, context.size.rows >= Self.rowsWithHelp else {
      return remarks.lines
    }
    if !item.help.isEmpty { remarks.add(item.help, .faint, linesMax: 3) }
    if item.row.movesDays, context.domain.hasClosings {
      remarks.add(
        "note: closed periods keep their days, so a report of one may have other entries.", .plain)
    }
    return remarks.lines
  }

  /// The rows of the screen below which there is no help.
  private static var rowsWithHelp: Int { 10 }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    return [.timer(TimerRoute(user: route.user)), .settings(route)]
  }

  /// The selected row.
  var selected: SettingsItem? { lines[selectedIndex].item }

  /// The command of a new value.
  var command: SettingsCommand { SettingsCommand(user: route.user, domain: domain) }

  /// The number of lines that fit.
  var rowsShown: Int { max(1, layout(in: Rect(size)).list.rows) }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    let user = domain.users.live(route.user)?.name.text ?? "a deleted user"
    canvas.drawLine("Settings of \(user)", style: .title, in: layout.title)
    list(rows: layout.list.rows).draw(in: layout.list, on: &canvas)
    if let input {
      canvas.drawLine(selected?.label ?? "", style: .strong, in: layout.label)
      input.draw(in: layout.input, on: &canvas)
    }
    remarks.draw(in: layout.remarks, on: &canvas)
    if let menu { menu.draw(in: menuRect(menu, in: rect), on: &canvas) }
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { input?.cursor(in: layout(in: rect).input) }

  func layout(in rect: Rect) -> SettingsLayout {
    var layout = SettingsLayout(rect, hasInput: input != nil, remarks: remarks.count)
    let label = TextWidth.of(selected?.label ?? "") + 1
    layout.label = layout.input.removeLeft(min(label, layout.input.columns / 2))
    return layout
  }

  /// The field of the typed value; `nil` if none is typed.
  var input: TextInput? {
    guard case .text(let draft)? = route.dialog else { return nil }
    return TextInput(draft, placeholder: "none", hasFocus: true)
  }

  /// The list of the values of the selected row; `nil` if none is chosen.
  var menu: Menu? {
    guard case .choices(let state)? = route.dialog, let selected,
      case .choice(let words, selected: _) = selected.kind
    else { return nil }
    return Menu(words.map { MenuItem($0) }, state: state, title: selected.label)
  }

  /// Returns the place of the list of values: below the selected row, or above it.
  func menuRect(_ menu: Menu, in rect: Rect) -> Rect {
    var place = layout(in: rect).list
    let row = selectedIndex - offset(rows: place.rows)
    place.row += max(0, min(row, place.rows - 1))
    place.rows = min(1, place.rows)
    _ = place.removeLeft(2)
    return menu.rect(at: place, in: rect)
  }

  /// Returns the lines that fit, on the page of the selected row.
  func list(rows: Int) -> List<SettingsRowView> {
    let columns = SettingsRowView.columns(of: lines.compactMap { $0.item }, in: size.columns)
    let lines = lines
    return List(
      count: lines.count,
      state: ListState(selected: Int64(selectedIndex), offset: Int64(offset(rows: rows)))
    ) { SettingsRowView(line: lines[$0], columns: columns) }
  }

  /// Returns the index of the first line that is shown.
  private func offset(rows: Int) -> Int {
    let rows = max(1, rows)
    // The last page is a full one.
    return max(0, min(selectedIndex / rows * rows, lines.count - rows))
  }
}

extension SettingsFrame.Line {
  /// The row; `nil` for a heading.
  var item: SettingsItem? {
    if case .item(let item) = self { item } else { nil }
  }
}

extension Notice {
  /// Whether it says why a typed value was not saved.
  fileprivate var isRefusalOfText: Bool {
    switch self {
    case .obstacle(.noPreference), .refused, .fileNotWritten: true
    default: false
    }
  }
}

extension SettingsRow {
  /// Whether another value lets days begin at other instants.
  fileprivate var movesDays: Bool {
    self == .preference(.zone) || self == .preference(.dayStart)
  }
}

extension DomainState {
  /// Whether a period is closed.
  ///
  /// - Complexity: O(closings).
  fileprivate var hasClosings: Bool {
    var has = false
    forEachClosing { _, _ in has = true }
    return has
  }
}
