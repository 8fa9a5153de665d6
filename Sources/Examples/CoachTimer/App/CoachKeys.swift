package import Retrace

package typealias CoachKeys = Bindings<CoachFrame, [CoachApp.Intent]>

extension CoachFrame {
  /// The keys of what is shown.
  package var keys: CoachKeys {
    if state.users.alert != nil { return Self.alertKeys }
    switch route {
    case .users: return Self.userKeys
    case .session: return (session == nil ? Self.distanceKeys : Self.watchKeys).within(Self.back)
    case .chart: return Self.back
    case .leaderboard: return Self.boardKeys.within(Self.back)
    }
  }

  /// All tables, for tests.
  static let allKeys = [alertKeys, userKeys, distanceKeys, watchKeys, boardKeys, back]

  private static let alertKeys = CoachKeys("Alert") {
    Binding(.enter, .escape, hint: "close", help: "Close the alert.") { _ in
      [.scene(.users(.alertDismissed))]
    }
  }

  private static let back = CoachKeys("Back") {
    Binding(.escape, hint: "back", help: "Go back.") { _ in [.scene(.window(.closed))] }
  }

  private static let userKeys = CoachKeys("Users") {
    Binding(.enter, hint: "session", help: "Open the session of the selected user.") {
      frame throws(KeyProblem) in
      guard let id = frame.selectedUser else { throw .unavailable("There is no user.") }
      return [.scene(.window(.opened(.session(id))))]
    }
    moving
    Binding(.text("l"), hint: "leaderboard", help: "Show the best sessions.") { _ in
      [.scene(.window(.opened(.leaderboard)))]
    }
    Binding(.text("m"), hint: "more", help: "Fetch the next page of users.") {
      frame throws(KeyProblem) in
      try frame.checkIdle()
      if frame.state.users.isComplete { throw .unavailable("The server has no more users.") }
      return [.scene(.users(.fetch))]
    }
    Binding(.text("x"), hint: "purge", help: "Forget all users.") { frame throws(KeyProblem) in
      try frame.checkIdle()
      return [.scene(.users(.purge))]
    }
  }

  private static let distanceKeys = CoachKeys("Distance") {
    Binding(.enter, hint: "begin", help: "Begin a session with this distance.") {
      frame throws(KeyProblem) in
      guard case .session(let user) = frame.route, let distance = frame.distance else {
        throw .unavailable("Type the distance of a lap in metres.")
      }
      return [.command(.begin(user, distance: distance))]
    }
    Binding.editing({ $0.state.window.distance }) { _, edit in
      [.scene(.window(.distanceEdited(edit)))]
    }
  }

  private static let watchKeys = CoachKeys("Stopwatch") {
    Binding(.text(" "), hint: "start or stop", help: "Start or stop the stopwatch.") { frame in
      frame.session.map { [.command($1.watch.since == nil ? .start($0) : .stop($0))] }
    }
    Binding(.text("l"), hint: "lap", help: "Take the time of a lap.") { frame in
      frame.session.map { id, _ in [.command(.lap(id))] }
    }
    Binding(.text("c"), hint: "chart", help: "Show the laps as a chart.") { frame in
      frame.session.map { id, _ in [.scene(.window(.opened(.chart(id))))] }
    }
    Binding(.text("s"), hint: "save", help: "Save the session.") { frame in
      frame.session.map { id, _ in [.command(.save(id))] }
    }
    Binding(.text("d"), hint: "discard", help: "Discard the session.") { frame in
      frame.session.map { id, _ in [.command(.discard(id))] }
    }
  }

  private static let boardKeys = CoachKeys("Leaderboard") {
    Binding(.enter, hint: "chart", help: "Show the laps of the selected session.") {
      frame throws(KeyProblem) in
      guard let row = frame.selectedRow else { throw .unavailable("There is no session.") }
      return [.scene(.window(.opened(.chart(row.id))))]
    }
    moving
    Binding(.text("o"), hint: "order", help: "Order by speed or by number of laps.") { frame in
      [.scene(.window(.sorted(frame.state.window.sort == .speed ? .laps : .speed)))]
    }
    Binding(.text("e"), hint: "export", help: "Write the sessions to a file.") { _ in
      [.scene(.window(.exportTapped))]
    }
  }

  private static let moving = Binding<CoachFrame, [CoachApp.Intent]>(
    keys: [.up, .down], help: "Select a row."
  ) { frame, key in
    [.scene(.window(.moved(by: key == .up ? -1 : 1, rows: frame.rows)))]
  }

  private func checkIdle() throws(KeyProblem) {
    if state.users.isBusy { throw .unavailable("The users are being loaded.") }
  }
}

extension Key {
  /// Creates a key from a line of a pipe: its name, `space`, or a single character.
  package init?(line: String) {
    if let key = Key(name: line) {
      self = key
    } else if line == "space" || line.unicodeScalars.count == 1 {
      self = .text(line == "space" ? " " : line)
    } else {
      return nil
    }
  }
}
