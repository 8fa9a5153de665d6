import RetraceCommandLine
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The options and the work of `undo` and `redo`.
private struct Restoring {
  static let operands = [CommandOperand("count", isOptional: true, "How many; the default is 1.")]
  /// The most changes of one command.
  static let countMax = 1_000

  let options: TrackerOptions
  let count: Int
  let isRedo: Bool

  init(_ arguments: CommandArguments, isRedo: Bool) throws(ToolFailure) {
    options = TrackerOptions(arguments)
    self.isRedo = isRedo
    guard let text = arguments.operands.first else {
      count = 1
      return
    }
    guard let number = Int(text), (1...Self.countMax).contains(number) else {
      throw .usage(
        "\(text) is no number of changes.", advice: "Give a number from 1 to \(Self.countMax).")
    }
    count = number
  }

  func perform() throws(ToolFailure) {
    let what = "Nothing was \(isRedo ? "redone" : "undone")."
    let tracker: TrackerStore
    do throws(ToolFailure) {
      tracker = try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
      throw nothingLeft(what, after: 0)
    }
    var done = 0
    do throws(CommandError<TimeTracker>) {
      while done < count, let changes = try tracker.undoOrRedo(isRedo: isRedo) {
        done += 1
        EntryChangesText(changes, at: tracker.now()).printRestored(
          asJSON: options.json, verb: isRedo ? "redone" : "undone")
      }
    } catch {
      let domain = tracker.domain
      try? tracker.store.closeBlocking()
      throw ToolFailure(
        done == 0 ? what : "Only \(done) changes were taken back.", error, in: domain)
    }
    do throws(StoreError) { try tracker.store.closeBlocking() } catch { throw ToolFailure(error) }
    if done < count { throw nothingLeft(what, after: done) }
  }

  private func nothingLeft(_ what: String, after done: Int) -> ToolFailure {
    ToolFailure(
      what: done == 0 ? what : "There were only \(done).",
      why: "There is no \(done == 0 ? "" : "further ")change of yours to "
        + "\(isRedo ? "redo" : "undo").",
      advice: "`track log` shows the entries as they are.", exitCode: ToolExit.refused)
  }
}

/// Takes back the newest changes.
struct UndoCommand: TrackCommand {
  static let name = "undo"
  static let syntax = CommandSyntax(
    "track undo", summary: "Take back your newest change, in whatever program you made it.",
    discussion: """
      There is no limit: each undo takes back the change before, also imports as a whole. What \
      others changed since stays. `track redo` brings a change back.

      EXAMPLES
        track undo
        track undo 3
        track undo --json
      """,
    operands: Restoring.operands, options: TrackerOptions.withClock)

  private let restoring: Restoring

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    restoring = try Restoring(arguments, isRedo: false)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}

/// Brings back the changes that were undone last.
struct RedoCommand: TrackCommand {
  static let name = "redo"
  static let syntax = CommandSyntax(
    "track redo", summary: "Bring back the change that you undid last.",
    discussion: """
      After another change there is nothing to redo.

      EXAMPLES
        track redo
        track redo 3
        track redo --json
      """,
    operands: Restoring.operands, options: TrackerOptions.withClock)

  private let restoring: Restoring

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    restoring = try Restoring(arguments, isRedo: true)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
