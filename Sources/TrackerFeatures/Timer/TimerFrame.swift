import Retrace
import TimeTracking

/// The content of the timer.
struct TimerFrame: ScreenFrame {
  var edge: Edge?
  let route: TimerRoute
  /// The domain that the frame was painted from.
  let domain: DomainState
  let running: (id: TimeEntryID, entry: TimeEntry)?
  /// The days of the user's entries, those of the shown ones among them.
  let days: EntryDays
  let page: LogPage
  /// The entries of the newest page, if the page is another one.
  private let newest: [IdentifiedEntry]
  let memo: FrameMemo
  private let moment: Moment
  private let rules: ZoneRules?
  /// The long names of projects that share their name with others.
  private let longNames: [ProjectID: String]

  init(_ route: TimerRoute, in context: FrameContext) {
    self.route = route
    domain = context.domain
    moment = context.moment
    rules = context.rules
    running = domain.runningEntry(of: route.user)
    let count = TimerLayout(Rect(context.size)).rowsShown
    rowsShown = count
    var days = context.memo.days(of: route.user, in: context.calendar(of: route.user), domain)
    page = LogPage(&days, from: route.top, count: count)
    newest =
      route.top == nil
      ? [] : LogPage(&days, from: nil, count: count).rows.map { $0.entry }
    self.days = days
    memo = context.memo.keeping(days)
    let entries = page.rows.map { $0.entry.entry } + (running.map { [$0.entry] } ?? [])
    longNames = domain.longNames(ofAll: entries.compactMap { $0.project })
  }

  var routes: [TrackerRoute]? { domain.users.live(route.user) == nil ? nil : [.timer(route)] }

  /// Whether the user exists; else another one can be chosen, and nothing more.
  var hasUser: Bool { domain.users.live(route.user) != nil }

