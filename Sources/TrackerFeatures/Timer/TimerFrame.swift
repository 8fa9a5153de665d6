import Retrace
import TimeTracking

/// The content of the timer.
struct TimerFrame: ScreenFrame {
  var edge: Edge?
  let route: TimerRoute
  /// The id of the route.
  let id: RouteID
  /// Whether this is the lowest screen of the stack; another one lists the entries of a report.
  let isRoot: Bool
  /// The groups of the next report; empty for those of a fresh one.
  let reportGrouping: [ReportGrouping]
  /// The rounding of the next report; empty for none.
  let reportRounding: String
  /// The domain that the frame was painted from.
  let domain: DomainState
  let running: (id: TimeEntryID, entry: TimeEntry)?
  /// The log of the user's entries that match the filter, with the days of the shown ones.
  let log: Log
  let page: LogPage
  let memo: FrameMemo
  /// The suggestions; `nil` if they are hidden.
  let suggestions: TimerSuggestions?
  let size: Screen.Size
  private let totals: LogTotals
  let moment: Moment
  private let rules: ZoneRules?
  /// The long names of projects that share their name with others.
  let longNames: [ProjectID: String]
  /// What the filter means.
  let filter: TypedFilter
  /// The sum of the ended entries that match the filter; `nil` without one.
  private let sum: EntrySum?
  /// Whether the running entry matches the filter.
  private let isRunningFound: Bool
  private let filterRemarks: [Screen.Line]

  init(_ route: TimerRoute, in context: ScreenContext) {
    self.route = route
    (id, isRoot) = (context.route, context.isRoot)
    (reportGrouping, reportRounding) = (context.reportGrouping, context.reportRounding)
    domain = context.domain
    moment = context.moment
    rules = context.rules
    running = domain.runningEntry(of: route.user)
    hasUser = domain.users.live(route.user) != nil
    size = context.size
    suggestions = Self.suggestions(of: route, in: context)
    let calendar = context.calendar(of: route.user)
    var memo = context.memo
    let filter = memo.filter(route.filter.text, in: calendar, at: moment, domain)
    (self.filter, filterRemarks) = (filter, filter.remarks(fitting: size.columns))
    shape =
      TimerLayout(
        Rect(size), suggestions: suggestions?.rowCount ?? 0, hasFilter: route.hasFilter,
        remarks: filterRemarks.count
      ).shape
    let days = memo.days(of: route.user, in: calendar, domain)
    let preferences = domain.preferences(of: route.user)?.set
    var all = Log(
      days, memo.groups(in: domain), open: route.expanded,
      isGrouped: shape.hasHeadings && preferences?.groupsSimilar ?? true)
    if let condition = filter.condition {
      let found = memo.found(by: route, where: condition, in: calendar, shape, domain)
      (log, page, sum) = (found.log, found.page, found.sum)
      isRunningFound = Self.matches(running, condition, in: domain, at: moment)
      totals = all.totals(at: moment, running?.entry)
    } else {
      page = filter.isEmpty ? LogPage(&all, from: route.top, shape) : LogPage()
      totals = all.totals(at: moment, running?.entry)
      (log, sum, isRunningFound) = (all, nil, false)
      memo.forgetFound()
    }
    self.memo = memo.keeping(all).keeping(suggestions?.mostUsed)
    let entries =
      page.items.map { $0.entry.entry } + (running.map { [$0.entry] } ?? [])
      + (suggestions?.entries(in: domain) ?? [])
    longNames = domain.longNames(ofAll: entries.compactMap { $0.project })
  }

  private static func matches(
    _ running: (id: TimeEntryID, entry: TimeEntry)?, _ condition: EntryCondition,
    in domain: DomainState, at moment: Moment
  ) -> Bool {
    guard let running else { return false }
    var matcher = EntryConditionMatcher(condition, in: domain)
    return matcher.matches(running.entry, running.id, at: moment)
  }

  /// Returns the suggestions if they are shown and there is room for them.
  private static func suggestions(
    of route: TimerRoute, in context: ScreenContext
  ) -> TimerSuggestions? {
    guard route.showsSuggestions,
      TimerLayout(Rect(context.size)).hasRoom(forSuggestions: TimerSuggestions.countMax)
    else { return nil }
    let mostUsed = context.memo.mostUsed(
      by: route.user, in: context.domain, at: context.moment)
    let events = context.events.events.compactMap { event in
      event.isWholeDay
        ? nil
        : CalendarEvent(
          id: "\(event.id)", title: event.title, start: event.start, end: event.end)
    }
    return TimerSuggestions(mostUsed, events: events, in: context.domain, at: context.moment)
  }

  var routes: [TrackerRoute]? { hasUser ? [.timer(route)] : nil }

  /// Whether the user exists; else another one can be chosen, and nothing more.
  let hasUser: Bool

