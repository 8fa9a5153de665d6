import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport
import TerminalUI

/// Opens the app as it was after a record, on a branch in memory.
struct OpenCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "open",
      abstract: "Open the app as it was after a record, on a branch that nothing records.",
      discussion: """
        Shows a window of the app with the screen, the drafts and the cursor that its user had. \
        Keys move through the screens, and commands are decided, in memory alone: nothing is \
        written, no effect is run, and the time stands still. The effects that would run are \
        listed at the end.

        On a terminal, ctrl-c leaves the app. In a pipe, each line of input is a key, such as \
        down, enter or text:a; the screen and new effects are printed after it.

        EXAMPLES
          \(replay) open bug.bundle --at 120
          \(replay) open bug.bundle < keys.txt
        """)
  }

  @Argument(
    help: ArgumentHelp("The bundle, or the directory of a store.", valueName: "bundle"))
  var bundle: String

  @Option(
    help: ArgumentHelp(
      "Open the app as it was after this record, or at this time; the default is the last.",
      valueName: "n|time"))
  var at: String?

  @OptionGroup var scene: SceneOptions

  @Option(
    help: ArgumentHelp(
      "The size in a pipe, as COLUMNSxROWS; by default as it was seen, or else 80x24.",
      valueName: "size"))
  var size: String?

  @Flag(help: "Print JSON instead of text, an object for each screen; only in a pipe.")
  var json = false

  func perform() throws(ToolFailure) {
    let given = size.flatMap { Screen.Size($0) }
    guard size == nil || given != nil else {
      throw .usage(
        "--size takes COLUMNSxROWS, such as 80x24.", advice: "Correct the size and try again.")
    }
    if let program = Tool.branchProgram { return try run(program) }
    guard let app = App.self as? any InteractiveApp.Type else {
      throw ToolFailure(
        what: "The app was not opened.",
        why: "This tool has the screens of \(App.name), but not the meaning of its keys.",
        advice: "Look at the screens with `\(Self.replay) step --store \(commandWord(bundle))`.",
        exitCode: ToolExit.refused)
    }
    try open(app, size: given)
  }

  private func open<Interactive: InteractiveApp>(
    _ app: Interactive.Type, size given: Screen.Size?
  ) throws(ToolFailure) {
    let end = try HistoryEnd(at, option: "--at", first: 0)
    var opened: (program: BranchProgram<Interactive>, sequence: UInt64)?
    try StoreLocation.withLog(at: bundle) { storage throws(ToolFailure) in
      try orFail(
        try storage.requireFoldable(
          TrialFold.trial(of: bundle), by: Interactive.reducerFingerprint))
      var replayer = try orFail(try Replayer<Interactive>(storage))
      let target = try end.position(in: storage)
      try orFail(try replayer.seek(to: try replayer.batchEnd(atOrBefore: target)))
      var moment = try orFail(try replayer.moment())
      if case .moment(let time) = end { moment = time }
      let branch = try orFail(try StateBranch(of: &replayer, at: moment))
      let id = try SceneView<Interactive>(
        in: branch.state, after: branch.sequence, scene: scene.scene
      ).id
      let seen = Interactive.seen(of: id, in: branch.state)?.size
      let size = given ?? seen ?? Screen.Size(columns: 80, rows: 24)
      opened = (BranchProgram(branch, scene: id, size: size), branch.sequence)
    }
    // The log is closed: the branch is detached from it.
    guard case (var program, let sequence)? = opened else { return }
    guard !json, Terminal.isTerminal(0), Terminal.isTerminal(1),
      AnsiRenderer.wantsColor(noColor: nil, term: ThisProcess.environment("TERM"))
    else {
      if let report = program.runOnLines(asJSON: json) {
        throw .usage(report, advice: "Each line of input is the name of a key.")
      }
      return
    }
    try program.runOnTerminal(
      TerminalPalette(color: nil, theme: nil, isTerminal: true) { ThisProcess.environment($0) })
    Output.standard.print("The branch of record \(sequence) is gone; nothing was written.")
  }

  /// Runs the program of the app, which opens the branch.
  private func run(_ name: String) throws(ToolFailure) {
    guard !json, size == nil else {
      throw .usage(
        "--json and --size are not for \(name).", advice: "Leave them out; a pipe has the lines.")
    }
    let executable = (try? FileSystem.readLink("/proc/self/exe")) ?? ""
    let folder = executable.lastIndex(of: "/").map { executable[...$0] } ?? ""
    let last = try StoreLocation.withLog(at: bundle) { log throws(ToolFailure) in
      try orFail(try log.head()).sequence
    }
    var words = ["app", "--store", bundle, "--at", at ?? "\(last)"]
    if let scene = scene.scene { words += ["--scene", "\(scene)"] }
    var options = ChildProcess.Options()
    (options.input, options.output, options.error) = (.inherit, .inherit, .inherit)
    let exit: ChildProcess.Exit
    do throws(SystemError) {
      exit = try ChildProcess.spawn("\(folder)\(name)", words, options: options).wait()
    } catch {
      throw ToolFailure(
        what: "The app was not opened.", why: "\(folder)\(name) did not start: \(error).",
        advice: "Install \(name) beside this tool.", exitCode: ToolExit.notFound)
    }
    switch exit {
    case .exited(0): return
    case .exited(let code): ToolProcess.exit(code: code)
    case .signalled(let signal):
      throw ToolFailure(
        what: "The app ended.", why: "\(name) was ended by signal \(signal).",
        advice: "Look at the log with `\(Self.replay) verify --store \(commandWord(bundle))`.",
        exitCode: ToolExit.storage)
    }
  }
}
