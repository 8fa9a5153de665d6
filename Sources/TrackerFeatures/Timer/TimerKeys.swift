import Retrace
import TimeTracking

extension TimerFrame {
  /// The keys of the timer: first of the fields, then of the suggestions, of the entries of a
  /// report and of a selected entry.
  static let keys = splitKeys.within(filterKeys).within(suggestionKeys).within(listedKeys)
    .within(selectionKeys).within(timerKeys).within(shapeKeys)

  private static let listedKeys = KeyTable<TimerFrame>("Entries of a report") {
    Binding(.escape, hint: "back", help: "Go back to the report.") { frame in
      frame.isRoot ? nil : [.scene(.popped(frame.id))]
    }
  }

  private static let suggestionKeys = KeyTable<TimerFrame>("Suggestions") {
    Binding(
      keys: [.text("1"), .text("2"), .text("3")], label: "1, 2, 3", hint: "start",
      help: "Continue the suggested entry, or start one about the event from its beginning on."
    ) { frame, key in
      switch key {
      case .text("1"): frame.starting(suggestion: 0)
      case .text("2"): frame.starting(suggestion: 1)
      default: frame.starting(suggestion: 2)
      }
    }
    Binding(.escape, hint: "hide", help: "Hide the suggestions (also f).") { frame in
      frame.suggestions == nil ? nil : [.screen(.timer(.suggestionsToggled))]
    }
  }

  private static let selectionKeys = KeyTable<TimerFrame>("Selected entry") {
    Binding(.enter, hint: "continue", help: "Continue the entry, or the newest of a group.") {
      frame in
      guard frame.hasUser, let newest = frame.selectedEntries.first else { return nil }
      let zone = frame.edge?.zone ?? newest.entry.zone
      let resume = TimeEntryCommand.resume(newest.id, at: nil, zone: zone, policy: frame.policy)
      return [.command(.entry(resume))]
    }
    Binding(
      .right, .text("l"), hint: "open", help: "Open the group, or go to its first entry (also l)."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser, let index = frame.selectedRow else { return nil }
      guard case .group(let group, let isOpen) = frame.page.rows[index] else {
        return try frame.telling(.notAGroup)
      }
      guard isOpen else { return frame.toggling(group, isOpen: false) }
      return frame.page.rows.dropFirst(index + 1).first.map { [frame.selecting($0)] }
    }
    Binding(
      .left, .text("h"), hint: "close", help: "Close the group, or go to its heading (also h)."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser, let index = frame.selectedRow else { return nil }
      switch frame.page.rows[index] {
      case .group(let group, isOpen: true): return frame.toggling(group, isOpen: true)
      case .entry(_, key: _, isMember: true):
        let heading = frame.page.rows.prefix(index).last { row in
          if case .group = row { true } else { false }
        }
        return heading.map { [frame.selecting($0)] }
      case .day, .group, .entry: return try frame.telling(.groupNotOpen)
      }
    }
  }

