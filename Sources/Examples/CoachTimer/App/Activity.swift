package import Retrace

/// A reducer's hook that writes what a coach wants to read later into the activity feed.
///
/// The feed is an effect, so replay leaves it alone.
struct ActivityFeed: ReducerHook {
  func before(
    _ state: inout CoachState, _ action: CoachAction, at moment: Moment
  ) -> Effect<CoachAction, CoachEnvironment> {
    guard let text = text(of: action, in: state) else { return .none }
    return .run(NoteActivity(line: "\(moment.timestamp) \(text)"))
  }

  private func text(of action: CoachAction, in state: borrowing CoachState) -> String? {
    switch action {
    case .fact(.begun(let session)): "\(session.name): laps of \(session.distance) m"
    case .fact(.session(let id, let fact)): text(of: fact, state.sessions.list[id])
    case .fact(.discarded(_, let session)): "\(session.name): discarded"
    case .scene(.users(.fetchResponse(let users))): "\(users.count) users came from the server"
    case .scene(.users(.purge)): "all users were purged"
    case .scene: nil
    }
  }

  private func text(of fact: SessionFact, _ session: Session?) -> String? {
    guard let session else { return nil }
    switch fact {
    case .lapped(let time): return "\(session.name): lap in \(watchText(time))"
    case .saved: return "\(session.name): saved with \(session.laps.count) laps"
    case .started, .stopped: return nil
    }
  }
}

/// Appends a line to the activity feed.
struct NoteActivity: EffectLeaf {
  var line: String

  func run(in environment: CoachEnvironment) async throws -> [CoachAction] {
    try await environment.note(line)
    return []
  }

  var interruptionPolicy: InterruptionPolicy<CoachAction> { .run }
}

/// Returns a time as a stopwatch shows it: minutes, seconds and tenths.
func watchText(_ time: ElapsedTime) -> String {
  let tenths = max(time.microseconds, 0) / 100_000
  let seconds = tenths / 10 % 60
  return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
}
