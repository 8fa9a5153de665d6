import ArgumentParser
import Retrace
import RetracePlayer
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

struct StepCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "step",
      abstract: "Step through the log, forwards or backwards, and print what each record changed.",
      discussion: """
        On a terminal, without steps and --json, a player on the whole screen shows the timeline \
        of the records, the recorded screen, and what the record changed; ? lists its keys. It \
        begins at the last record, or at record --at. With --follow it shows new records as an app \
        appends them. With --lines, and on a terminal of the type dumb, steps are read instead. \
        With --lines, left, right, home, end, ctrl-a, ctrl-e, backspace, delete, ctrl-u, ctrl-w \
        and ctrl-k edit the line, up and down show earlier lines, and ctrl-d ends.

        Give the steps as arguments; without arguments they are read from standard input, line by \
        line. Each step has one answer; with --json each answer is one object on one line. \
        Stepping starts before the first record, or after record --at.

        From standard input, a step that fails prints its error, and the next line runs; the exit \
        code is the first failure's, or 0 on a terminal. From arguments, the first failure \
        ends the command.

        \(StepRequest.list.joined(separator: "\n"))

        EXAMPLES
          \(replay) step next diff next diff
          \(replay) step --at 120 back-batch route screen
          \(replay) step goto yesterday 9:00 record
          printf 'goto 9\\ndiff\\n' | \(replay) step --json
        """)
  }

  @Argument(help: ArgumentHelp("The steps, in order.", valueName: "step"))
  var steps: [String] = []

  @OptionGroup var options: StoreOptions

  @Option(
    name: [.long, .customLong("as-of")],
    help: ArgumentHelp(
      "Begin after this record, or at this time; the default is before the first.",
      valueName: "n|time"))
  var at: String?

  @Flag(help: "Read steps line by line on a terminal, too, in place of the player.")
  var lines = false

  @Flag(help: "In the player, show new records as they are appended.")
  var follow = false

  @Option(
    help: ArgumentHelp("The largest number of changes to print per record.", valueName: "count"))
  var limit = 100

  func perform() throws(ToolFailure) {
    guard limit > 0 else {
      throw .usage("--limit is not positive.", advice: "Give a number of at least 1.")
    }
    let requests = try parse(steps.joined(separator: " "))
    if hasPlayer { return try play() }
    if follow {
      throw .usage(
        "--follow is for the player, which needs a terminal with colors, no steps, no --json and "
          + "no --lines.",
        advice: "Leave --follow out, or read new records with `\(Self.replay) show --from N`.")
    }
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      var session = try orFail(try StepSession<App>(storage, limit: limit))
      if let at {
        let end = try HistoryEnd(at, option: "--at", first: 0)
        _ = try session.answer(.move(.goto(.sequence(try end.position(in: storage)))))
      }
      if steps.isEmpty { return try answerStandardInput(&session) }
      for request in requests {
        if request == .quit { return }
        show(try session.answer(request))
      }
    }
  }

  /// Whether the player is shown rather than lines read.
  private var hasPlayer: Bool {
    steps.isEmpty && !lines && !options.json && Terminal.isTerminal(0) && Terminal.isTerminal(1)
      && PlayerDriver.isPossible(in: .process)
  }

  private func play() throws(ToolFailure) {
    let path = try options.path(or: Tool.store)
    let end = try at.map { at throws(ToolFailure) in try HistoryEnd(at, option: "--at", first: 0) }
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      try orFail(
        try storage.requireFoldable(TrialFold.trial(of: path), by: App.reducerFingerprint))
      let target = try end.map { end throws(ToolFailure) in try end.position(in: storage) }
      var player = try orFail(
        try Player<App>(storage, at: target, limit: limit, follows: follow))
      try PlayerDriver.run(&player, storage, of: Tool.store)
    }
  }

  private func parse(_ text: String) throws(ToolFailure) -> [StepRequest] {
    do throws(StepRequest.ParseError) {
      return try StepRequest.parse(text)
    } catch {
      throw .usage(error.why, advice: "The steps are listed by `\(Self.replay) step --help`.")
    }
  }

  /// Reads requests from standard input, a line each, and prints the answer to each.
  private func answerStandardInput(_ session: inout StepSession<App>) throws(ToolFailure) {
    let isInteractive = Terminal.isTerminal(0) && Terminal.isTerminal(1) && !options.json
    // A terminal without control sequences has the system's editing of a line.
    var lines =
      isInteractive && PlayerDriver.isPossible(in: .process)
      ? try? TerminalLines(after: [Self.prompt, "step: "]) : nil
    if isInteractive { show(try session.answer(.record)) }
    var first: ToolFailure?
    while true {
      if isInteractive, lines == nil { Output.standard.prompt(Self.prompt) }
      guard let line = try readLine(from: &lines) else { break }
      do throws(ToolFailure) {
        for request in try parse(isInteractive && line.isEmpty ? "next diff" : line) {
          if request == .quit { return try end(first, isInteractive) }
          show(try session.answer(request))
        }
      } catch {
        first = first ?? error
        if options.json {
          Output.standard.print(["error": ["why": .string(error.why), "do": .string(error.advice)]])
        } else {
          Output.standard.print("\(error.why) \(error.advice)")
        }
      }
    }
    if isInteractive, lines == nil { Output.standard.print("") }
    try end(first, isInteractive)
  }

  private static var prompt: String { "step (help: list of steps, Enter: next record): " }

  private func end(_ failure: ToolFailure?, _ isInteractive: Bool) throws(ToolFailure) {
    if let failure, !isInteractive { throw failure }
  }

  private func readLine(from lines: inout TerminalLines?) throws(ToolFailure) -> String? {
    do throws(SystemError) {
      if lines != nil { return try lines?.next() }
      return try Console.readLine().map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw ToolFailure(
        what: "The next step could not be read.", why: "\(error).",
        advice: "Check the standard input.", exitCode: ToolExit.usage)
    }
  }

  private func show(_ answer: StepAnswer) { answer.print(asJSON: options.json) }
}