  private static let timerKeys = KeyTable<TimerFrame>("Timer") {
    Binding(.text("n"), .enter, hint: "new", help: "Start or add an entry.") { frame in
      guard frame.hasUser else { return nil }
      return [.scene(.pushed(.entryEditor(EntryEditorRoute(user: frame.route.user))))]
    }
    Binding(.text("s"), hint: "stop", help: "Stop the running entry.") {
      frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      guard frame.running != nil else { return try frame.telling(.nothingRuns) }
      let stop = TimeEntryCommand.stop(frame.route.user, at: nil, policy: frame.policy)
      return [.command(.entry(stop))]
    }
    Binding(
      .text("e"), hint: "edit", help: "Edit the selected entry or group, or the running entry."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      let selected = frame.selectedEntries
      guard selected.count <= EntryEditorRoute.entriesMax else {
        return try frame.telling(.tooManyToEdit(Int64(selected.count)))
      }
      let running = frame.running.map { [IdentifiedEntry(id: $0.id, entry: $0.entry)] } ?? []
      guard
        let editor = EntryEditorRoute(
          selected.isEmpty ? running : selected, in: frame.domain, by: frame.edge?.rules)
      else { return try frame.telling(.nothingSelected) }
      return [.scene(.pushed(.entryEditor(editor)))]
    }
    Binding(
      .text("d"), .delete, hint: "delete", help: "Delete the selected entry, or all of a group."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      guard frame.selectedRow != nil else { return try frame.telling(.nothingSelected) }
      return try frame.deletingSelection
    }
    Binding(
      .text("z"), hint: "undo",
      help: "Undo the deletion that is offered, else your newest change."
    ) { frame throws(KeyProblem) in
      if let offer = frame.offer { return [.takeBack(offer.entries)] }
      // The first change of a store is that of its user, whose creation no user asked for.
      guard frame.domain.undoableFacts < 2, frame.hasUser else { return [.undo] }
      guard frame.edge == nil else { return [.scene(.told(.nothingToUndo))] }
      throw .unavailable("There is nothing to undo.")
    }
    Binding(.text("Z"), brief: "redo", help: "Bring back what was undone last.") { _ in [.redo] }
    Binding(
      keys: [.up, .down, .text("k"), .text("j")], label: "up, down", areAvailableTogether: true,
      hint: "select",
      help: "Select an entry or a group of the list (also k, j)."
    ) { frame, key throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      if frame.page.items.isEmpty { return try frame.telling(.noEntries) }
      let isUp = key == .up || key == .text("k")
      return [isUp ? frame.selectionAbove : frame.selectionBelow]
    }
    Binding(
      keys: [.pageDown], brief: "older", help: "Show older entries."
    ) { frame, _ throws(KeyProblem) in
      guard let rest = frame.page.rest, let top = frame.older(from: rest) else {
        return try frame.telling(.noOlderEntries)
      }
      return [.screen(.timer(.selected(nil, top: top)))]
    }
    Binding(
      keys: [.pageUp], brief: "newer", help: "Show newer entries."
    ) { frame, _ throws(KeyProblem) in
      guard frame.page.hasNewer else { return try frame.telling(.noNewerEntries) }
      // The newest entries have no place, so that the list goes on to show them.
      return [.screen(.timer(.selected(nil, top: frame.topOfNewerPage)))]
    }
    Binding(.home, brief: "newest", help: "Show the newest entries.") { _ in
      [.screen(.timer(.selected(nil, top: nil)))]
    }
    Binding(.end, brief: "oldest", help: "Show the oldest entries.") { frame in
      [.screen(.timer(.selected(nil, top: frame.topOfOldestPage)))]
    }
    Binding(
      .escape, brief: "deselect", help: "Select nothing; if nothing is selected, show all entries."
    ) { frame in
      if frame.route.selection == nil, frame.route.group == nil {
        return frame.clearingFilter.isEmpty ? nil : frame.clearingFilter
      }
      return [.screen(.timer(.selected(nil, top: frame.route.top)))]
    }
    Binding(
      .text("/"), hint: "filter", help: "List the entries that match words, or a filter of track."
    ) { frame in
      frame.hasUser ? [.screen(.timer(.filterFocused(true)))] : nil
    }
    Binding(
      .text(" "), hint: "start blank", brief: "start",
      help: "Start an entry without a description, if none runs."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      guard frame.running == nil else { return try frame.telling(.runsAlready) }
      if frame.isManual {
        return [.scene(.pushed(.entryEditor(EntryEditorRoute(user: frame.route.user))))]
      }
      let draft = TimeEntryDraft(
        user: .id(frame.route.user), zone: frame.edge?.zone ?? .utc)
      return [.command(.entry(.start(draft, at: nil, policy: frame.policy)))]
    }
    Binding(
      .text("f"), hint: "suggest", help: "Show or hide what you started most in six weeks."
    ) { frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      guard frame.hasRoomForSuggestions else { return try frame.telling(.noRoomForSuggestions) }
      return [.screen(.timer(.suggestionsToggled))]
    }
    Binding(.text("r"), hint: "report", help: "Show the report of the week.") { frame in
      guard frame.hasUser else { return nil }
      let route = ReportsRoute(user: frame.route.user)
        .grouped(by: frame.reportGrouping, rounding: frame.reportRounding)
      return [.scene(.pushed(.reports(route)))]
    }
    Binding(
      .text("p"), hint: "lists", help: "Show the projects, clients, tags, tasks and goals."
    ) { frame in
      frame.hasUser ? [.scene(.pushed(.lists(ListsRoute(user: frame.route.user))))] : nil
    }
    Binding(.text("c"), hint: "calendar", help: "Show the calendar of the day.") { frame in
      frame.hasUser ? [.scene(.pushed(.calendar(CalendarRoute(user: frame.route.user))))] : nil
    }
    Binding(.text("S"), hint: "settings", help: "Change preferences, and sign out.") { frame in
      frame.hasUser ? [.scene(.pushed(.settings(SettingsRoute(user: frame.route.user))))] : nil
    }
    Binding(
      .text("H"), brief: "history", help: "Show what was changed, and take any change back."
    ) { frame in
      frame.hasUser ? [.scene(.pushed(.history(HistoryRoute(user: frame.route.user))))] : nil
    }
    Binding(.text("u"), hint: "users", help: "Choose another user.") { _ in
      [.scene(.pushed(.users(UsersRoute())))]
    }
    Binding(.text("q"), hint: "leave", help: "Leave; the next app of this user opens here.") { _ in
      [.leave]
    }
  }

  /// The step to the row above the selected one; it scrolls if that row is not shown.
  private var selectionAbove: KeyStep {
    guard let index = selectedRow else { return selecting(page.rows[page.rows.count - 1]) }
    let above = page.rows.prefix(index).lastIndex { $0.isSelectable }
    // Between the heading of a group that goes on and the row below it are other entries.
    if let above, above != page.continuedHeading { return selecting(page.rows[above]) }
    switch newer(by: 1) {
    case .none: return selecting(page.rows[above ?? index])
    case .rest(let place): return .screen(.timer(.selected(nil, top: top(at: place))))
    case .item(let item): return selecting(item.row, top: top(at: item.place))
    }
  }