  /// The shape of the page.
  let shape: LogShape
  /// The index of the selected row; `nil` if it is not shown.
  var selectedRow: Int? { page.rows.firstIndex { $0.isSelected(by: route) } }
  /// The user's policy for overlaps.
  var policy: Policy { domain.preferences(of: route.user)?.set.policy ?? .refuse }

  /// Whether the app adds entries with a start and an end, and starts none.
  var isManual: Bool { domain.preferences(of: route.user)?.set.isManual ?? false }

  /// The offer to take the last deletion back, unless it has ended.
  var offer: DeletionOffer? {
    guard let offer = route.offer, offer.isOpen(in: domain, at: edge?.now ?? moment) else {
      return nil
    }
    return offer
  }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    guard let user = domain.users.live(route.user) else {
      let name = domain.users[route.user]?.name.text ?? "\(route.user.value)"
      let lines = TextWidth.lines(
        of: "There is no user \(SafeText.line(name, bytesMax: 100)) any more. "
          + "Press u to choose another user, z to undo your newest change, or q to leave.",
        cutTo: rect.columns, indent: 0, linesMax: 0)
      return lines.map { Screen.Line($0, .warning) }.draw(in: rect, on: &canvas)
    }
    let layout = layout(in: rect)
    drawTitle("Timer of \(user.name)", in: layout.title, on: &canvas)
    drawRunning(in: layout, on: &canvas)
    drawSuggestions(in: layout.suggestions, on: &canvas)
    if route.hasFilter {
      canvas.drawLine(label, style: .strong, in: layout.label)
      (splitInput ?? filterInput).draw(in: layout.filter, on: &canvas)
      filterRemarks.draw(in: layout.remarks, on: &canvas)
    }
    list().draw(in: layout.list, on: &canvas)
    canvas.drawLine(scrolling, style: .faint, in: layout.older)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? {
    guard hasUser, route.isFiltering || splitInput != nil else { return nil }
    return (splitInput ?? filterInput).cursor(in: layout(in: rect).filter)
  }

  func layout(in rect: Rect) -> TimerLayout {
    TimerLayout(
      rect, suggestions: suggestions?.rowCount ?? 0, hasFilter: route.hasFilter,
      labelColumns: label.utf8.count, remarks: filterRemarks.count)
  }

  /// The text before the field that is shown.
  private var label: String { splitInput == nil ? "Filter" : "Split at" }

  /// The field of the filter, with the sum of what matches beside it.
  var filterInput: TextInput {
    let style = log.days.calendar.style
    let reading = sum.map { sum in
      var (number, time) = (sum.count, sum.time)
      if isRunningFound, let running {
        number += 1
        time = time.adding(running.entry.elapsed(at: moment))
      }
      let count = number == 1 ? "1 entry" : "\(number) entries"
      let since = sum.since.map { " since \(style.text(log.days.calendar.day(at: $0)))" } ?? ""
      return "\(count), \(style.text(time))\(since)"
    }
    return TextInput(
      route.filter, placeholder: "words, @project, #tag, duration>1h", reading: reading ?? "",
      hasFocus: route.isFiltering)
  }

  /// Draws the title, and at the right the totals, which have the room first.
  private func drawTitle(_ title: String, in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    let room = rect.columns - min(TextWidth.of(title), Self.titleColumnsMax) - Self.titleGap
    let texts = totals.texts
    if let text = texts.first(where: { $0.utf8.count <= room }) ?? texts.last {
      let place = rest.removeRight(text.utf8.count)
      canvas.drawLine(text, style: .strong, aligned: .right, in: place)
      _ = rest.removeRight(Self.titleGap)
    }
    if rest.columns >= Self.titleColumnsMin { canvas.drawLine(title, style: .title, in: rest) }
  }

  /// The cells between the title and the totals.
  private static var titleGap: Int { 2 }
  /// The cells of the title for which the total of the week is left out.
  private static var titleColumnsMax: Int { 24 }
  /// The cells below which there is no title.
  private static var titleColumnsMin: Int { 8 }

  /// The keys that show more entries; empty without more.
  private var scrolling: String {
    if filter.condition != nil, let moment = page.rest?.rest {
      let date = log.days.calendar.style.text(log.days.calendar.day(at: moment))
      return "  searched back to \(date); \(route.isFiltering ? "enter" : "page-down") goes on"
    }
    return switch (page.hasNewer, page.rest != nil) {
    case (false, false): ""
    case (false, true): "  page-down shows older entries"
    case (true, false): "  page-up shows newer entries"
    case (true, true): "  page-up shows newer, page-down older"
    }
  }

  /// The list of the ended entries by days.
  func list() -> List<LogRowView> {
    let empty =
      !filter.isEmpty
      ? filter.condition == nil ? "" : "No \(isRunningFound ? "earlier " : "")entry matches."
      : running == nil ? "No entries. Press n to start one." : "No earlier entries."
    let views = rowViews
    let selected = selectedRow
    return List(
      count: views.count, state: ListState(selected: Int64(selected ?? 0)),
      hasSelection: selected != nil, emptyText: page.rest == nil ? empty : ""
    ) { views[$0] }
  }

