package import Retrace

extension CoachFrame {
  /// The keys of what is shown.
  package var keys: Keys {
    if state.users.alert != nil { return Self.alertKeys }
    switch route {
    case .users: return Self.userKeys
    case .session: return (session == nil ? Self.distanceKeys : Self.watchKeys).within(Self.back)
    case .chart: return Self.back
    case .leaderboard: return Self.boardKeys.within(Self.back)
    }
  }

  /// The window tells why a key does nothing.
  package func answer(to problem: KeyProblem) -> [CoachSceneAction] {
    [.window(.told(.unavailable("\(problem)")))]
  }

  /// The window tells why a command was refused.
  package func answer(to refusal: SessionRefusal) -> [CoachSceneAction] {
    [.window(.told(.refused(refusal)))]
  }

  /// All tables, for tests.
  static let allKeys = [alertKeys, userKeys, distanceKeys, watchKeys, boardKeys, back]

  private static let window = Keys("Window") {
    Binding(.text("q"), help: "Leave the app.") { _ in .leave }
  }

  private static let alertKeys = Keys("Alert") {
    Binding(.enter, .escape, hint: "close", help: "Close the alert.") { _ in
      [.scene(.users(.alertDismissed))]
    }
  }
  .within(window)

  private static let back = Keys("Back") {
    Binding(.escape, hint: "back", help: "Go back.") { _ in [.scene(.window(.closed))] }
  }
  .within(window)

  private static let userKeys = Keys("Users") {
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
  .within(window)

  private static let distanceKeys = Keys("Distance") {
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

  private static let watchKeys = Keys("Stopwatch") {
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

  private static let boardKeys = Keys("Leaderboard") {
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

  private static let moving = Binding<CoachFrame, InputMeaning<CoachApp>>(
    keys: [.up, .down], help: "Select a row."
  ) { frame, key in
    [.scene(.window(.moved(by: key == .up ? -1 : 1, rows: frame.rows)))]
  }

  private func checkIdle() throws(KeyProblem) {
    if state.users.isBusy { throw .unavailable("The users are being loaded.") }
  }
}