  /// The number of rows that fit.
  let rowsShown: Int
  /// The shown rows, latest first.
  var rows: [IdentifiedEntry] { page.rows.map { $0.entry } }
  /// The row of the selected entry; `nil` if it is not shown.
  var selectedRow: Int? { rows.firstIndex { $0.id == route.selection } }
  /// The user's policy for overlaps.
  var policy: Policy { domain.preferences(of: route.user)?.set.policy ?? .refuse }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    guard let user = domain.users.live(route.user) else {
      let name = domain.users[route.user]?.name.text ?? "\(route.user.value)"
      let lines = TextWidth.lines(
        of: "There is no user \(SafeText.line(name, bytesMax: 100)) any more. "
          + "Press u to choose another user, z to undo your newest change, or q to leave.",
        cutTo: rect.columns, indent: 0, linesMax: 0)
      return lines.map { Screen.Line($0, .warning) }.draw(in: rect, on: &canvas)
    }
    let layout = TimerLayout(rect)
    canvas.drawLine("Timer of \(user.name)", style: .title, in: layout.title)
    if let note { canvas.drawLine(note, style: .warning, in: layout.note) }
    drawRunning(in: layout, on: &canvas)
    list(in: layout).draw(in: layout.list, on: &canvas)
    canvas.drawLine(scrolling, style: .faint, in: layout.older)
  }

  /// The keys that show more entries; empty without more.
  private var scrolling: String {
    switch (page.hasNewer, page.rest != nil) {
    case (false, false): ""
    case (false, true): "  page-down shows older entries"
    case (true, false): "  page-up shows newer entries"
    case (true, true): "  page-up shows newer, page-down older"
    }
  }

  /// The list of the ended entries.
  func list(in layout: TimerLayout) -> Table {
    let empty = running == nil ? "No entries. Press n to start one." : "No earlier entries."
    let rows = rows
    let figures = TimerFigures(rows, at: moment, by: rules)
    var names = EntryLabeler(domain)
    let texts = rows.map { domain.summary(of: $0.entry, longNames, &names) }
    return Table(
      columns: [
        TableColumn("When", ColumnRule(widths: figures.widths, priority: 0)),
        TableColumn("Entry", ColumnRule(width: 14, cutTo: 6, priority: 1, grows: true)),
        TableColumn(
          "Duration", ColumnRule(width: figures.durationWidth, priority: 2), aligned: .right),
      ],
      count: rows.count, state: ListState(selected: Int64(selectedRow ?? 0)),
      hasSelection: selectedRow != nil, hasHeadings: layout.hasHeadings,
      emptyText: page.rest == nil ? empty : ""
    ) { row, column, width in
      switch column {
      case 0: Screen.Run(figures.time(ofRow: row, fitting: width), .faint)
      case 1: Screen.Run(texts[row])
      default: Screen.Run(figures.durations[row])
      }
    }
  }

  /// The remarks on the names that the last change created, for a minute; `nil` for none.
  private var note: String? {
    // The last change is often among the newest entries, which an older page does not show.
    let entries = (rows + newest).map { $0.entry } + (running.map { [$0.entry] } ?? [])
    guard let last = entries.map({ $0.modified }).max(), moment.elapsed(since: last) < .seconds(60)
    else { return nil }
    let remarks = entries.filter { $0.modified == last && $0.importRun == nil }
      .map { domain.remarks(onNewNamesOf: $0) }
    return remarks.first { !$0.isEmpty }?.joined(separator: "; ")
  }

  /// Draws the running entry and its start, which is in the row below if it does not fit beside it
  /// and no note is there.
  private func drawRunning(in layout: TimerLayout, on canvas: inout Canvas) {
    var room = layout.running
    guard let (_, entry) = running else {
      canvas.drawLine("Nothing is running.", style: .faint, in: room)
      return
    }
    let isPlanned = entry.isPlanned(at: moment)
    let mark = rules?.offsetMark(at: entry.start) ?? ""
    let start = entry.local(by: rules).start
    let day = isPlanned ? "\(start.date) " : ""
    let tail = "  \(isPlanned ? "from" : "since") \(day)\(start.clock)\(mark)"
    let head = isPlanned ? "Planned  " : "Running \(entry.elapsed(at: moment).clock)  "
    _ = room.removeLeft(canvas.drawLine(head, style: .strong, in: room) - room.column)
    let cells = TextWidth.of(tail)
    let summary = domain.summary(of: entry, longNames)
    let hasTail = room.columns >= min(Self.summaryColumnsMin, TextWidth.of(summary)) + cells
    room.columns -= hasTail ? cells : 0
    let end = canvas.drawLine(summary, in: room)
    if hasTail {
      canvas.drawLine(
        tail, style: .faint, in: Rect(column: end, row: room.row, columns: cells, rows: 1))
    } else if note == nil {
      canvas.drawLine(tail, style: .faint, in: layout.note)
    }
  }

  /// The fewest cells of the running entry's text beside its start.
  private static var summaryColumnsMin: Int { 20 }
}

extension DomainState {
  /// Returns the description, project and tags of an entry in one line, with long names.
  func summary(of entry: TimeEntry, _ longNames: [ProjectID: String]) -> String {
    var names = EntryLabeler(self)
    return summary(of: entry, longNames, &names)
  }

  /// Returns the same, with names that were read for other entries.
  fileprivate func summary(
    of entry: TimeEntry, _ longNames: [ProjectID: String], _ names: inout EntryLabeler
  ) -> String {
    var parts = [entry.description.isEmpty ? "(no description)" : entry.description]
    let labels = names.labels(of: entry)
    let longName = longNames.isEmpty ? nil : entry.project.flatMap { shownName(of: $0, longNames) }
    if let project = longName ?? labels.project {
      parts.append("@\(project)" + (labels.task.map { "/\($0)" } ?? ""))
    }
    parts += labels.tags.map { "#\($0)" }
    if entry.isBillable { parts.append("$") }
    return parts.joined(separator: " ")
  }
}
