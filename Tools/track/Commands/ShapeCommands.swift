import CivilTime
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// A command that changes when an entry begins or ends.
struct ShapeCommand {
  let arguments: CommandArguments
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments, what: String) {
    self.arguments = arguments
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments), what: what)
  }

  /// Performs the commands of the one entry that the words name first.
  ///
  /// - Parameter make: Gets the entry and the other words as one text.
  func perform(
    _ make: (
      IdentifiedEntry, _ rest: String, EntryContext
    ) throws(ToolFailure) -> TimeEntryCommand
  ) throws(ToolFailure) {
    try runner.run { (context) throws(ToolFailure) in
      var rest = arguments.operands[...]
      var first = rest.prefix(1)
      let found = try EntrySelection(in: context).takeIDs(from: &first)
      guard found.count == 1, let entry = found.first else { throw .noID(rest.first ?? "") }
      rest = rest.dropFirst()
      return [try make(entry, rest.joinedByBlanks, context)]
    }
  }

  /// Why the entry is changed; `nil` if no option says it.
  var reason: String? { arguments[EditCommand.reasonOption] }

  /// Returns the command that lengthens an entry, or shortens it by a negative duration.
  func resize(
    _ entry: IdentifiedEntry, by text: String, isShorter: Bool
  ) throws(ToolFailure) -> TimeEntryCommand {
    let duration: DurationExpression
    do throws(ExpressionError) {
      duration = try DurationExpression(text)
    } catch {
      throw .usage("\(error)", advice: "Give a duration such as 15m or 1h30.")
    }
    guard let end = entry.entry.end else {
      throw .noEntry("The entry is running, so it has no end to move.")
    }
    let time =
      isShorter
      ? ElapsedTime(microseconds: -duration.time.microseconds) : duration.time
    let moved = end.adding(time)
    guard moved > entry.entry.start else {
      throw ToolFailure(
        what: "Nothing was changed.", why: "Nothing would be left of the entry.",
        advice: "Give a shorter duration, or `track delete` the entry.",
        exitCode: ToolExit.refused)
    }
    guard moved != end else { throw .noEntry("The entry ends at that time already.") }
    var correction = TimeEntryCorrection()
    correction.changes.end = Change(from: end, to: moved)
    return .correct(entry.id, correction, policy: .refuse, reason: reason)
  }

  static let id = CommandOperand(
    "id", kind: .tracker(.entry), "The entry; -1 or @1 is the newest.")
  static let options = TrackerOptions.ofUser + PlacingOptions.placing + [EditCommand.reasonOption]
}

/// Moves an entry to another start.
struct MoveCommand: TrackCommand {
  static let name = "move"
  static let syntax = CommandSyntax(
    "track move", summary: "Move an entry to another start; its duration stays.",
    discussion: """
      A time of day is on the day of the entry.

      EXAMPLES
        track move 12 9:30
        track move 12 yesterday 9:30
        track move -1 9:30 --policy adjust --reason "the clock was wrong"
      """,
    operands: [ShapeCommand.id, CommandOperand("time", repeats: true, "The new start.")],
    options: ShapeCommand.options)

  let shape: ShapeCommand

  init(_ arguments: CommandArguments) {
    shape = ShapeCommand(arguments, what: "Nothing was moved.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      let start = try EditCommand.time(text, on: entry.entry, in: context)
      guard start != entry.entry.start else {
        throw .noEntry("The entry begins at that time already.")
      }
      var correction = TimeEntryCorrection()
      correction.changes.start = Change(from: entry.entry.start, to: start)
      if let end = entry.entry.end, let duration = entry.entry.duration {
        correction.changes.end = Change(from: end, to: start.adding(duration))
      }
      return .correct(entry.id, correction, policy: .refuse, reason: shape.reason)
    }
  }
}

/// Moves the end of an entry to a later moment.
struct LengthenCommand: TrackCommand {
  static let name = "lengthen"
  static let syntax = CommandSyntax(
    "track lengthen", summary: "Move the end of an entry to a later moment.",
    discussion: """
      EXAMPLES
        track lengthen 12 15m
        track lengthen -1 1h30
        track lengthen 12 15m --policy adjust --reason "the call went on"
      """,
    operands: [ShapeCommand.id, CommandOperand("duration", repeats: true, "By how much.")],
    options: ShapeCommand.options)