  /// The step to the row below the selected one; it scrolls if that row is not shown.
  private var selectionBelow: KeyStep {
    let below = page.rows.dropFirst(selectedRow.map { $0 + 1 } ?? 0).first { $0.isSelectable }
    if let below { return selecting(below) }
    let last = selecting(page.rows[page.rows.count - 1])
    guard edge != nil, let rest = page.rest else { return last }
    var (log, visits) = (log, visitsMax)
    switch log.item(at: rest, visits: &visits) {
    case .none: return last
    case .stopped(let moment):
      return .screen(.timer(.selected(nil, top: EntryPlace(rest: moment))))
    case .found(let item):
      // If the search for this frame stopped early, the next entry may be too far from the rows to
      // be shown with them, so the list begins at that entry.
      let top = rest.rest == nil ? top(showing: item.place, in: log) : item.place
      return selecting(item.firstRow, top: top)
    }
  }

  /// The number of entries of all users after which the search for a key stops.
  ///
  /// A search for a key may take longer than a search for a frame, which is painted each second.
  static var visitsMax: Int { 400_000 }

  /// The same of this frame: a filter looks at each entry, so it stops earlier.
  private var visitsMax: Int { filter.isEmpty ? Self.visitsMax : Self.visitsMax / 4 }

  /// Returns the place of the first item at or after a place in the list, if any, or the place
  /// from which the search goes on if it stops early.
  func older(from place: EntryPlace) -> EntryPlace? {
    // While a frame is painted, only the existence of a key matters. Most places are those of
    // entries.
    guard edge != nil, place.rest != nil else { return place }
    var (log, visits) = (log, visitsMax)
    switch log.item(at: place, visits: &visits) {
    case .found(let item): return item.place
    case .none: return nil
    case .stopped(let rest): return EntryPlace(rest: rest)
    }
  }

  /// Returns the place of the first item of the page that begins the least below the present one
  /// and shows an item.
  ///
  /// - Parameters:
  ///   - place: The place of the item.
  ///   - log: The log in which the item is.
  func top(showing place: EntryPlace, in log: Log) -> EntryPlace {
    var log = log
    let top = page.items.dropFirst().first { item in
      LogPage(&log, from: item.place, shape).items.contains { $0.place == place }
    }
    return top?.place ?? place
  }

  /// Returns the step of the walk up the log to the item some items before the first one.
  private func newer(by count: Int) -> NewerItems.Step? {
    var walk = newerItems
    var found: NewerItems.Step?
    for _ in 0..<count {
      found = walk?.next()
      guard case .item? = found else { return found }
    }
    return found
  }

  /// Returns the place of the item some items before the first one, or the place from which the
  /// search goes on if it stops early; `nil` beyond the newest one.
  func place(newerBy count: Int) -> EntryPlace? {
    switch newer(by: count) {
    case .none: nil
    case .rest(let place): place
    case .item(let item): item.place
    }
  }

  /// The place of the first item of the page before the present one; `nil` for the newest page,
  /// whose first item has no place, so that the list goes on to show newer ones.
  private var topOfNewerPage: EntryPlace? { topOfPage(along: newerItems) }

  /// The same of the page that ends with the oldest item.
  private var topOfOldestPage: EntryPlace? {
    guard edge != nil else { return nil }
    // No entry is before this place.
    let end = EntryPlace(rest: Moment(microseconds: .min))
    var (log, visits) = (log, visitsMax)
    let top = topOfPage(along: NewerItems(than: end, rest: nil, in: log, visits: visits))
    guard top == nil, LogPage(&log, from: nil, shape).rest != nil else { return top }
    // All items fit on a page, but the search for a frame of the newest page stops before them.
    switch log.item(at: nil, visits: &visits) {
    case .found(let item): return item.place
    case .stopped(let rest): return EntryPlace(rest: rest)
    case .none: return nil
    }
  }

  /// Returns the place of the first item of the page that ends with the first item of a walk up the
  /// log, or the place from which the search goes on if it stops early; `nil` for the newest page.
  private func topOfPage(along walk: NewerItems?) -> EntryPlace? {
    var walk = walk
    var (top, rows): (LogItem?, Int) = (nil, 0)
    while true {
      switch walk?.next() {
      case nil: return nil
      case .rest(let rest): return rest
      case .item(let item):
        rows += shape.rows(of: item, beside: top)
        if let top, rows > shape.rows { return top.place }
        top = item
      }
    }
  }

  /// A walk up the log from the page; `nil` while the frame is painted.
  private var newerItems: NewerItems? {
    guard edge != nil, let top = page.items.first?.place ?? route.top else { return nil }
    return NewerItems(than: top, rest: route.top?.rest, in: log, visits: visitsMax)
  }

  /// Returns the place at which a list begins; `nil` for that of the newest item, so that the list
  /// goes on to show newer ones.
  func top(at place: EntryPlace) -> EntryPlace? {
    guard edge != nil else { return place }
    var log = log
    return log.mayHaveItem(newerThan: place, visits: visitsMax) ? place : nil
  }
}
