import ArgumentParser
import Retrace
import RetraceReplay
import RetraceToolCommands
import RetraceToolSupport

struct RouteCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "route",
      abstract: "Print the route of a scene: its path and its back stack with parameters.",
      discussion: """
        Prints the route at the end of the last batch that is complete at record --at.

        EXAMPLE
          \(replay) route --at 1200 --scene 0
        """)
  }

  @OptionGroup var position: PositionOptions
  @OptionGroup var scene: SceneOptions

  func perform() throws(ToolFailure) {
    try position.withReplayer(of: Tool.self, wholeBatches: true) {
      (replayer, _) throws(ToolFailure) in
      let answer = try SceneView<App>(&replayer, scene: scene.scene).route()
      printSnapshotNotice(of: replayer)
      answer.print(asJSON: position.store.json)
    }
  }
}

/// The option by which a command selects a scene.
struct SceneOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The id of the scene; the default is the lowest id.", valueName: "id"))
  var scene: Int64?
}
