import Retrace
import TimeTracking

extension ReportsFrame {
  /// The groups that a key goes through.
  static var groupings: [[ReportGrouping]] {
    [
      [.project], [.client, .project], [.project, .task], [.project, .description], [.tags],
      [.description], [.day], [.day, .project], [.project, .day], [.week], [.month],
    ]
  }

  /// The most bytes of a line for the clipboard.
  static var copiedBytesMax: Int { 65_536 }

  /// The keys of the reports: first of the open field.
  static let keys = typingKeys.within(reportKeys)

  private static let typingKeys = KeyTable<ReportsFrame>("Field") {
    Binding(
      .enter, hint: "done",
      help: "Show the typed range, such as last month, filter or rounding; or write the file."
    ) { frame throws(KeyProblem) in
      guard let typed = frame.route.typed else { return nil }
      switch frame.route.field {
      case .range: return try frame.taking(range: typed.text)
      case .filter:
        guard let filter = frame.typedFilter else { return nil }
        return try frame.entering(
          filter, typed, replacing: { .screen(.reports(.edited($0))) },
          entering: [.screen(.reports(.filterChosen))])
      case .file: return try frame.writing(to: typed.text)
      case .rounding: return try frame.taking(rounding: typed.text)
      }
    }
    Binding(.escape, hint: "cancel", help: "Close the field.") { frame in
      frame.route.typed == nil ? nil : [.screen(.reports(.typingEnded))]
    }
    Binding.editing({ $0.route.typed }, passing: [.text("?")]) { frame, edit in
      [.screen(.reports(.edited(frame.typing(edit))))]
    }
  }

  /// Returns an edit; a typed text replaces the name of a file that was proposed.
  private func typing(_ edit: TextReplacement) -> TextReplacement {
    guard route.isProposed, let proposed = route.typed else { return edit }
    return edit.replacing(proposed: proposed)
  }

  /// Returns the steps that show a typed range.
  private func taking(range text: String) throws(KeyProblem) -> [KeyStep] {
    guard let edge else { return [.screen(.reports(.typingEnded))] }
    if text == ":all" || text == "all" { return [.screen(.reports(.rangeSelected(.all)))] }
    var calendar = calendar
    calendar.rules = edge.rules
    guard let range = try? calendar.range(of: text, at: edge.now) else {
      return try telling(.unreadableRange)
    }
    guard let dates = range.days else { return try telling(.rangeNotDays) }
    return [.screen(.reports(.rangeSelected(ReportRange(dates))))]
  }

  /// Returns the steps that round the times.
  private func taking(rounding text: String) throws(KeyProblem) -> [KeyStep] {
    do throws(KeyObstacle) {
      let isNone = try ReportRounding.reading(text) == nil
      return [.screen(.reports(.roundingSelected(isNone ? "" : text)))]
    } catch {
      return try telling(error)
    }
  }

