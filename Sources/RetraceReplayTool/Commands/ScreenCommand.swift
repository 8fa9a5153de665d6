import ArgumentParser
import Retrace
import RetracePlayer
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
        clock at the moment of its last record. If --at is a time, the clock is at that time: a \
        countdown shows what it showed then, also after the last record. Its size and the zone of \
        its times are those in which the user saw it, if the app records them.

        A picture (--format svg) and a page (--format html) have the colors of a theme and the \
        cursor, and refer to nothing outside. Text has the rows up to the last one that is not \
        empty, and then the place of the cursor, counted from 0. JSON has the lines of the text.

        EXAMPLES
          \(replay) screen --at 1200 --size 80x24
          \(replay) screen --at 14:30:05
          \(replay) screen --format svg --theme dark > screen.svg
        """)
  }

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case svg
    case html
  }

  enum ThemeName: String, ExpressibleByArgument, CaseIterable {
    case light
    case dark

    var theme: Theme { self == .light ? .light : .dark }
  }

  @OptionGroup var position: PositionOptions
  @OptionGroup var scene: SceneOptions

  @Option(
    help: ArgumentHelp(
      "The size in cells, as COLUMNSxROWS; by default as it was seen, or else 80x24.",
      valueName: "size"))
  var size: String?

  @Option(help: ArgumentHelp("What to print.", valueName: "text|svg|html"))
  var format = Format.text

  @Option(
    help: ArgumentHelp(
      "The colors of a picture or a page; the default is light.", valueName: "light|dark"))
  var theme: ThemeName?

  func perform() throws(ToolFailure) {
    let given = size.flatMap { Screen.Size($0) }
    guard size == nil || given != nil else {
      throw .usage(
        "--size takes COLUMNSxROWS, such as 80x24.", advice: "Correct the size and try again.")
    }
    guard format == .text || !position.store.json else {
      throw .usage(
        "--json and --format \(format.rawValue) contradict each other.", advice: "Leave one out.")
    }
    guard format != .text || theme == nil else {
      throw .usage(
        "--theme is about colors, which text has not.",
        advice: "Add --format svg or --format html, or leave --theme out.")
    }
    try position.withReplayer(of: Tool.self, wholeBatches: true) {
      (replayer, moment) throws(ToolFailure) in
      let storage = replayer.storage
      let view = try SceneView<App>(&replayer, scene: scene.scene)
      let (screen, cells, note) = try orFail(
        try replayer.read { state throws(StoreError) in
          let seen = view.seen(in: state)
          let cells = given ?? seen?.size ?? Screen.Size(columns: 80, rows: 24)
          return (
            view.screen(of: state, size: cells, at: moment), cells, seen?.note(in: storage)
          )
        })
      printSnapshotNotice(of: replayer)
      if let note { Output.standard.printError(note) }
      switch format {
      case .text: view.lines(of: screen, size: cells).print(asJSON: position.store.json)
      case .svg: Output.standard.printRaw(picture(of: screen, size: cells))
      case .html: Output.standard.printRaw(page(of: screen, size: cells))
      }
    }
  }

  private func picture(of screen: Screen, size: Screen.Size) -> String {
    SVGRenderer(theme: theme?.theme ?? .light)
      .text(of: screen, size: size, title: screen.title ?? App.name)
  }

  private func page(of screen: Screen, size: Screen.Size) -> String {
    HTMLRenderer(theme: theme?.theme ?? .light)
      .page(of: screen, size: size, title: screen.title ?? App.name)
  }
}
