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
  static let syntax = CommandSyntax(
    "track app",
    summary: "Open the app at the screen where it was left, on a terminal or over a pipe.",
    discussion: """
      On a terminal keys are read as they are pressed; ? lists them, and ctrl-c leaves, as does q \
      on the timer. The app opens where its user left it, and the first time at the timer of the \
      user. If the store has only other users, it opens at the timer of the last one, or asks who \
      is tracking time; u on the timer asks, too, and escape goes back. If there are other users, \
      a second enter creates a new one. ctrl-z suspends the app, and the shell's fg resumes it; \
      ctrl-l draws the screen again.

      A click selects an entry or a user, sets the cursor of a text, or presses a key of the last \
      row; the wheel scrolls. To select text of the screen, hold shift, or option on macOS; \
      `track config set mouse off` leaves the mouse to the terminal.

      From a pipe, each line is one key (enter, escape, tab, up, down, left, right, backspace, \
      ctrl-x, …), or text:TEXT to type a text at once. The answer is `ok SEQUENCE` once what the \
      key did is durable, or `error …`. A new store asks for the user first. The line `screen` \
      prints the screen before its answer. With --json each answer is one object. After a refused \
      line, the app continues, and exits with 64 at the end of the input. A terminal is used in \
      the same way with --lines, with the setting `screens = "lines"`, or if TERM is dumb or not \
      set. The screen follows each answer, and a screen reader can read its lines.

      EXAMPLES
        track app
        track app --user anna
        printf 'text:anna\\nenter\\nscreen\\n' | track app --size 80x24
      """,
    options: TrackerOptions.ofUser + [sizeOption, linesOption])

  let options: TrackerOptions
  let size: String?
  private let isOfLines: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = TrackerOptions(arguments, in: context)
    size = arguments[Self.sizeOption]
    isOfLines = arguments.has(Self.linesOption)
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
    let name = try options.userName()
    let zone = try options.givenZone()
    if options.namesUser {
      let missing = try options.read(creating: true) { MissingUser(name, in: $0) }
      if let missing { throw missing.failure("The app was not opened.") }
    }
    let tracker = try options.open(creating: true)
    let user = Name(name, in: tracker.domain.users)
    // Without this handler, a signal still ends the app, but without closing the session, which the
    // next session then records.
    try? TerminationSignals.onTermination(timeoutMilliseconds: Self.closingMilliseconds) { signal in
      try? tracker.store.closeBlocking(after: signal)
    }
    let settings = options.context.settings
    let hasScreen =
      !["", "dumb"].contains(options.context.environment["TERM"] ?? "") && !isOfLines
      && settings[.screens]?.text != "lines"
    var refused: String?
    do throws(StoreError) {
      if isTerminal && hasScreen {
        try TerminalDriver.run(
          tracker, as: user, isGiven: options.namesUser, size: cells, givenZone: zone,
          palette: options.context.style().palette, usesMouse: settings[.mouse]?.text != "off")
      } else {
        let driver = try SceneDriver.attach(
          to: tracker, as: user, isGiven: options.namesUser,
          size: cells ?? lineSize(of: streams), givenZone: zone)
        refused = try PipeDriver(driver).run(asJSON: options.json, showsScreens: isTerminal)
      }
      TerminationSignals.waitIfEnding()
      try tracker.store.closeBlocking()
    } catch {
      TerminationSignals.waitIfEnding()
      throw ToolFailure(error)
    }
    guard let refused else { return }
    throw .usage(
      "A line was refused: \(refused).", advice: "Correct it; the other lines were answered.")
  }

  /// The size of the screens as lines: 80 by 24 cells, or what a terminal shows beside the lines of
  /// the cursor, the answer and the next input.
  private func lineSize(of streams: StandardStreams) -> Screen.Size {
    let size = streams.isTerminal(.output) ? streams.size(of: .output) : nil
    guard let size else { return Screen.Size(columns: 80, rows: 24) }
    return Screen.Size(columns: size.columns, rows: max(size.rows - 3, 1))
  }
}