  let shape: ShapeCommand

  init(_ arguments: CommandArguments) {
    shape = ShapeCommand(arguments, what: "Nothing was lengthened.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, _) throws(ToolFailure) in
      try shape.resize(entry, by: text, isShorter: false)
    }
  }
}

/// Moves the end of an entry to an earlier moment.
struct ShortenCommand: TrackCommand {
  static let name = "shorten"
  static let syntax = CommandSyntax(
    "track shorten", summary: "Move the end of an entry to an earlier moment.",
    discussion: """
      EXAMPLES
        track shorten 12 15m
        track shorten -1 1h30
        track shorten 12 15m --reason "forgot to stop" --dry-run
      """,
    operands: [ShapeCommand.id, CommandOperand("duration", repeats: true, "By how much.")],
    options: ShapeCommand.options)

  let shape: ShapeCommand

  init(_ arguments: CommandArguments) {
    shape = ShapeCommand(arguments, what: "Nothing was shortened.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, _) throws(ToolFailure) in
      try shape.resize(entry, by: text, isShorter: true)
    }
  }
}

/// Splits an entry into two.
struct SplitCommand: TrackCommand {
  static let name = "split"
  static let syntax = CommandSyntax(
    "track split", summary: "Split an entry into two with the same fields.",
    discussion: """
      Without a time it is split in the middle, a running one between its start and now. A time of \
      day is on the day of the entry; in an entry that runs past midnight it is on the next day if \
      the entry has the time there only.

      EXAMPLES
        track split 12
        track split 12 10:15
        track split 12 --at 14:10
        track split -1 10min ago
      """,
    operands: [
      ShapeCommand.id, CommandOperand("time", isOptional: true, repeats: true, "Where to split."),
    ],
    options: TrackerOptions.ofUser
      + [atOption, EditCommand.reasonOption, PlacingOptions.dryRunOption])
  private static let atOption = CommandOption(
    PlacingOptions.atOption.name, value: "time", "Where to split, instead of the words.")

  let shape: ShapeCommand

  init(_ arguments: CommandArguments) {
    shape = ShapeCommand(arguments, what: "Nothing was split.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      let given = shape.arguments[Self.atOption]
      guard text.isEmpty || given == nil else { throw PlacingOptions.twice }
      let at: Moment
      if text.isEmpty, given == nil {
        let (start, end) = (entry.entry.start, entry.entry.end ?? context.now)
        let middle = start.microseconds + (end.microseconds - start.microseconds) / 2
        // Whole seconds, as they are shown, unless the entry is shorter.
        let second = middle - middle % 1_000_000
        at = Moment(microseconds: second > start.microseconds ? second : middle)
      } else {
        at = try EditCommand.time(
          given ?? text, on: entry.entry, in: context, option: given.map { _ in "--at" }
        ) {
          $0 > entry.entry.start && $0 < entry.entry.end ?? context.now
        }
      }
      return .split(entry.id, at: at, reason: shape.reason)
    }
  }
}

/// Joins two entries.
struct JoinCommand: TrackCommand {
  static let name = "join"
  static let syntax = CommandSyntax(
    "track join", summary: "Join two entries into one.",
    discussion: """
      The one that began first gets the time up to the end of both, with a break between them, and \
      the tags and the texts of the other, which is deleted; an annotation of both is kept once. \
      An entry without a project or a task gets that of the other. Two entries of different \
      users, projects or tasks cannot be joined, nor two that are not billed alike: both at one \
      rate in one workspace, or neither. The break is billed, too.

      EXAMPLES
        track join 12 13
        track join -2 -1
        track join 12 13 --policy adjust
      """,
    operands: [
      ShapeCommand.id,
      CommandOperand("other", kind: .tracker(.entry), "The other entry."),
    ],
    options: ShapeCommand.options)

  let shape: ShapeCommand

  init(_ arguments: CommandArguments) {
    shape = ShapeCommand(arguments, what: "Nothing was joined.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      var words = [text][...]
      let others = try EntrySelection(in: context).takeIDs(from: &words)
      guard others.count == 1, let other = others.first else { throw .noID(text) }
      return .join(entry.id, other.id, policy: .refuse, reason: shape.reason)
    }
  }
}
