import RetraceArchitecture
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// A scene on a store.
struct StoreWindow {
  static let scene = SceneID(value: 0)
  static let size = Screen.Size(columns: 80, rows: 24)

  let store: Store<TimeTracker>
  let clock: VirtualClock

  init(at path: String, clock: VirtualClock) throws {
    self.clock = clock
    var configuration = StoreConfiguration()
    configuration.clock = { clock.moment }
    configuration.origin.login = "anna"
    store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
    try store.sendBlocking([.opened(Self.scene)])
  }

  var entries: [String] {
    var entries: [String] = []
    store.state.domain.timeEntries.forEach { _, entry in
      guard entry.deleted == nil else { return }
      entries.append("\(entry.description) \(entry.duration?.clock ?? "runs")")
    }
    return entries
  }

  var lines: [String] { frame?.screen.canvas.lines ?? [] }

  var frame: SceneFrame? {
    SceneFrame(
      of: Self.scene, in: store.state, at: clock.moment, by: .utc,
      size: Self.size)
  }

  /// Presses keys as a driver does.
  func press(_ names: String...) throws {
    for name in names {
      let key = try #require(Key(name: name))
      let meaning = try #require(frame).interpret(key, at: clock.moment)
      let scene = Self.scene
      switch meaning {
      case .intents(let intents):
        guard let refusal = try store.carryOutBlocking(intents) else { continue }
        try store.sendBlocking([TimeTracker.answer(to: refusal, of: intents, in: scene)])
      case .undo:
        let facts = try store.undoBlocking()?.facts
        try store.sendBlocking([
          TimeTracker.answer(toRestore: facts, isRedo: false, in: scene)
        ])
      case .redo:
        let facts = try store.redoBlocking()?.facts
        try store.sendBlocking([TimeTracker.answer(toRestore: facts, isRedo: true, in: scene)])
      case .takeBack, .restore, .leave, .lookBack, .copy, .write, .calendars, .secret: return
      }
      clock.advance(by: .seconds(60))
    }
  }
}
