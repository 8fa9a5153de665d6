import RetraceArchitecture
import RetraceScreen
import TrackerDomain

extension TimerFrame {
  /// The keys of the timer.
  static let keys = KeyTable<TimerFrame>("Timer") {
    Binding(.text("n"), hint: "new", help: "Start or add an entry.") { frame in
      [.scene(.pushed(.entryEditor(EntryEditorRoute(user: frame.route.user))))]
    }
    Binding(.text("s"), hint: "stop", help: "Stop the running entry.") {
      frame throws(KeyProblem) in
      guard frame.running != nil else {
        throw .unavailable("Nothing is running. Press n to start an entry.")
      }
      let stop = TimeEntryCommand.stop(frame.route.user, at: nil, policy: frame.policy)
      return [.command(.entry(stop))]
    }
    Binding(.enter, hint: "continue", help: "Continue the selected entry, or start a new one.") {
      frame in
      guard let row = frame.selectedRow else {
        return [.scene(.pushed(.entryEditor(EntryEditorRoute(user: frame.route.user))))]
      }
      let zone = frame.edge?.zone ?? frame.rows[row].entry.zone
      let resume = TimeEntryCommand.resume(
        frame.rows[row].place.id, at: nil, zone: zone, policy: frame.policy)
      return [.command(.entry(resume))]
    }
    Binding(.text("e"), hint: "edit", help: "Edit the selected entry, or the running one.") {
      frame throws(KeyProblem) in
      let editor: EntryEditorRoute
      if let row = frame.selectedRow.map({ frame.rows[$0] }) {
        editor = EntryEditorRoute(row.place.id, row.entry, in: frame.domain)
      } else if let running = frame.running {
        editor = EntryEditorRoute(running.id, running.entry, in: frame.domain)
      } else {
        throw .unavailable("Select an entry first.")
      }
      return [.scene(.pushed(.entryEditor(editor)))]
    }
    Binding(.text("d"), .delete, hint: "delete", help: "Delete the selected entry.") {
      frame throws(KeyProblem) in
      guard let row = frame.selectedRow else { throw .unavailable("Select an entry first.") }
      let next = row + 1 < frame.rows.count ? row + 1 : row - 1
      let selection = frame.rows.indices.contains(next) ? frame.rows[next].place.id : nil
      return [
        .command(.entry(.delete(frame.rows[row].place.id, reason: nil))),
        .screen(.timer(.selected(selection, top: frame.route.top))),
        .scene(.told(.deleted)),
      ]
    }
    Binding(.text("z"), help: "Undo your newest change, wherever it was made.") { _ in [.undo] }
    Binding(.text("Z"), help: "Redo what was undone last.") { _ in [.redo] }
    Binding(
      keys: [.up, .down], hint: "select", help: "Select an entry of the list."
    ) { frame, key throws(KeyProblem) in
      guard !frame.rows.isEmpty else { throw .unavailable("There are no entries here.") }
      return [key == .up ? frame.selectionAbove : frame.selectionBelow]
    }
    Binding(keys: [.pageDown], help: "Show older entries.") { frame, _ throws(KeyProblem) in
      guard let rest = frame.rest else { throw .unavailable("These are the oldest entries.") }
      return [.screen(.timer(.selected(nil, top: rest)))]
    }
    Binding(keys: [.pageUp], help: "Show newer entries.") { frame, _ throws(KeyProblem) in
      guard let top = frame.route.top else { throw .unavailable("These are the newest entries.") }
      let place = frame.domain.place(
        of: frame.route.user, laterThan: frame.rows.first?.place ?? top, by: frame.rowsShown)
      return [.screen(.timer(.selected(nil, top: place)))]
    }
    Binding(.home, help: "Show the newest entries.") { _ in
      [.screen(.timer(.selected(nil, top: nil)))]
    }
    Binding(.escape, help: "Select nothing.") { frame in
      frame.route.selection == nil
        ? nil : [.screen(.timer(.selected(nil, top: frame.route.top)))]
    }
    Binding(.text("u"), hint: "users", help: "Choose another user.") { _ in
      [.scene(.wentTo([.users(UsersRoute())]))]
    }
  }

  /// The step to the entry above the selected one; scrolls if that is not shown.
  private var selectionAbove: KeyStep {
    guard let row = selectedRow else { return selecting(rows[rows.count - 1].place) }
    if row > 0 { return selecting(rows[row - 1].place) }
    guard let top = domain.place(of: route.user, laterThan: rows[0].place, by: 1) else {
      return selecting(rows[0].place)
    }
    let selection = top.id.value == .max ? nil : top.id
    return .screen(.timer(.selected(selection, top: top)))
  }

  /// The step to the entry below the selected one; scrolls if that is not shown.
  private var selectionBelow: KeyStep {
    guard let row = selectedRow else { return selecting(rows[0].place) }
    if row + 1 < rows.count { return selecting(rows[row + 1].place) }
    let next = domain.endedEntries(of: route.user, from: rest, limit: 1).entries.first
    guard rest != nil, let next else { return selecting(rows[row].place) }
    let top = rows.count < 2 ? next.place : rows[1].place
    return .screen(.timer(.selected(next.place.id, top: top)))
  }

  private func selecting(_ place: EntryPlace) -> KeyStep {
    .screen(.timer(.selected(place.id, top: route.top)))
  }
}
