import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Opens the screens of the tracker.
struct AppVerb: Verb {
  static let name = "app"
  static let sizeOption = CommandOption(
    "size", value: "size",
    "The size in cells, as COLUMNSxROWS; the default is the terminal's, or 80x24.")
  static let linesOption = CommandOption(
    "lines", "On a terminal, take keys as lines and show screens as lines, as for a screen reader.")
  static let sceneOption = CommandOption(
    "scene", value: "n",
    "The window to open, by the number that `track route --json` prints; the default is one that "
      + "no process shows.")
  static let atOption = CommandOption(
    "at", value: "n|instant",
    "Look at a window as it was after this record or at this instant, as for --as-of of "
      + "`track log`; what keys do there is not written.")
  static let syntax = CommandSyntax(
    "track app",
    summary: "Open the app at the screen where it was left, on a terminal or over a pipe.",
    discussion: """
      On a terminal keys are read as they are pressed; ? lists them, and ctrl-c leaves, as does q \
      on the timer. The app opens where its user left it, and the first time at the timer of the \
      user. On a store without users it first says that no account is needed; enter goes on, \
      unless --user or the settings name the user. If the store has only other users, it opens at \
      the timer of the last one, or asks who is tracking time; u on the timer asks, too, and \
      escape goes back. If there are other users, a second enter creates a new one. ctrl-z \
      suspends the app, and the shell's fg resumes it; ctrl-l draws the screen again.

      A click selects an entry or a user, sets the cursor of a text, or presses a key of the last \
      row; the wheel scrolls. To select text of the screen, hold shift, or option on macOS; \
      `track config set mouse off` leaves the mouse to the terminal.

      From a pipe, each line is one key (enter, escape, tab, up, down, left, right, backspace, \
      ctrl-x, …), text:TEXT or paste:TEXT for a text at once, or the mouse in a cell, of which row \
      and column count from 0: press-left 3 10, release-left, drag-left, move, scroll-down. The \
      answer is `ok SEQUENCE` once what the line did is durable, or `error …`. A new store asks \
      for the user first. The line `screen` prints the screen before its answer. With --json each \
      answer is one object. After a refused line, the app continues, and exits with 64 at the end \
      of the input. A terminal is used in the same way with --lines, with the setting \
      `screens = "lines"`, or if TERM is dumb or not set. The screen follows each answer, and a \
      screen reader can read its lines.

      A link opens the app at a screen: timer/USER for the timer of the user with an id, \
      timer/USER/start for a new entry, timer/USER/edit/ENTRY for the form of an entry, users for \
      the list of users. `track route` prints the link of the screen where the app was left.

      With --at, the first row says which record is shown. Keys move and commands are tried on a \
      copy in memory, at the moment of the record; the store stays as it is. There is no undo.

      EXAMPLES
        track app
        track app --user anna
        track app timer/0/start
        track app --at 120
        printf 'text:anna\\nenter\\nscreen\\n' | track app --size 80x24
      """,
    operands: [
      CommandOperand("link", isOptional: true, "The link of the screen to open.")
    ],
    options: TrackerOptions.ofUser + [sizeOption, linesOption, sceneOption, atOption])

  let options: TrackerOptions
  let size: String?
  private let isOfLines: Bool
  private let link: String?
  private let sceneText: String?
  private let at: String?

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = TrackerOptions(arguments, in: context)
    size = arguments[Self.sizeOption]
    isOfLines = arguments.has(Self.linesOption)
    link = arguments.operands.first
    sceneText = arguments[Self.sceneOption]
    at = arguments[Self.atOption]
  }

  /// The longest time, in milliseconds, for closing the store after a signal to terminate.
  private static var closingMilliseconds: Int64 { 2_000 }

  func perform() throws(ToolFailure) {
    var cells: Screen.Size?
    if let size {
      cells = Screen.Size(size)
      guard cells != nil else {
        throw .usage(
          "--size takes COLUMNSxROWS, such as 80x24.", advice: "Correct the size and try again.")
      }
    }
    let streams = options.output.streams
    let isTerminal = streams.isInputTerminal && streams.isTerminal(.output)
    guard !isTerminal || !options.json else {
      throw .usage(
        "--json works only with keys from a pipe.",
        advice: "Leave it out, or give the keys line by line from a pipe.")
    }
    let hasScreen =
      isTerminal && !["", "dumb"].contains(options.context.environment["TERM"] ?? "") && !isOfLines
      && options.context.settings[.screens]?.text != "lines"
    let opening = AppOpening(
      options: options, name: try options.userName(), zone: try options.givenZone(),
      scene: try sceneText.map(Self.scene), link: link,
      size: cells ?? Self.size(of: streams, hasScreen: hasScreen))
    let refused: String?
    if let at {
      refused = try show(try opening.branch(at: at), size: cells, isTerminal, hasScreen)
    } else {
      let services = AppServices(in: options.context)
      let loading = LoadingScreen(
        store: try options.path(), palette: options.context.style().palette)
      let tracker = try opening.store(
        environment: services.environment, loading: hasScreen ? loading : nil)
      // Without this handler, a signal still ends the app, but without closing the session, which
      // the next session then records.
      try? TerminationSignals.onTermination(
        timeoutMilliseconds: Self.closingMilliseconds
      ) { signal in
        try? tracker.store.closeBlocking(after: signal)
      }
      do throws(ToolFailure) {
        let driver = try opening.attach(to: tracker, answersQuestion: hasScreen)
        let analytics = driver.observeAnalytics()
        refused = try show(driver, size: cells, isTerminal, hasScreen)
        analytics?.cancel()
        driver.hooks?.finish()
        services.finish(options.output)
        TerminationSignals.waitIfEnding()
        try orFail(try tracker.store.closeBlocking())
      } catch {
        TerminationSignals.waitIfEnding()
        throw error
      }
    }
    guard let refused else { return }
    throw .usage(
      "A line was refused: \(refused).", advice: "Correct it; the other lines were answered.")
  }

  /// Shows the screens until a key leaves the app, and returns why the first refused line was
  /// refused; `nil` if none was.
  private func show(
    _ driver: any ScreenDriver, size: Screen.Size?, _ isTerminal: Bool, _ hasScreen: Bool
  ) throws(ToolFailure) -> String? {
    do throws(StoreError) {
      guard hasScreen else {
        return try PipeDriver(driver).run(asJSON: options.json, showsScreens: isTerminal)
      }
      try TerminalDriver.run(
        driver, size: size, palette: options.context.style().palette,
        usesMouse: options.context.settings[.mouse]?.text != "off")
      return nil
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the scene that --scene names.
  private static func scene(_ text: String) throws(ToolFailure) -> SceneID {
    if let number = Int64(text), number >= 0 { return SceneID(value: number) }
    throw .usage(
      "--scene takes the number of a window, such as 0.",
      advice: "`track route --json` prints the number of the window that would be opened.")
  }

  /// Returns the size of the screens: that of the terminal if it has a screen, else 80 by 24 cells,
  /// or what a terminal shows beside the lines of the cursor, the answer and the next input.
  private static func size(of streams: StandardStreams, hasScreen: Bool) -> Screen.Size {
    let size = streams.isTerminal(.output) ? streams.size(of: .output) : nil
    guard let size else { return Screen.Size(columns: 80, rows: 24) }
    if hasScreen { return Screen.Size(columns: size.columns, rows: size.rows) }
    return Screen.Size(columns: size.columns, rows: max(size.rows - 3, 1))
  }
}
