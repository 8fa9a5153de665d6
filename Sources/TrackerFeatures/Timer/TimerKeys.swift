import Retrace
import TimeTracking

extension TimerFrame {
  /// The keys of the timer: first of a selected entry.
  static let keys = selectionKeys.within(timerKeys)

  private static let selectionKeys = KeyTable<TimerFrame>("Selected entry") {
    Binding(.enter, hint: "continue", help: "Continue the entry.") { frame in
      guard frame.hasUser, let row = frame.selectedRow else { return nil }
      let zone = frame.edge?.zone ?? frame.rows[row].entry.zone
      let resume = TimeEntryCommand.resume(
        frame.rows[row].id, at: nil, zone: zone, policy: frame.policy)
      return [.command(.entry(resume))]
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
    Binding(.text("e"), hint: "edit", help: "Edit the selected entry, or the running one.") {
      frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      let editor: EntryEditorRoute
      if let row = frame.selectedRow.map({ frame.rows[$0] }) {
        editor = EntryEditorRoute(row.id, row.entry, in: frame.domain, by: frame.edge?.rules)
      } else if let running = frame.running {
        editor = EntryEditorRoute(
          running.id, running.entry, in: frame.domain, by: frame.edge?.rules)
      } else {
        return try frame.telling(.nothingSelected)
      }
      return [.scene(.pushed(.entryEditor(editor)))]
    }
    Binding(.text("d"), .delete, hint: "delete", help: "Delete the selected entry.") {
      frame throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      guard let row = frame.selectedRow else { return try frame.telling(.nothingSelected) }
      let next = row + 1 < frame.rows.count ? row + 1 : row - 1
      let selection = frame.rows.indices.contains(next) ? frame.rows[next].id : nil
      return [
        .command(.entry(.delete(frame.rows[row].id, reason: nil))),
        .screen(.timer(.selected(selection, top: frame.route.top))),
        .scene(.told(.deleted)),
      ]
    }
    Binding(
      .text("z"), hint: "undo", help: "Undo your newest change, of any user and in any window."
    ) { frame throws(KeyProblem) in
      // The first change of a store is that of its user, whose creation no user asked for.
      guard frame.domain.undoableFacts < 2, frame.hasUser else { return [.undo] }
      guard frame.edge == nil else { return [.scene(.told(.nothingToUndo))] }
      throw .unavailable("There is nothing to undo.")
    }
    Binding(.text("Z"), brief: "redo", help: "Bring back what was undone last.") { _ in [.redo] }
    Binding(
      keys: [.up, .down, .text("k"), .text("j")], label: "up, down", hint: "select",
      help: "Select an entry of the list (also k, j)."
    ) { frame, key throws(KeyProblem) in
      guard frame.hasUser else { return nil }
      if frame.rows.isEmpty { return try frame.telling(.noEntries) }
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
    Binding(.escape, brief: "deselect", help: "Select nothing.") { frame in
      frame.route.selection == nil
        ? nil : [.screen(.timer(.selected(nil, top: frame.route.top)))]
    }
    Binding(.text("u"), hint: "users", help: "Choose another user.") { _ in
      [.scene(.pushed(.users(UsersRoute())))]
    }
    Binding(.text("q"), hint: "leave", help: "Leave; the next app of this user opens here.") { _ in
      [.leave]
    }
  }

  /// The step to the entry above the selected one; it scrolls if that entry is not shown.
  private var selectionAbove: KeyStep {
    guard let row = selectedRow else { return selecting(rows[rows.count - 1]) }
    if row > 0 { return selecting(rows[row - 1]) }
    guard let place = newer(by: 1) else { return selecting(rows[0]) }
    // There is no entry at the place where a search stopped early.
    let selection = place.rest == nil ? place.id : nil
    return .screen(.timer(.selected(selection, top: top(at: place))))
  }

  /// The step to the entry below the selected one; it scrolls if that entry is not shown.
  private var selectionBelow: KeyStep {
    guard let row = selectedRow else { return selecting(rows[0]) }
    if row + 1 < rows.count { return selecting(rows[row + 1]) }
    guard let rest = page.rest, let next = older(from: rest) else { return selecting(rows[row]) }
    // If the search for this frame stopped early, the next entry may be too far from the rows to be
    // shown with them, so the list begins at that entry.
    let top = rest.rest == nil ? top(showing: next) : next
    let selection = next.rest == nil ? next.id : nil
    return .screen(.timer(.selected(selection, top: top)))
  }

  /// The number of entries of all users after which the search for a key stops.
  ///
  /// A search for a key may take longer than a search for a frame, which is painted each second.
  private static var visitsMax: Int { 400_000 }

  /// Returns the place of the first entry at or after a place in the list, if any, or the place
  /// from which the search goes on if it stops early.
  func older(from place: EntryPlace) -> EntryPlace? {
    // While a frame is painted, only the existence of a key matters. Most places are those of
    // entries.
    guard edge != nil, place.rest != nil else { return place }
    var (days, visits) = (days, Self.visitsMax)
    switch days.entry(at: place, visits: &visits) {
    case .found(let row): return row.place
    case .none: return nil
    case .stopped(let rest): return EntryPlace(rest: rest)
    }
  }

  /// Returns the place of the first entry of the page that begins the least below the present one
  /// and shows an entry.
  private func top(showing place: EntryPlace) -> EntryPlace {
    guard edge != nil else { return place }
    var days = days
    let top = page.entries.dropFirst().first { entry in
      LogPage(&days, from: entry.place, shape).entries.contains { $0.place == place }
    }
    return top?.place ?? place
  }

  /// Returns the place of the entry some entries before the first one, or the place from which the
  /// search goes on if it stops early; `nil` beyond the newest one.
  func newer(by count: Int) -> EntryPlace? {
    var walk = newerEntries
    var found: EntryPlace?
    for _ in 0..<count {
      switch walk?.next() {
      case nil: return nil
      case .rest(let rest): return rest
      case .entry(let entry): found = entry.place
      }
    }
    return found
  }

  /// The place of the first entry of the page before the present one; `nil` for the newest page,
  /// whose first entry has no place, so that the list goes on to show newer ones.
  private var topOfNewerPage: EntryPlace? {
    var walk = newerEntries
    var (top, rows): (DayEntry?, Int) = (nil, 0)
    while true {
      switch walk?.next() {
      case nil: return nil
      case .rest(let rest): return rest
      case .entry(let entry):
        rows += shape.rows(of: entry, beside: top)
        if let top, rows > shape.rows { return top.place }
        top = entry
      }
    }
  }

  /// A walk up the log from the page; `nil` while the frame is painted.
  private var newerEntries: NewerEntries? {
    guard edge != nil, let top = page.entries.first?.place ?? route.top else { return nil }
    return NewerEntries(than: top, rest: route.top?.rest, in: days, visits: Self.visitsMax)
  }

  /// Returns the place at which a list begins; `nil` for that of the newest entry, so that the list
  /// goes on to show newer ones.
  func top(at place: EntryPlace) -> EntryPlace? {
    guard edge != nil else { return place }
    var days = days
    return days.mayHaveEntry(newerThan: place, visits: Self.visitsMax) ? place : nil
  }

  func selecting(_ row: IdentifiedEntry) -> KeyStep {
    .screen(.timer(.selected(row.id, top: route.top)))
  }
}
