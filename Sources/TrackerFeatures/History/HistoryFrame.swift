import CivilTime
import Retrace
import TimeTracking

/// The content of the history.
struct HistoryFrame: ScreenFrame {
  /// A row of the list: the heading of a day, or a change.
  enum Row: Sendable {
    case day(CivilDate)
    case change(HistoryChange)

    var change: HistoryChange? { if case .change(let change) = self { change } else { nil } }
  }

  var edge: Edge?
  let route: HistoryRoute
  /// The id of the route.
  let id: RouteID
  let domain: DomainState
  /// The page that the driver has read; `nil` if it reads no log, as in a replay.
  let page: HistoryPage?
  /// The rows that are shown.
  let rows: [Row]
  /// The number of changes of the page above the shown ones, which make room for the selected one.
  let above: Int
  /// The number of rows that fit.
  private let listRows: Int
  let memo: FrameMemo
  /// What is asked, or the selected change in full.
  private let details: [Screen.Line]
  /// The number of lines of ``details``.
  var detailCount: Int { details.count }
  private let style: TimeStyle

  init(_ route: HistoryRoute, in context: ScreenContext) {
    self.route = route
    id = context.route
    domain = context.domain
    memo = context.memo
    page = context.history
    style = domain.preferences(of: route.user).map { TimeStyle($0.set) } ?? TimeStyle()
    let selected = page?.changes.first { $0.sequence == route.selection }
    details = Self.details(of: route, selected, page?.plan ?? [], fitting: context.size.columns)
    let layout = HistoryLayout(Rect(context.size), details: details.count)
    listRows = max(1, layout.list.rows)
    let changes = page?.changes ?? []
    above = Self.above(changes, showing: route.selection, fitting: listRows)
    rows = Self.rows(of: Array(changes[above...]), fitting: listRows)
  }

  /// Returns the number of changes to leave out at the top, so that a change of the page is shown
  /// however few rows fit.
  private static func above(
    _ changes: [HistoryChange], showing selection: Int64?, fitting count: Int
  ) -> Int {
    guard let selected = changes.firstIndex(where: { $0.sequence == selection }) else { return 0 }
    return changes[...selected].indices.first { index in
      rows(of: Array(changes[index...]), fitting: count)
        .contains { $0.change?.sequence == selection }
    } ?? selected
  }

  var routes: [TrackerRoute]? {
    guard domain.users.live(route.user) != nil else { return nil }
    return [.timer(TimerRoute(user: route.user)), .history(route)]
  }

  private static func rows(of changes: [HistoryChange], fitting count: Int) -> [Row] {
    var (rows, day): ([Row], CivilDate?) = ([], nil)
    for change in changes {
      let hasHeading = count > 3 && change.local.date != day
      guard rows.count + (hasHeading ? 2 : 1) <= count else { break }
      if hasHeading { rows.append(.day(change.local.date)) }
      rows.append(.change(change))
      day = change.local.date
    }
    return rows
  }

  /// Returns the first change of the list that begins the least below the present one and shows the
  /// first change that is not shown now.
  func topShowing(_ rest: Int64) -> Int64 {
    let changes = page?.changes ?? []
    let top = changes.indices.dropFirst().first { index in
      Self.rows(of: Array(changes[index...]), fitting: listRows)
        .contains { $0.change?.sequence == rest }
    }
    return top.map { changes[$0].sequence } ?? rest
  }

  /// The shown changes, newest first.
  var shown: [HistoryChange] { rows.compactMap { $0.change } }

  /// The selected change, if it is shown.
  var selected: HistoryChange? { shown.first { $0.sequence == route.selection } }

