package import Retrace

/// What the window shows, and what keys are interpreted on.
package struct CoachFrame: InteractiveFrame {
  package typealias App = CoachApp

  let state: CoachState
  let moment: Moment
  let size: Screen.Size
  private let users: [(id: UserID, entity: User)]
  private let board: [LeaderboardRow]

  /// Makes the frame of a state.
  package init(of scene: SceneID, in state: CoachState, at moment: Moment, size: Screen.Size) {
    (self.state, self.moment, self.size) = (state, moment, size)
    users = state.users.list.rows
    board = state.sessions.leaderboard(by: state.window.sort)
  }

  /// The place that is shown.
  var route: CoachRoute { state.window.stack.top }

  /// The selected user of the list.
  var selectedUser: UserID? {
    users.isEmpty ? nil : users[min(Int(state.window.users.selected), users.count - 1)].id
  }

  /// The selected row of the leaderboard.
  var selectedRow: LeaderboardRow? {
    board.isEmpty ? nil : board[min(Int(state.window.board.selected), board.count - 1)]
  }

  /// The open session of the user who is shown.
  var session: (id: SessionID, session: Session)? {
    guard case .session(let user) = route, let id = state.sessions.current,
      let session = state.sessions.list[id], session.user == user
    else { return nil }
    return (id, session)
  }

  /// The distance that was typed.
  var distance: Int64? { Int64(state.window.distance.text) }

  /// The rows that a list on the screen has.
  var rows: Int64 {
    if case .leaderboard = route { boardTable.rows } else { userList.rows }
  }

  /// A running stopwatch shows tenths of a second.
  package var refreshMilliseconds: Int? { session?.session.watch.since == nil ? nil : 100 }

  private var body: Rect {
    var rest = Rect(size)
    _ = rest.removeTop(2)
    _ = rest.removeBottom(2)
    return rest
  }

  /// The screen.
  package var screen: Screen {
    var canvas = Canvas(size)
    var rest = canvas.bounds
    canvas.drawLine(title, style: .title, in: rest.removeTop(1))
    canvas.drawLine(keys.hints(in: self, fitting: size.columns), in: rest.removeBottom(1))
    let notice = state.window.notice?.text ?? (state.users.isLoading ? "Loading users …" : "")
    canvas.drawLine(notice, style: .warning, in: rest.removeBottom(1))
    var cursor: Screen.Cursor?
    switch route {
    case .users: userList.draw(on: &canvas)
    case .leaderboard: boardTable.draw(on: &canvas)
    case .chart(let id):
      if let session = state.sessions.list[id] { drawChart(session, on: &canvas) }
    case .session:
      if let session {
        drawSession(session.session, on: &canvas)
      } else {
        distanceForm.draw(on: &canvas)
        cursor = distanceForm.cursor
      }
    }
    if let alert = state.users.alert {
      cursor = nil
      Dialog("Users", text: alert, choices: [Dialog.Choice("enter", "Close")])
        .draw(in: canvas.bounds, on: &canvas)
    }
    var screen = Screen(canvas, cursor: cursor)
    screen.title = "CoachTimer"
    return screen
  }

  private var title: String {
    switch route {
    case .users: "Users"
    case .session(let id): state.users.list[id]?.fullName ?? session?.session.name ?? "Session"
    case .chart(let id): "Laps of \(state.sessions.list[id]?.name ?? "a discarded session")"
    case .leaderboard: state.window.sort == .speed ? "Leaderboard by speed" : "Leaderboard by laps"
    }
  }

  private var userList: Placed<List<Screen.Run>> {
    List(
      count: users.count, state: state.window.users,
      emptyText: state.users.isBusy ? "" : "No users. Press m to fetch some."
    ) { Screen.Run(users[$0].entity.fullName) }
    .placed(in: body)
  }

  private var distanceForm: Placed<Form> {
    let input = TextInput(state.window.distance, reading: distance == nil ? "no number" : "metres")
    return Form([FormField("Distance of a lap", .text(input))], state: FormState())
      .placed(in: body)
  }

  private func drawSession(_ session: Session, on canvas: inout Canvas) {
    var rest = body
    let watch = watchText(session.watch.elapsed(at: moment))
    let runs = [
      Screen.Run(watch, session.watch.since == nil ? .strong : Style(foreground: .success)),
      Screen.Run("  lap \(session.laps.count + 1) \(watchText(session.lap(at: moment)))"),
      Screen.Run("  laps of \(session.distance) m", .faint),
    ]
    canvas.drawLine(Screen.Line(runs), in: rest.removeTop(1))
    _ = rest.removeTop(1)
    let speeds = LapMetrics(session)?.speeds ?? []
    let columns = [
      TableColumn("Lap", ColumnRule(width: 4, priority: 2), aligned: .right),
      TableColumn("Time", ColumnRule(width: 9, priority: 3), aligned: .right),
      TableColumn("m/s", ColumnRule(width: 9, priority: 1), aligned: .right),
    ]
    // The last lap is visible.
    let state = ListState(selected: Int64(session.laps.count - 1))
    Table(
      columns: columns, count: session.laps.count, state: state, hasSelection: false,
      emptyText: "No laps yet."
    ) { row, column, _ in
      switch column {
      case 0: Screen.Run("\(row + 1)")
      case 1: Screen.Run(watchText(session.laps[row]))
      default: Screen.Run(decimal(speeds[row], 3))
      }
    }.draw(in: rest, on: &canvas)
  }

  private func drawChart(_ session: Session, on canvas: inout Canvas) {
    guard let metrics = LapMetrics(session) else {
      canvas.drawLine("No laps yet.", style: .faint, in: body)
      return
    }
    var rest = body
    let lines = [
      "peak \(decimal(metrics.peakSpeed, 3)) m/s   average \(decimal(metrics.averageSpeed, 3)) m/s",
      "lap \(watchText(metrics.average))   variability \(watchText(metrics.variability))"
        + "   variance \(rounded(metrics.variance)) s²   \(rounded(metrics.cadence)) laps a minute",
    ]
    lines.map { Screen.Line($0) }.draw(in: rest.removeBottom(2), on: &canvas)
    let average = metrics.speeds.map { _ in Int64?.some(metrics.averageSpeed) }
    LineChart(
      [
        LineChart.Series("speed", values: metrics.speeds.map { $0 }),
        LineChart.Series("average", values: average, color: .success),
      ],
      range: 0...max(metrics.peakSpeed, 1), texts: ("0", "\(decimal(metrics.peakSpeed, 3)) m/s"),
      labels: ["1", "\(metrics.laps.count)"]
    ).draw(in: rest, on: &canvas)
  }

  private var boardTable: Placed<Table> {
    let columns = [
      TableColumn("Name", ColumnRule(width: 24, cutTo: 8, priority: 3, grows: true)),
      TableColumn("Laps", ColumnRule(width: 4, priority: 2), aligned: .right),
      TableColumn("Metres", ColumnRule(width: 6, priority: 1), aligned: .right),
      TableColumn("Peak m/s", ColumnRule(width: 9, priority: 4), aligned: .right),
      TableColumn("Average", ColumnRule(width: 9, priority: 2), aligned: .right),
    ]
    return Table(
      columns: columns, count: board.count, state: state.window.board,
      emptyText: "No session is saved yet."
    ) { row, column, _ in
      let row = board[row]
      switch column {
      case 0: return Screen.Run(row.session.name)
      case 1: return Screen.Run("\(row.session.laps.count)")
      case 2: return Screen.Run("\(row.session.distance)")
      case 3: return Screen.Run(decimal(row.metrics.peakSpeed, 3))
      default: return Screen.Run(decimal(row.metrics.averageSpeed, 3))
      }
    }
    .placed(in: body)
  }
}

/// Returns a number with one decimal.
private func rounded(_ number: Double) -> String {
  decimal(Int64(exactly: (number * 10).rounded()) ?? .max, 1)
}
