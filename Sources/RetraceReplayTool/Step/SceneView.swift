import Retrace
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceToolSupport
import TerminalUI

/// The route and the screen of a scene at the position of a replayer.
struct SceneView<App: ReplayableApp> {
  private let sequence: UInt64
  let id: SceneID
  private let stack: BackStack<App.Route>
  /// The log; `nil` for a state of no log.
  private let storage: LogStorage?

  /// Finds the scene with an id, or the one with the lowest id if none is given.
  ///
  /// - Throws: A failure if the state has no such scene; the errors of `Replayer.read`.
  init(_ replayer: inout Replayer<App>, scene: Int64?) throws(ToolFailure) {
    let (sequence, storage) = (replayer.sequence, replayer.storage)
    let found = try orFail(
      try replayer.read { state throws(StoreError) in
        let state = copy state
        return Result { () throws(ToolFailure) in
          try SceneView(in: state, after: sequence, of: storage, scene: scene)
        }
      })
    self = try found.get()
  }

  /// Finds the scene with an id, or the one with the lowest id, in the state after a record.
  ///
  /// - Throws: A failure if the state has no such scene.
  init(
    in state: App.State, after sequence: UInt64, of storage: LogStorage? = nil, scene: Int64?
  ) throws(ToolFailure) {
    self.sequence = sequence
    self.storage = storage
    let scenes = App.scenes(in: state)
    let wanted = scene.map(SceneID.init(value:)) ?? scenes.first
    guard let wanted, let found = App.backStack(of: wanted, in: state) else {
      throw ToolFailure(
        what: "There is no route and no screen to show.",
        why: wanted.map { "The state has no scene \($0.value)." }
          ?? "At this record the state has no scene; only the app opens scenes.",
        advice: scenes.isEmpty
          ? "Give another record; if none has a scene, the app was never opened on this store."
          : "Give one of the scenes "
            + scenes.map { String($0.value) }.joined(separator: ", ") + ".",
        exitCode: ToolExit.notFound)
    }
    (id, stack) = (wanted, found)
  }

  /// Returns the path, and the back stack with its parameters.
  func route() throws(ToolFailure) -> StepAnswer {
    let path = stack.routes.last?.path ?? ""
    var lines = ["after record \(sequence), scene \(id.value)", "path \(path)"]
    var entries: [JSONValue] = []
    for route in stack.routes {
      let parameters = try orFail(try StateDescription.json(of: route))
      lines.append("  \(route.path)  \(parameters.text())")
      entries.append(["path": .string(route.path), "route": parameters])
    }
    return StepAnswer(
      lines: lines,
      json: [
        "sequence": .integer(Int64(clamping: sequence)), "scene": .integer(id.value),
        "path": .string(path), "stack": .array(entries),
      ])
  }

  /// How the user saw the scene; `nil` if the log does not say.
  func seen(in state: App.State) -> SeenScreen? { App.seen(of: id, in: state) }

  /// Returns what the scene shows, in the zone in which the user saw it.
  func screen(of state: App.State, size: Screen.Size, at moment: Moment) -> Screen {
    App.screen(of: id, in: state, at: moment, size: size, zone: seen(in: state)?.rules(in: storage))
  }

  /// Returns the lines of what the scene shows, and the place of the cursor.
  func lines(of screen: Screen, size: Screen.Size) -> StepAnswer {
    let lines = PlainRenderer(size: size, showsCursor: true).lines(of: screen)
    return StepAnswer(
      lines: lines,
      json: [
        "sequence": .integer(Int64(clamping: sequence)), "scene": .integer(id.value),
        "lines": .array(lines.map { .string($0) }),
      ])
  }
}