  /// What is asked, unless it was done since.
  var question: HistoryQuestion? {
    guard let question = route.question, let change = selected,
      change.sequence == question.change, change.isUndone == question.isRedo
    else { return nil }
    return question
  }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = HistoryLayout(rect, details: details.count)
    var title = "History"
    if let entity = route.entity, let (name, _) = domain.text(ofRestored: entity, by: nil) {
      title += " of \(name)"
    }
    canvas.drawLine(title, style: .title, in: layout.title)
    list.draw(in: layout.list, on: &canvas)
    canvas.drawLine(scrolling, style: .faint, in: layout.older)
    details.draw(in: layout.details, on: &canvas)
  }

  /// The list of the shown changes.
  var list: List<HistoryRowView> {
    let row = rows.firstIndex { $0.change.map { $0.sequence == route.selection } ?? false }
    let views = rows.map { row -> HistoryRowView in
      switch row {
      case .day(let date): HistoryRowView(heading: style.withWeekday(date))
      case .change(let change): HistoryRowView(change, clock: style.clock(change.local))
      }
    }
    let empty =
      page == nil
      ? "The changes are read from the log of the running app." : "There are no changes yet."
    return List(
      count: views.count, state: ListState(selected: Int64(row ?? 0)), hasSelection: row != nil,
      emptyText: page?.rest == nil ? empty : ""
    ) { views[$0] }
  }

  /// The sequence of the first change that is not shown; `nil` at the beginning of the log.
  var rest: Int64? {
    guard let page else { return nil }
    let count = above + shown.count
    return count < page.changes.count ? page.changes[count].sequence : page.rest
  }

  private var scrolling: String {
    switch (above > 0 || page?.newer.isEmpty == false, rest != nil) {
    case (false, false): ""
    case (false, true): "  page-down shows older changes"
    case (true, false): "  page-up shows newer changes"
    case (true, true): "  page-up shows newer, page-down older"
    }
  }

  private static func details(
    of route: HistoryRoute, _ change: HistoryChange?, _ plan: [HistoryPage.Line],
    fitting columns: Int
  ) -> [Screen.Line] {
    guard let change else { return [] }
    var lines: [Screen.Line] = []
    // Embedded Swift takes no internal property as a default argument.
    func add(_ text: String, _ style: Style? = nil, linesMax: Int = 2) {
      lines += TextWidth.lines(of: text, cutTo: columns, indent: 2, linesMax: linesMax)
        .map { Screen.Line($0, style ?? .plain) }
    }
    if let question = route.question, question.change == change.sequence,
      change.isUndone == question.isRedo
    {
      add(
        question.isRedo
          ? "? Bring \(change.name) back? What was changed since its undo keeps its value."
          : "? Undo \(change.name)? What was changed since keeps its value.", .warning)
      for line in plan { add("  \(line.text)", line.isWarning ? .warning : .plain) }
    }
    guard route.isOpen else { return lines }
    let mark = change.mark.isEmpty ? "" : ", \(change.mark)"
    add("\(change.name) by \(change.author)\(mark)", .strong)
    if !change.remark.isEmpty { add(change.remark, .faint) }
    for line in change.lines {
      add(line.verb.isEmpty ? "  \(line.text)" : "\(line.verb) \(line.text)")
    }
    for field in change.fields {
      let values = field.before.map { "\($0) -> \(field.after)" } ?? field.after
      add("  \(field.entity) \(field.name): \(values)", .faint)
    }
    return lines
  }
}

/// The parts of the history, from top to bottom.
struct HistoryLayout {
  let title: Rect
  let list: Rect
  /// The row that says that there are older changes.
  let older: Rect
  /// The question, and the selected change in full.
  let details: Rect

  /// Divides a rectangle; of a low one, the list is left.
  init(_ rect: Rect, details: Int) {
    var rest = rect
    title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    _ = rest.removeTop(rect.rows > 8 ? 1 : 0)
    self.details = rest.removeBottom(min(details, rest.rows / 2))
    older = rest.removeBottom(rect.rows > 4 ? 1 : 0)
    list = rest
  }
}

/// A row of the history as it is drawn.
struct HistoryRowView: Widget {
  private let heading: String?
  private let clock: String
  private let name: String
  private let text: Screen.Line
  private let mark: String

  /// Creates the heading of a day.
  init(heading: String) {
    self.heading = heading
    (clock, name, text, mark) = ("", "", Screen.Line(""), "")
  }

  /// Creates the row of a change.
  init(_ change: HistoryChange, clock: String) {
    (heading, self.clock, name) = (nil, clock, change.name)
    let style: Style = change.isUndone ? .faint : .plain
    let first = change.lines.first
    let more = change.lines.count { !$0.verb.isEmpty } - 1
    text = Screen.Line([
      Screen.Run(first.map { "\($0.verb) " } ?? "", .faint),
      Screen.Run(first?.text ?? "", style),
      Screen.Run(more > 0 ? "  and \(more) more" : "", .faint),
    ])
    mark = change.mark.isEmpty ? (change.remark.isEmpty ? "" : "clock") : change.mark
  }

  /// The cells of the name, and of a row below which it is left out.
  private static var nameColumns: (name: Int, row: Int) { (7, 50) }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    if let heading {
      canvas.drawLine(heading, style: .strong, in: rect)
      return
    }
    var rest = rect
    canvas.drawLine(clock, style: .faint, in: rest.removeLeft(min(rest.columns / 2, 8)))
    if rect.columns >= Self.nameColumns.row {
      canvas.drawLine(name, style: .faint, in: rest.removeLeft(Self.nameColumns.name))
    }
    if !mark.isEmpty, rest.columns > 3 * mark.utf8.count {
      canvas.drawLine(
        mark, style: .faint, aligned: .right, in: rest.removeRight(mark.utf8.count + 1))
    }
    canvas.drawLine(text, in: rest)
  }
}
