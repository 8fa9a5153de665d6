import CivilTime
import RetraceArchitecture
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import TimeTracking
import TrackerApp
import TrackerFeatures

/// A part of a session: what happens before the app is opened, and what its user does until it is
/// left, closed or killed.
struct SessionPart {
  /// What happens while the app is closed.
  enum Event {
    /// Another program performs a command, or is refused.
    case performed(DomainCommand)
    /// The machine slept for the whole time or for half of it, as a driver of a scene notes it.
    case slept(from: Moment, to: Moment, isWhole: Bool)
  }

  /// The moment at which the clock of the part stands.
  var now: Moment
  var events: [Event]
  /// The screen at which the app is opened; `nil` for the one where it was left.
  var link: String?
  /// The inputs; a last one may leave the app.
  var inputs: [Input] = []

  /// Has the events happen to a store.
  func prepare(_ store: String) throws {
    guard !events.isEmpty else { return }
    let tracker = try TrackerStore.open(at: store, zone: .utc, now: now)
    defer { try? tracker.close() }
    for event in events {
      switch event {
      case .performed(let command):
        do throws(CommandError<TimeTracker>) {
          try tracker.store.performBlocking(command, from: .commandLine)
        } catch {
          guard case .refused = error else { throw error }
        }
      case .slept(let from, let to, let isWhole):
        let state = tracker.store.state
        for (window, scene) in state.scenes {
          guard let user = scene.stack.top.user,
            let (id, entry) = state.domain.runningEntry(of: user)
          else { continue }
          let microseconds = to.elapsed(since: max(from, entry.start)).microseconds
          let time = ElapsedTime(microseconds: isWhole ? microseconds : microseconds / 2)
          let running = IdentifiedEntry(id: id, entry: entry)
          guard let sleep = Forgotten(of: running, from: from, to: to, for: time) else { continue }
          try tracker.store.sendBlocking(
            [.scene(window, .forgot(scene.asking(about: sleep, in: state.domain)))])
        }
      }
    }
  }
}

extension Input {
  /// The line by which a driver of a pipe gets the input.
  var line: String {
    switch self {
    case .key(let key): key.name
    case .mouse(let mouse): mouse.name
    case .focused, .unfocused, .resized, .pasteRefused: ""
    }
  }
}
