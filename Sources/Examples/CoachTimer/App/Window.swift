package import Retrace

/// The places of the window.
package enum CoachRoute: NavigationRoute {
  case users
  case session(UserID)
  case chart(SessionID)
  case leaderboard

  /// The path of the route.
  package var path: String {
    switch self {
    case .users: "users"
    case .session(let id): "users/\(id.value)"
    case .chart(let id): "sessions/\(id.value)"
    case .leaderboard: "leaderboard"
    }
  }
}

/// What the window was told, until the next action.
package enum Notice: Recordable, Equatable {
  case refused(SessionRefusal)
  case unavailable(String)
  case saved(name: String)
  case exported(to: String)
  case exportFailed(String)

  /// The notice as a sentence.
  package var text: String {
    switch self {
    case .refused(let refusal): refusal.text
    case .unavailable(let reason): reason
    case .saved(let name): "The session of \(name) is saved."
    case .exported(let path): "The sessions are in \(path)."
    case .exportFailed(let reason): "The sessions were not exported: \(reason)"
    }
  }
}

/// The only window.
package struct WindowState: RecordedState {
  /// The places from the list of users to the shown one.
  package var stack: BackStack<CoachRoute> = BackStack(root: .users)
  /// The selected user.
  package var users: ListState = ListState()
  /// The selected row of the leaderboard.
  package var board: ListState = ListState()
  /// The order of the leaderboard.
  package var sort: LeaderboardSort = .speed
  /// The distance of a lap, as it was typed.
  package var distance: TextDraft = TextDraft("400")
  /// What the window was told.
  package var notice: Notice?
}

/// What happens in the window.
package enum WindowAction: Recordable, Equatable {
  case opened(CoachRoute)
  case closed
  case moved(by: Int64, rows: Int64)
  case distanceEdited(TextReplacement)
  case sorted(LeaderboardSort)
  case exportTapped
  case told(Notice)
}

struct WindowReducer: Reducer {
  func reduce(
    _ state: inout CoachState, _ action: WindowAction, at moment: Moment
  ) -> Effect<WindowAction, CoachEnvironment> {
    state.window.notice = nil
    switch action {
    case .opened(let route): state.window.stack.push(route)
    case .closed: state.window.stack.pop()
    case .moved(let distance, let rows):
      if case .leaderboard = state.window.stack.top {
        let count = Int64(state.sessions.leaderboard(by: .speed).count)
        state.window.board.move(by: distance, count: count, rows: rows)
      } else {
        state.window.users.move(
          by: distance, count: Int64(state.users.list.count), rows: rows)
      }
    case .distanceEdited(let edit): state.window.distance.apply(edit)
    case .sorted(let sort): state.window.sort = sort
    case .exportTapped: return .run(ExportSessions(csv: state.sessions.csv))
    case .told(let notice): state.window.notice = notice
    }
    return .none
  }
}

/// Writes the sessions to a file.
struct ExportSessions: EffectLeaf {
  var csv: String

  func run(in environment: CoachEnvironment) async -> [WindowAction] {
    do {
      return [.told(.exported(to: try await environment.export(csv)))]
    } catch {
      return [.told(.exportFailed("\(error)"))]
    }
  }

  var interruptionPolicy: InterruptionPolicy<WindowAction> { .run }
}
