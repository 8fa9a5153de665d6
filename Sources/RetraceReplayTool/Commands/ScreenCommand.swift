import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport
import TerminalUI

struct ScreenCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "screen",
      abstract: "Print what a scene showed after a record.",
      discussion: """
        Prints the screen at the end of the last batch that is complete at record --at, with the \
        clock at the moment of its last record.

        EXAMPLE
          replay screen --at 1200 --size 80x24
        """)
  }

  @OptionGroup var position: PositionOptions
  @OptionGroup var scene: SceneOptions

  @Option(help: ArgumentHelp("The size in cells, as COLUMNSxROWS.", valueName: "size"))
  var size = "80x24"

  func perform() throws(ToolFailure) {
    guard let cells = Screen.Size(size) else {
      throw .usage(
        "--size takes COLUMNSxROWS, such as 80x24.", advice: "Correct the size and try again.")
    }
    try position.withReplayer(of: Tool.self, wholeBatches: true) {
      (replayer) throws(ToolFailure) in
      let view = try SceneView<App>(&replayer, scene: scene.scene)
      let moment = try orFail(try replayer.moment())
      let answer = try orFail(
        try replayer.read { state throws(StoreError) in
          view.screen(of: state, size: cells, at: moment)
        })
      printSnapshotNotice(of: replayer)
      answer.print(asJSON: position.store.json)
    }
  }
}
