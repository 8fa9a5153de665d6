import Retrace
import TimeTracking

extension UsersFrame {
  /// The keys of the screen of the users.
  static let keys = KeyTable<UsersFrame>("Users") {
    Binding(
      .enter, hint: "go on",
      help: "Go on as the selected or typed user; a new one is made by enter twice."
    ) { frame throws(KeyProblem) in
      if let row = frame.selectedRow {
        let timer = TimerRoute(user: frame.rows[row].id)
        return [.scene(.wentTo([.timer(timer)]))]
      }
      let name = frame.name
      if name.isEmpty { return try frame.telling(.nameMissing) }
      if let doubt = frame.doubt { return try frame.telling(doubt) }
      let opening = KeyStep.scene(.userOpened(name))
      // The command is decided first, so the new user is then found by the name.
      return frame.isKnown(name)
        ? [opening] : [.command(.user(.create(User(name: name)))), opening]
    }
    Binding(
      keys: [.up, .down, .pageUp, .pageDown], label: "up, down", hint: "select",
      help: "Select a user of the list, also a page up or down."
    ) { frame, key throws(KeyProblem) in
      guard let last = frame.rows.indices.last else { return try frame.telling(.noUsers) }
      let row = ListStep(key, rows: frame.rowsShown).row(from: frame.selectedRow, last: last)
      return [.screen(.users(.selected(frame.rows[row].id)))]
    }
    Binding(
      .escape, hint: "back", help: "Go back to the timer; else select nothing, and clear the name."
    ) { frame in
      if !frame.isRoot {
        return [.scene(frame.route.name.text.isEmpty ? .popped(frame.id) : .draftKept(frame.id))]
      }
      if frame.route.selection != nil { return [.screen(.users(.selected(nil)))] }
      if frame.route.name.text.isEmpty { return nil }
      return [.screen(.users(.edited(frame.route.name.replacing(with: ""))))]
    }
    Binding(
      .ctrl("y"), brief: "bring back", help: "Bring back the name that you typed before."
    ) { frame in
      frame.draft.map { [.scene(.draftOpened($0.id))] }
    }
    Binding.editing({ $0.route.name }, passing: [.text("?")]) { _, edit in
      [.screen(.users(.edited(edit)))]
    }
  }
}
