import CivilTime
import RetraceAvro
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
  let isRedo: Bool
  /// How many changes; `nil` for all since a time.
  let count: Int?
  /// The time since which changes are undone.
  let since: String?

  init(_ arguments: CommandArguments, isRedo: Bool) throws(ToolFailure) {
    options = TrackerOptions(arguments)
    self.isRedo = isRedo
    since = isRedo ? nil : arguments[UndoCommand.toOption]
    guard let text = arguments.operands.first else {
      count = since == nil ? 1 : nil
      return
    }
    guard let number = Int(text), (1...Self.countMax).contains(number) else {
      throw .usage(
        "\(text) is no number of changes.", advice: "Give a number from 1 to \(Self.countMax).")
    }
    guard since == nil else {
      throw .usage("A count and --to are given.", advice: "Give one of them.")
    }
    count = number
  }

  func perform() throws(ToolFailure) {
    let what = "Nothing was \(isRedo ? "redone" : "undone")."
    let moment = try moment()
    let userName = try options.userName()
    let tracker: TrackerStore
    do throws(ToolFailure) {
      tracker = try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
      throw nothingLeft(what, after: 0)
    }
    var done: [EntryChanges] = []
    var domain = tracker.domain
    do throws(CommandError<TimeTracker>) {
      while done.count < count ?? .max,
        let changes = try tracker.undoOrRedo(isRedo: isRedo, since: moment)
      {
        done.append(changes)
        Hooks.note(changes, before: domain, at: tracker.now(), options)
        domain = changes.state
        if !options.json { print(changes, tracker, for: userName) }
      }
    } catch {
      let domain = tracker.domain
      let moment = tracker.now()
      try? tracker.close()
      if options.json, !done.isEmpty { printJSON(done, at: moment) }
      throw ToolFailure(
        done.isEmpty ? what : "Only \(done.count) changes were taken back.", error, in: domain)
    }
    if options.json, !done.isEmpty { printJSON(done, at: tracker.now()) }
    do throws(StoreError) { try tracker.close() } catch { throw ToolFailure(error) }
    if done.count < count ?? 1 { throw nothingLeft(what, after: done.count) }
  }

  /// Returns the moment since which changes are undone.
  private func moment() throws(ToolFailure) -> Moment? {
    guard let since else { return nil }
    let context = ExpressionContext(
      zone: try options.zone(), now: try options.currentMoment(), firstWeekday: 1)
    do throws(ExpressionError) {
      return try TimeExpression(since, in: context).moment
    } catch {
      throw .time(error, option: "--to")
    }
  }

  private func print(
    _ changes: EntryChanges, _ tracker: TrackerStore, for userName: String
  ) {
    let verb = isRedo ? "redone" : "undone"
    let entries = EntryChangesText(changes, at: tracker.now()).all
    let rules = tracker.zone
    for text in ChangeText.others(changes.edits, in: changes.state, rules) {
      Output.printWrapped("\(verb)   \(text)", indent: 9)
    }
    for entry in entries {
      let end = entry.wasDeleted ? "  (deleted)" : ""
      Output.printWrapped("\(verb)   \(entry.echo(in: rules))\(end)", indent: 9)
      // A damaged page of a snapshot must not add a note.
      let owner = try? tracker.verified { (domain) throws(ToolFailure) in
        domain.users.read(entry.entry.user) { $0.name.text }
      }
      guard let owner = owner ?? nil, Name(owner) != Name(userName) else { continue }
      Output.printWrapped("note     #\(entry.id.value) is an entry of \(owner)", indent: 9)
    }
  }

  private func printJSON(_ done: [EntryChanges], at moment: Moment) {
    let entries = done.flatMap { EntryChangesText($0, at: moment).all }
    Output.print([
      "sequence": .integer(Int64(done.last?.sequence ?? 0)),
      "changes": .integer(Int64(done.count)), "entries": .array(entries.map(\.json)),
    ])
  }

  private func nothingLeft(_ what: String, after done: Int) -> ToolFailure {
    let time = since.map { " since \($0)" } ?? ""
    return ToolFailure(
      what: done == 0 ? what : "There were only \(done).",
      why: "There is no \(done == 0 ? "" : "further ")change of yours to "
        + "\(isRedo ? "redo" : "undo")\(time).",
      advice: "`track history` lists the changes.", exitCode: ToolExit.refused)
  }
}

/// Takes back the newest changes.
struct UndoCommand: TrackCommand {
  static let name = "undo"
  static let toOption = CommandOption(
    "to", value: "time",
    "Take back all changes that were made at this time or later, such as 14:30.")
  static let syntax = CommandSyntax(
    "track undo", summary: "Take back your newest change, in whatever program you made it.",
    discussion: """
      There is no limit: each undo takes back the change before, also imports as a whole. What \
      others changed since stays. The changes are those of your login, for whichever user; a note \
      names the user of an entry that is not one of --user. Each thing is printed as the undo \
      leaves it: what it took away \
      is marked (deleted). `track redo` brings a change back. `track history` lists what can be \
      taken back.

      EXAMPLES
        track undo
        track undo 3
        track undo --to 14:30
        track undo --json
      """,
    operands: Restoring.operands, options: TrackerOptions.ofUser + [toOption])

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
    operands: Restoring.operands, options: TrackerOptions.ofUser)

  private let restoring: Restoring

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    restoring = try Restoring(arguments, isRedo: true)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
