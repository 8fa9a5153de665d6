import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// Prints where a scene is.
struct RouteCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "route",
      abstract: "Print the route of a scene: its path and its back stack with parameters.",
      discussion: """
        The place is the last end of a batch at or before the record named.

        EXAMPLE
          replay route --at 1200 --scene 0
        """)
  }

  @OptionGroup var position: PositionOptions
  @OptionGroup var scene: SceneOptions

  func perform() throws(ToolFailure) {
    let replayer = try position.replayer(of: App.self, wholeBatches: true)
    let (id, stack) = try scene.stack(of: App.self, in: replayer.state)
    let routes = stack.routes
    let path = routes.last?.path ?? ""
    guard position.store.json else {
      Output.print("after record \(replayer.sequence), scene \(id.value)")
      Output.print("path \(path)")
      for route in routes {
        Output.print("  \(route.path)  \(try parameters(route).text())")
      }
      return
    }
    var entries: [JSONValue] = []
    for route in routes {
      entries.append(["path": .string(route.path), "route": try parameters(route)])
    }
    Output.print(
      [
        "sequence": .integer(Int64(replayer.sequence)), "scene": .integer(id.value),
        "path": .string(path), "stack": .array(entries),
      ])
  }

  private func parameters(_ route: App.Route) throws(ToolFailure) -> JSONValue {
    do throws(StoreError) {
      return try StateDescription.json(of: route)
    } catch {
      throw ToolFailure(error)
    }
  }
}

/// The option by which a command names a scene.
struct SceneOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The scene; the default is the lowest.", valueName: "id"))
  var scene: Int64?

  /// The scene that was named, or the lowest, and its back stack.
  func stack<App: ReplayableApp>(
    of app: App.Type, in state: App.State
  ) throws(ToolFailure) -> (SceneID, BackStack<App.Route>) {
    let scenes = App.scenes(in: state)
    let id = scene.map(SceneID.init(value:)) ?? scenes.first
    guard let id, let stack = App.backStack(of: id, in: state) else {
      throw ToolFailure(
        what: "There is no route and no screen to show.",
        why: id.map { "The state has no scene \($0.value)." }
          ?? "At this record the state has no scene; a command line opens none.",
        advice: scenes.isEmpty
          ? "Name another record after --at; if none has a scene, the app was never opened here."
          : "Name one of the scenes "
            + scenes.map { String($0.value) }.joined(separator: ", ") + " after --scene.",
        exitCode: ToolExit.refused)
    }
    return (id, stack)
  }
}
