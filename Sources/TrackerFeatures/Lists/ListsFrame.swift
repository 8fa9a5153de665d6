import Retrace
import TimeTracking

/// The content of the lists.
struct ListsFrame: ScreenFrame {
  var edge: Edge?
  let route: ListsRoute
  /// The id of the route.
  let id: RouteID
  /// The domain that the frame was painted from.
  let domain: DomainState
  /// The listed items.
  let items: ListItems
  /// The place of the selected item; `nil` if it is not listed.
  let selectedRow: Int?
  let memo: FrameMemo
  /// The number of rows that fit.
  let rowsShown: Int
  /// The lines of a question or a remark.
  let remarks: [Screen.Line]
  /// The progress of the user's goals.
  private let goals: GoalFigures?

  init(_ route: ListsRoute, in context: ScreenContext) {
    self.route = route
    id = context.route
    domain = context.domain
    var memo = context.memo
    items = memo.items(of: route, in: context.domain)
    selectedRow = items.index(of: route.selection)
    remarks = Self.remarks(on: route, items, in: context.domain, fitting: context.size.columns)
    let layout = ListsLayout(
      Rect(context.size), hasInput: route.hasInput, remarks: remarks.count)
    rowsShown = max(1, layout.list.rows)
    if route.kind == .goals {
      goals = memo.goals(of: route.user, at: context.moment, context)
    } else {
      goals = nil
    }
    self.memo = memo
  }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    return [.timer(TimerRoute(user: route.user)), .lists(route)]
  }

  /// The listed entities.
  var entities: ListEntities {
    ListEntities(kind: route.kind, user: route.user, domain: domain)
  }

  /// The selected item, if it is listed.
  var selected: ListItems.Item? { selectedRow.map { items.found[$0] } }

  /// The id that is selected once the selected item has gone.
  var neighbor: Int64? {
    guard let row = selectedRow else { return nil }
    if row + 1 < items.found.count { return items.found[row + 1].id }
    return row > 0 ? items.found[row - 1].id : nil
  }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    tabs.draw(in: layout.tabs, on: &canvas)
    if let input {
      canvas.drawLine(inputLabel, style: .strong, in: layout.label)
      input.draw(in: layout.input, on: &canvas)
    }
    list.draw(in: layout.list, on: &canvas)
    remarks.draw(in: layout.remarks, on: &canvas)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { input?.cursor(in: layout(in: rect).input) }

  func layout(in rect: Rect) -> ListsLayout {
    var layout = ListsLayout(rect, hasInput: route.hasInput, remarks: remarks.count)
    layout.label = layout.input.removeLeft(
      min(TextWidth.of(inputLabel) + 1, layout.input.columns / 2))
    return layout
  }

  var tabs: Tabs { Tabs(ListKind.allCases.map { $0.title }, selected: Int64(route.kind.index)) }

  /// The field for the name or the search.
  var input: TextInput? {
    if let naming = route.naming {
      return TextInput(naming.name, placeholder: placeholder, hasFocus: true)
    }
    guard route.hasInput else { return nil }
    return TextInput(route.search, hasFocus: route.isSearching)
  }

  private var inputLabel: String {
    guard let naming = route.naming else { return "Search" }
    if naming.id == nil { return "New \(route.kind.noun)" }
    return route.kind == .goals ? "Goal" : "Name"
  }

  private var placeholder: String {
    guard route.naming?.id == nil else { return "" }
    switch route.kind {
    case .tasks: return "PROJECT/TASK"
    case .goals: return "NAME 32h each week @PROJECT #TAG"
    case .projects, .clients, .tags: return "a name"
    }
  }

  /// The list; it shows the page of the selected item.
  var list: List<ListRowView> {
    let selected = selectedRow ?? 0
    // The last page is a full one.
    let offset = min(
      selected / rowsShown * rowsShown, max(0, items.found.count - rowsShown))
    let shown = items.found[offset..<min(items.found.count, offset + rowsShown)]
    let views = rowViews(of: shown)
    return List(
      count: items.found.count,
      state: ListState(selected: Int64(selected), offset: Int64(offset)),
      hasSelection: selectedRow != nil, emptyText: emptyText
    ) { index in
      views.indices.contains(index - offset) ? views[index - offset] : ListRowView.empty
    }
  }

  private var emptyText: String {
    if !route.search.text.isEmpty { return "No \(route.kind.word) with that name." }
    return "No \(route.kind.word). Press n to make one."
  }

  /// Returns the rows of items as they are drawn.
  private func rowViews(of shown: ArraySlice<ListItems.Item>) -> [ListRowView] {
    let (entities, longNames) = (entities, items.longNames)
    let marked = Set(route.marked)
    let details = shown.map { item -> [(name: String, text: String)] in
      var details = entities.details(of: item.id, longNames)
        .filter { $0.isListed && !$0.name.hasBytes(of: "color") }.map {
          (name: $0.name, text: $0.shown)
        }
      if let text = goals?.text(of: GoalID(value: item.id)) {
        details.append((name: "spent", text: text))
      }
      return details
    }
    let names = (["spent"] + EntityDetail.order).filter { name in
      details.contains { $0.contains { $0.name.hasBytes(of: name) } }
    }
    let cells = details.map { details in
      names.map { name in details.first { $0.name.hasBytes(of: name) }?.text ?? "" }
    }
    let columns = ListRowView.columns(
      names: shown.map { $0.name.text }, cells: cells, count: names.count)
    return zip(shown, cells).map { item, cells in
      var color: Int32?
      if route.kind == .projects {
        color = domain.projects.read(ProjectID(value: item.id)) { $0.color }
      }
      return ListRowView(
        isMarked: marked.contains(item.id), color: color, name: item.name.text,
        isArchived: item.isArchived, cells: cells, columns: columns)
    }
  }

  // MARK: Remarks

  private static func remarks(
    on route: ListsRoute, _ items: ListItems, in domain: DomainState, fitting columns: Int
  ) -> [Screen.Line] {
    var lines: [Screen.Line] = []
    func add(_ text: String, _ style: Style, linesMax: Int = 3) {
      lines += TextWidth.lines(of: text, cutTo: columns, indent: 2, linesMax: linesMax)
        .map { Screen.Line($0, style) }
    }
    let entities = ListEntities(kind: route.kind, user: route.user, domain: domain)
    switch route.question {
    case .merge(into: let target):
      let (question, losses) = entities.mergeTexts(of: route.marked, into: target)
      add("! \(question)", .warning)
      for loss in losses { add("note: \(loss)", .plain) }
    case .delete(let id, entries: let count):
      let name = entities.mention(of: id)
      let reason = DomainState.reason(
        toKeep: "\(route.kind.noun) \(name)", entries: Int(clamping: count))
      add("! \(reason) Delete it? They keep its name. Archiving it keeps all.", .warning)
    case nil:
      guard !route.marked.isEmpty, route.naming == nil else { break }
      let names = entities.list(of: route.marked)
      add("Merge \(names): select the one that stays, and press m.", .strong)
    }
    return lines
  }
}

