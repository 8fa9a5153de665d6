import Retrace
import TimeTracking

/// The content of the timer.
struct TimerFrame: ScreenFrame {
  var edge: Edge?
  let route: TimerRoute
  /// The domain that the frame was painted from.
  let domain: DomainState
  let running: (id: TimeEntryID, entry: TimeEntry)?
  /// The shown rows, latest first.
  let rows: [IdentifiedEntry]
  /// The place after the last row; `nil` at the end of the list.
  let rest: EntryPlace?
  private let moment: Moment
  private let rules: ZoneRules?
  private let size: Screen.Size
  /// The long names of projects that share their name with others.
  private let longNames: [ProjectID: String]

  /// The lines around the list.
  private static var otherRows: Int { 5 }

  init(_ route: TimerRoute, in context: FrameContext) {
    self.route = route
    domain = context.domain
    moment = context.moment
    rules = context.rules
    size = context.size
    running = domain.runningEntry(of: route.user)
    let count = max(1, size.rows - Self.otherRows)
    rowsShown = count
    let page = domain.endedEntries(of: route.user, from: route.top, limit: count)
    rows = page.entries
    rest = page.next
    let entries = rows.map { $0.entry } + (running.map { [$0.entry] } ?? [])
    longNames = domain.longNames(ofAll: entries.compactMap { $0.project })
  }

  var routes: [TrackerRoute]? { domain.users.live(route.user) == nil ? nil : [.timer(route)] }

  /// The number of rows that fit.
  let rowsShown: Int
  /// The row of the selected entry; `nil` if it is not shown.
  var selectedRow: Int? { rows.firstIndex { $0.id == route.selection } }
  /// The user's policy for overlaps.
  var policy: Policy { domain.preferences(of: route.user)?.set.policy ?? .refuse }

  var screen: Screen {
    guard let user = domain.users.live(route.user) else {
      return Screen(
        lines: [Screen.Line("There is no user \(route.user.value). Press u.", .warning)])
    }
    var lines = [Screen.Line("Timer of \(user.name)", .title), Screen.Line("")]
    lines.append(runningLine)
    lines.append(note.map { Screen.Line($0, .warning) } ?? Screen.Line(""))
    lines += rows.map { line(of: $0) }
    if rest != nil {
      lines.append(Screen.Line("  page-down shows older entries", .faint))
    } else if rows.isEmpty {
      let text = running == nil ? "No entries. Press n to start one." : "No earlier entries."
      lines.append(Screen.Line("  \(text)", .faint))
    }
    return Screen(lines: lines)
  }

  /// The remarks on the names that the last change created, for a minute; `nil` for none.
  private var note: String? {
    let entries = rows.map { $0.entry } + (running.map { [$0.entry] } ?? [])
    guard let last = entries.map({ $0.modified }).max(), moment.elapsed(since: last) < .seconds(60)
    else { return nil }
    let remarks = entries.filter { $0.modified == last && $0.importRun == nil }
      .map { domain.remarks(onNewNamesOf: $0) }
    return remarks.first { !$0.isEmpty }?.joined(separator: "; ")
  }

  private var runningLine: Screen.Line {
    guard let (_, entry) = running else { return Screen.Line("Nothing is running.", .faint) }
    let isPlanned = entry.isPlanned(at: moment)
    let head = isPlanned ? "Planned  " : "Running \(entry.elapsed(at: moment).clock)  "
    let mark = rules?.offsetMark(at: entry.start) ?? ""
    let start = entry.local(by: rules).start
    let day = isPlanned ? "\(start.date) " : ""
    let tail = "  \(isPlanned ? "from" : "since") \(day)\(start.clock)\(mark)"
    let room = size.columns - TextWidth.of(head) - TextWidth.of(tail)
    let summary = domain.summary(of: entry, longNames)
    return Screen.Line([
      Screen.Run(head, .strong), Screen.Run(TextWidth.cut(summary, to: max(8, room))),
      Screen.Run(tail, .faint),
    ])
  }

  private func line(of row: IdentifiedEntry) -> Screen.Line {
    let isSelected = row.id == route.selection
    let (start, end) = row.entry.local(by: rules)
    let marks = rules?.offsetMarks(from: row.entry.start, to: row.entry.end ?? row.entry.start)
    let times = "\(start.clock)\(marks?.start ?? "")-\(end?.clock ?? "     ")\(marks?.end ?? "")"
    let head = "\(isSelected ? ">" : " ") \(start.date) \(times)  "
    let duration = row.entry.elapsed(at: moment).clock
    let room = size.columns - TextWidth.of(head) - max(9, duration.utf8.count) - 2
    let summary = domain.summary(of: row.entry, longNames)
    let style: Screen.Style = isSelected ? .selected : .plain
    guard room >= Self.textCellsMin else {
      // The start and the duration say the end, too.
      let head = "\(isSelected ? ">" : " ") \(start.date) \(start.clock)\(marks?.start ?? "")"
      let figure = TextWidth.padded(duration, to: 8, isRight: true)
      return Screen.Line("\(head) \(figure)  \(summary)", style)
    }
    let text = TextWidth.fitted(summary, to: min(60, room))
    let figure = TextWidth.padded(duration, to: 9, isRight: true)
    return Screen.Line("\(head)\(text)  \(figure)", style)
  }

  /// The fewest cells of a text between the times and the duration.
  ///
  /// If there are fewer, the text is last, so that it alone is cut.
  private static var textCellsMin: Int { 8 }
}

extension DomainState {
  /// Returns the description, project and tags of an entry in one line, with long names.
  func summary(of entry: TimeEntry, _ longNames: [ProjectID: String]) -> String {
    var parts = [entry.description.isEmpty ? "(no description)" : entry.description]
    let labels = labels(of: entry)
    if let project = entry.project.flatMap({ shownName(of: $0, longNames) }) {
      parts.append("@\(project)" + (labels.task.map { "/\($0)" } ?? ""))
    }
    parts += labels.tags.map { "#\($0)" }
    if entry.isBillable { parts.append("$") }
    return parts.joined(separator: " ")
  }
}
