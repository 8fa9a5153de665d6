import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TerminalUI

/// A scene of an app as it was after a record, whose keys change a branch in memory alone.
struct BranchProgram<App: InteractiveApp> {
  private var branch: StateBranch<App>
  private let scene: SceneID
  private var size: Screen.Size
  /// The number of effects that were listed.
  private var listed = 0

  /// Creates the program of a scene.
  init(_ branch: StateBranch<App>, scene: SceneID, size: Screen.Size) {
    self.branch = branch
    self.scene = scene
    self.size = size
  }

  private var frame: App.Frame? {
    App.Frame(of: scene, in: branch.state, at: branch.moment, size: size)
  }

  private func screen(of frame: App.Frame?) -> Screen { frame?.screen ?? Screen(Canvas(size)) }

  /// What the program does after an input.
  private enum Outcome {
    case nothing
    case performed
    case leave
    case suspend
    case redraw
  }

  /// Carries out what an input means to the user who sees a frame, in memory.
  private mutating func perform(_ input: Input, on frame: App.Frame?) -> Outcome {
    let meaning: InputMeaning<App>?
    do throws(KeyProblem) {
      meaning = try frame?.meaning(of: input)
    } catch {
      branch.send(frame?.answer(to: error) ?? [])
      return .performed
    }
    switch meaning {
    case .intents(let intents):
      branch.carryOut(intents) { frame?.answer(to: $0) ?? [] }
    case .undo, .redo:
      let problem = KeyProblem.unavailable("A branch has no undo; open it again.")
      branch.send(frame?.answer(to: problem) ?? [])
    case .leave: return .leave
    case nil where input == .key(.ctrl("c")): return .leave
    case nil where input == .key(.suspend): return .suspend
    case nil where input == .key(.redraw): return .redraw
    case nil: return .nothing
    }
    return .performed
  }

  /// Returns the lines of the effects that were not listed yet.
  private mutating func newEffects() -> [String] {
    defer { listed = branch.effects.count }
    return branch.effects[listed...].map {
      "effect of \($0.sequence), not run: \(EffectDescription.line(of: $0.effect))"
    }
  }

  // MARK: In a pipe

  /// Prints the screen and the new effects, at the start and after each line of input, which is the
  /// name of a key.
  ///
  /// - Returns: The report on the first line that named no key; `nil` if each named one.
  mutating func runOnLines(asJSON: Bool) -> String? {
    var report: String?
    show(asJSON: asJSON)
    while let line = Console.readText(limitBytes: Console.TextLine.keyBytesMax),
      !Output.standard.hasFailed
    {
      var problem = line.problem.map { "The \($0)." }
      if case .text(let name) = line, !name.isEmpty {
        if let key = Key(name: name) {
          if perform(.key(key), on: frame) == .leave { return report }
        } else {
          problem = "There is no key \(SafeText.line(name, bytesMax: 80))."
        }
      }
      if let problem {
        Output.standard.printError(problem)
        report = report ?? problem
      } else {
        show(asJSON: asJSON)
      }
    }
    return report
  }

  private mutating func show(asJSON: Bool) {
    let renderer = PlainRenderer(size: size)
    let screen = screen(of: frame)
    let effects = newEffects()
    if asJSON {
      Output.standard.print([
        "sequence": .integer(Int64(clamping: branch.sequence)),
        "lines": .array(renderer.lines(of: screen).map { .string($0) }),
        "effects": .array(effects.map { .string($0) }),
      ])
    } else {
      // The screen is as the app prints it.
      Output.standard.printRaw(renderer.text(of: screen))
      for line in effects { Output.standard.print(line) }
    }
  }

  // MARK: On a terminal

  /// Runs until a key leaves the app, and prints the effects then.
  ///
  /// - Throws: A failure if the terminal cannot be used; it is restored first.
  mutating func runOnTerminal(_ palette: TerminalPalette?) throws(ToolFailure) {
    do throws(SystemError) {
      var session = try TerminalSession(palette: palette, pasteLimitBytes: 1 << 16) {
        ThisProcess.environment($0)
      }
      while try step(&session) {}
    } catch {
      throw ToolFailure(
        what: "The app left the terminal.", why: "\(error).",
        advice: "Use a pipe: each line is a key.", exitCode: ToolExit.usage)
    }
    for line in newEffects() { Output.standard.print(line) }
  }

  private mutating func step(_ session: inout TerminalSession) throws(SystemError) -> Bool {
    size = session.size
    var seen = frame
    try session.show(screen(of: seen))
    switch try session.next(tickMilliseconds: nil) {
    case .inputs(let inputs):
      for input in inputs {
        switch perform(input, on: seen) {
        case .nothing: break
        case .performed: seen = frame
        case .leave: return false
        case .redraw: session.redraw()
        // What was read after it was meant for the shell, and is dropped.
        case .suspend:
          session.suspend()
          return true
        }
      }
    case .tick, .woken, .resized, .resumed, .features: break
    case .ended: return false
    }
    return true
  }
}
