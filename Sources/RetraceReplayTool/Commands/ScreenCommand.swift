import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceStorage
import RetraceToolSupport
import TerminalUI

/// Prints what a scene showed.
struct ScreenCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "screen",
      abstract: "Print what a scene showed after a record.",
      discussion: """
        The place is the last end of a batch at or before the record named; the clock is that \
        record's moment.

        EXAMPLE
          replay screen --at 1200 --size 80x24
        """)
  }

  @OptionGroup var position: PositionOptions
  @OptionGroup var scene: SceneOptions

  @Option(
    name: .long, help: ArgumentHelp("The size in cells, columns and rows.", valueName: "size"))
  var size = "80x24"

  func perform() throws(ToolFailure) {
    guard let cells = Screen.Size(size) else {
      throw .usage(
        "--size takes COLUMNSxROWS, such as 80x24.", advice: "Correct the size and try again.")
    }
    var replayer = try position.replayer(of: App.self, wholeBatches: true)
    let (id, _) = try scene.stack(of: App.self, in: replayer.state)
    let screen: Screen
    do throws(StoreError) {
      let moment = try replayer.moment()
      screen = try replayer.read { state throws(StoreError) in
        App.screen(of: id, in: state, at: moment, size: cells)
      }
    } catch {
      throw ToolFailure(error)
    }
    let lines = PlainRenderer(size: cells, showsCursor: true).lines(of: screen)
    if position.store.json {
      Output.print(
        [
          "sequence": .integer(Int64(replayer.sequence)), "scene": .integer(id.value),
          "lines": .array(lines.map { .string($0) }),
        ])
    } else {
      for line in lines { Output.print(line) }
    }
  }
}