  /// Returns the steps that write the report into a file; one that exists is replaced only after
  /// the user was told.
  private func writing(to path: String) throws(KeyProblem) -> [KeyStep] {
    guard !path.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
      return try telling(.fileNameMissing)
    }
    if filter.problem != nil { return try telling(.unreadableFilter) }
    let replaces = notice == .obstacle(.fileExists(path))
    return [
      .write(ReportFile(path: path, query: report.query, replaces: replaces, route: id))
    ]
  }

  /// Returns the steps that copy the selected line: its cells.
  private var copying: [KeyStep] {
    get throws(KeyProblem) {
      guard let line = selectedLine else { return try telling(.noEntries) }
      // While a frame is painted, only the existence of a line matters.
      guard edge != nil else { return [.copy("")] }
      let text = SafeText.line(text(of: line), bytesMax: .max)
      guard text.utf8.count <= Self.copiedBytesMax else {
        return try telling(.tooLongToCopy(Int64(text.utf8.count)))
      }
      return [.copy(text)]
    }
  }

  /// The name of a file that is offered for the report.
  private var fileName: String {
    guard let dates else { return "report.csv" }
    let (first, last) = (dates.lowerBound, dates.upperBound.adding(days: -1))
    return first == last ? "report-\(first).csv" : "report-\(first)-\(last).csv"
  }

  private static let reportKeys = KeyTable<ReportsFrame>("Report") {
    Binding(
      .enter, hint: "entries", help: "List the entries of the selected line; escape comes back."
    ) { frame throws(KeyProblem) in
      try frame.showingEntries
    }
    Binding(
      keys: [.left, .right, .text("h"), .text("l")], label: "left, right",
      areAvailableTogether: true, hint: "earlier, later",
      help: "Show the time before or after (also h, l)."
    ) { frame, key throws(KeyProblem) in
      let isEarlier = key == .left || key == .text("h")
      guard let range = frame.route.range.moved(by: isEarlier ? -1 : 1) else {
        return try frame.telling(.rangeIsAll)
      }
      return [.screen(.reports(.rangeSelected(range)))]
    }
    Binding(
      keys: [.text("d"), .text("w"), .text("m"), .text("y"), .text("a")], label: "d, w, m, y, a",
      areAvailableTogether: true,
      hint: "period", help: "Show the present day, week, month or year, or all time."
    ) { _, key in
      let range: ReportRange =
        switch key {
        case .text("d"): .period(.day, number: 0)
        case .text("w"): .period(.week, number: 0)
        case .text("m"): .period(.month, number: 0)
        case .text("y"): .period(.year, number: 0)
        default: .all
        }
      return [.screen(.reports(.rangeSelected(range)))]
    }
    Binding(.text("r"), hint: "range", help: "Type a range, such as last month or 2026-03.") { _ in
      [.screen(.reports(.typingStarted))]
    }
    Binding(.text("/"), hint: "filter", help: "Type a filter, such as #focus and not @site.") { _ in
      [.screen(.reports(.filterOpened))]
    }
    Binding(
      keys: [.text("g"), .text("G")], label: "g, G", areAvailableTogether: true, hint: "groups",
      help: "Group by other properties, or by the ones before (G)."
    ) { frame, key in
      [.screen(.reports(.groupingSelected(frame.grouping(after: key == .text("g") ? 1 : -1))))]
    }
    Binding(
      .text("R"), hint: "rounding", help: "Round the times, such as 15m up, for an invoice."
    ) { _ in
      [.screen(.reports(.roundingOpened))]
    }
    Binding(.text("c"), hint: "copy", help: "Copy the selected line to the clipboard.") {
      frame throws(KeyProblem) in try frame.copying
    }
    Binding(.text("s"), hint: "save", help: "Write the report into a file, as CSV.") { frame in
      [.screen(.reports(.fileOpened(frame.fileName)))]
    }
    Binding(.text("b"), brief: "bars", help: "Show the bars or the lines, if only one has room.") {
      _ in [.screen(.reports(.chartToggled))]
    }
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .pageUp, .pageDown, .home, .end],
      label: "up, down", areAvailableTogether: true, brief: "select",
      help: "Select a line, also a page or to the ends (k, j)."
    ) { frame, key throws(KeyProblem) in
      if frame.lines.isEmpty { return try frame.telling(.noEntries) }
      var list = frame.route.list
      let (count, rows) = (Int64(frame.lines.count), frame.rowsShown)
      switch key {
      case .pageUp: list.movePages(by: -1, count: count, rows: rows)
      case .pageDown: list.movePages(by: 1, count: count, rows: rows)
      case .home: list.select(0, count: count, rows: rows)
      case .end: list.select(count - 1, count: count, rows: rows)
      case .up, .text("k"): list.move(by: -1, count: count, rows: rows)
      default: list.move(by: 1, count: count, rows: rows)
      }
      return [.screen(.reports(.listMoved(list)))]
    }
    Binding(.escape, .text("q"), hint: "back", help: "Go back to the timer (also q).") { frame in
      frame.isRoot
        ? [.scene(.wentTo([.timer(TimerRoute(user: frame.route.user))]))]
        : [.scene(.popped(frame.id))]
    }
  }

  /// Returns the groups some steps after the present ones.
  private func grouping(after step: Int) -> [ReportGrouping] {
    let all = Self.groupings
    guard let index = all.firstIndex(of: route.grouping) else { return all[0] }
    return all[(index + step + all.count) % all.count]
  }
}