extension ListsRoute {
  /// Whether a field is shown.
  var hasInput: Bool { naming != nil || isSearching || !search.text.isEmpty }

  /// Whether typed text goes into a field.
  var isTyping: Bool { naming != nil || isSearching }
}

extension ListEntities {
  /// The most names in one text.
  private static var namesMax: Int { 3 }

  /// Returns the name of an entity in a text.
  func mention(of id: Int64) -> String {
    name(of: id).map { SafeText.line($0.text, bytesMax: 60) } ?? "#\(id)"
  }

  /// Returns a text that names some entities and counts the others.
  func list(of ids: [Int64]) -> String {
    let names = ids.prefix(Self.namesMax).map { mention(of: $0) }.joined(separator: ", ")
    return ids.count > Self.namesMax ? "\(names) and \(ids.count - Self.namesMax) more" : names
  }

  /// Returns what a merge does, as a question, and a note for each value that it loses.
  func mergeTexts(of ids: [Int64], into target: Int64) -> (question: String, losses: [String]) {
    let (name, kept) = (mention(of: target), details(of: target, [:]))
    let losses = ids.prefix(Self.namesMax).flatMap { id in
      EntityDetail.lost(of: details(of: id, [:]), to: kept)
        .map { $0.lossNote(of: mention(of: id), to: name) }
    }
    let question =
      ids.count == 1
      ? "Merge \(mention(of: ids[0])) into \(name)? Its entries and its name then mean \(name)."
      : "Merge \(list(of: ids)) into \(name)? Their entries and names then mean \(name)."
    return (question, losses)
  }
}
