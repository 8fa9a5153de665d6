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

  /// The keys of the reports: first of the field of the range, if it is open.
  static let keys = typingKeys.within(reportKeys)

  private static let typingKeys = KeyTable<ReportsFrame>("Range") {
    Binding(.enter, hint: "show", help: "Show the typed range, such as last month or 2026-03.") {
      frame throws(KeyProblem) in
      guard let typed = frame.route.typed else { return nil }
      guard let edge = frame.edge else { return [.screen(.reports(.typingEnded))] }
      if typed.text == ":all" || typed.text == "all" {
        return [.screen(.reports(.rangeSelected(.all)))]
      }
      var calendar = frame.calendar
      calendar.rules = edge.rules
      guard let range = try? calendar.range(of: typed.text, at: edge.now) else {
        return try frame.telling(.unreadableRange)
      }
      guard let dates = range.days else { return try frame.telling(.rangeNotDays) }
      return [.screen(.reports(.rangeSelected(ReportRange(dates))))]
    }
    Binding(.escape, hint: "cancel", help: "Close the field of the range.") { frame in
      frame.route.typed == nil ? nil : [.screen(.reports(.typingEnded))]
    }
    Binding.editing({ $0.route.typed }, passing: [.text("?")]) { _, edit in
      [.screen(.reports(.edited(edit)))]
    }
  }

  private static let reportKeys = KeyTable<ReportsFrame>("Report") {
    Binding(
      keys: [.left, .right, .text("h"), .text("l")], label: "left, right", hint: "earlier, later",
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
    Binding(
      keys: [.text("g"), .text("G")], label: "g, G", hint: "groups",
      help: "Group by other properties, or by the ones before (G)."
    ) { frame, key in
      [.screen(.reports(.groupingSelected(frame.grouping(after: key == .text("g") ? 1 : -1))))]
    }
    Binding(.text("b"), brief: "bars", help: "Show the bars or the lines, if only one has room.") {
      _ in [.screen(.reports(.chartToggled))]
    }
    Binding(
      keys: [.up, .down, .text("k"), .text("j"), .pageUp, .pageDown, .home, .end],
      label: "up, down", brief: "select", help: "Select a line, also a page or to the ends (k, j)."
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