  /// The rows as they are drawn.
  private var rowViews: [LogRowView] {
    let headings = DayHeadings(
      log.days.calendar, at: moment, filter.isEmpty ? running?.entry : nil)
    let signColumns = signColumns
    let figures = TimerFigures(
      page.rows, headings, signColumns: signColumns, at: moment, by: rules)
    var names = EntryLabeler(domain)
    return page.rows.enumerated().map { index, row in
      let texts: [Screen.Line]
      var style = Style.plain
      var sign = (text: "", columns: signColumns)
      switch row {
      case .day(let day):
        (style, sign.columns) = (.strong, 0)
        texts = headings.texts(of: day.date).map { Screen.Line($0, style) }
      case .group(let group, let isOpen):
        sign.text = Self.sign(of: group, isOpen: isOpen)
        texts = [domain.summaryLine(of: group.entries[0].entry, longNames, &names)]
      case .entry(let entry, key: _, let isMember):
        if isMember { sign.columns += Self.indent }
        texts = [domain.summaryLine(of: entry.entry, longNames, &names)]
      }
      return LogRowView(
        sign: sign, texts: texts, clocks: figures.times[index],
        duration: Screen.Run(figures.durations[index], style), columns: figures.columns)
    }
  }

  /// The columns of the signs of groups; 0 on a page without groups.
  var signColumns: Int {
    page.rows.reduce(0) { columns, row in
      guard case .group(let group, let isOpen) = row else { return columns }
      return max(columns, TextWidth.of(Self.sign(of: group, isOpen: isOpen)))
    }
  }

  /// The cells by which the entries of an open group are indented.
  private static var indent: Int { 2 }

  private static func sign(of group: EntryGroup, isOpen: Bool) -> String {
    "\(isOpen ? "▾" : "▸") \(group.entries.count) "
  }

  /// Draws the running entry and its start, which is in the row below if it does not fit beside it.
  private func drawRunning(in layout: TimerLayout, on canvas: inout Canvas) {
    var room = layout.running
    guard let (_, entry) = running else {
      canvas.drawLine("Nothing is running.", style: .faint, in: room)
      return
    }
    let isPlanned = entry.isPlanned(at: moment)
    let mark = rules?.offsetMark(at: entry.start) ?? ""
    let start = entry.local(by: rules).start
    let style = log.days.calendar.style
    let day = isPlanned ? "\(style.text(start.date)) " : ""
    let tail = "  \(isPlanned ? "from" : "since") \(day)\(style.clock(start))\(mark)"
    let head = isPlanned ? "Planned  " : "Running \(style.text(entry.elapsed(at: moment)))  "
    _ = room.removeLeft(canvas.drawLine(head, style: .strong, in: room) - room.column)
    let cells = TextWidth.of(tail)
    let summary = domain.summaryLine(of: entry, longNames)
    let hasTail = room.columns >= min(Self.summaryColumnsMin, TextWidth.of(summary.text)) + cells
    room.columns -= hasTail ? cells : 0
    let end = canvas.drawLine(summary, in: room)
    if hasTail {
      canvas.drawLine(
        tail, style: .faint, in: Rect(column: end, row: room.row, columns: cells, rows: 1))
    } else {
      canvas.drawLine(tail, style: .faint, in: layout.note)
    }
  }

  /// The fewest cells of the running entry's text beside its start.
  private static var summaryColumnsMin: Int { 20 }
}

extension DomainState {
  /// Returns the description, project and tags of an entry in one line, with long names.
  func summary(of entry: TimeEntry, _ longNames: [ProjectID: String]) -> String {
    summaryLine(of: entry, longNames).text
  }

  /// Returns the same with the color of the project.
  func summaryLine(of entry: TimeEntry, _ longNames: [ProjectID: String]) -> Screen.Line {
    var names = EntryLabeler(self)
    return summaryLine(of: entry, longNames, &names)
  }

  /// Returns the same with names that were read for other entries.
  func summaryLine(
    of entry: TimeEntry, _ longNames: [ProjectID: String], _ names: inout EntryLabeler
  ) -> Screen.Line {
    let description = entry.description.isEmpty ? "(no description)" : entry.description
    var runs = [Screen.Run(description)]
    let labels = names.labels(of: entry)
    let longName = longNames.isEmpty ? nil : entry.project.flatMap { shownName(of: $0, longNames) }
    if let project = longName ?? labels.project {
      let style = names.color(of: entry).map { Style(foreground: Color(rgb: $0)) } ?? .plain
      runs.append(Screen.Run(" @\(project)" + (labels.task.map { "/\($0)" } ?? ""), style))
    }
    runs += labels.tags.map { Screen.Run(" #\($0)") }
    if entry.isBillable { runs.append(Screen.Run(" $")) }
    return Screen.Line(runs)
  }
}
