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
      guard let rest = frame.rest, let top = frame.older(from: rest) else {
        return try frame.telling(.noOlderEntries)
      }
      return [.screen(.timer(.selected(nil, top: top)))]
    }
    Binding(
      keys: [.pageUp], brief: "newer", help: "Show newer entries."
    ) { frame, _ throws(KeyProblem) in
      guard frame.hasNewer, let top = frame.route.top else {
        return try frame.telling(.noNewerEntries)
      }
      let place = frame.newer(than: frame.rows.first?.place ?? top, by: frame.rowsShown)
      return [.screen(.timer(.selected(nil, top: place)))]
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
    let first = rows[0]
    guard let top = first.place.flatMap({ later(than: $0, by: 1) }) else {
      return selecting(first)
    }
    // The maximum id marks a place without an entry, where the search stopped early.
    let selection = top.id.value == .max ? nil : top.id
    let isNewest = later(than: top, by: 1) == nil
    return .screen(.timer(.selected(selection, top: isNewest ? nil : top)))
  }

  /// The step to the entry below the selected one; it scrolls if that entry is not shown.
  private var selectionBelow: KeyStep {
    guard let row = selectedRow else { return selecting(rows[0]) }
    if row + 1 < rows.count { return selecting(rows[row + 1]) }
    guard let rest, let next = older(from: rest) else { return selecting(rows[row]) }
    // If the search for this frame stopped early, the next entry may be too far from the rows to be
    // shown with them, so the list begins at that entry.
    let isNear = rows.count > 1 && rest.id.value < .max
    let selection = next.id.value == .max ? nil : next.id
    return .screen(.timer(.selected(selection, top: isNear ? rows[1].place : next)))
  }

  /// The number of entries of all users after which the search for a key stops.
  ///
  /// A search for a key may take longer than a search for a frame, which is painted each second.
  private static var visitsMax: Int { 400_000 }

  /// Returns the place of the first entry at or before a place, if any, or the place to continue
  /// from if the search stops early.
  func older(from place: EntryPlace) -> EntryPlace? {
    // While a frame is painted, only the existence of a key matters. Most places are those of
    // entries.
    guard edge != nil, place.id.value == .max else { return place }
    let page = domain.endedEntries(
      of: route.user, from: place, limit: 1, visits: Self.visitsMax)
    return page.entries.first?.place ?? page.next
  }

  /// Returns the place of the entry some entries later, or the place to continue from if the search
  /// stops early; `nil` beyond the newest one.
  func later(than place: EntryPlace, by count: Int) -> EntryPlace? {
    guard edge != nil else { return nil }
    return domain.place(
      of: route.user, laterThan: place, by: count, visits: Self.visitsMax)
  }

  /// Returns the place some entries later at which the list begins; `nil` for the newest entries,
  /// which have no place, so that the list goes on to show them.
  func newer(than place: EntryPlace, by count: Int) -> EntryPlace? {
    later(than: place, by: count).flatMap { later(than: $0, by: 1) == nil ? nil : $0 }
  }

  func selecting(_ row: IdentifiedEntry) -> KeyStep {
    .screen(.timer(.selected(row.id, top: route.top)))
  }
}
