import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Moves an entry to another start.
struct MoveVerb: Verb {
  static let name = "move"
  static let syntax = CommandSyntax(
    "track move", summary: "Move an entry to another start; its duration stays.",
    discussion: """
      A time of day is on the day of the entry; if the entry goes on after midnight and has the \
      time on the next day only, it is there. `+15m` and `15m later` move the entry by a duration, \
      `15m earlier` moves it back, and `15m ago` is a time.

      EXAMPLES
        track move 12 9:30
        track move 12 +15m
        track move 12 1h30 earlier
        track move 12 yesterday 9:30
        track move -1 9:30 --policy adjust --reason "the clock was wrong"
      """,
    operands: [EntryReshaping.id, CommandOperand("time", repeats: true, "The new start.")],
    options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was moved.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      let start = try Self.start(text, of: entry.entry, in: context)
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

  /// Reads the new start of an entry: a time, or a duration by which the entry moves.
  ///
  /// - Throws: A usage failure also for `-15m`, which could be a time or a duration.
  private static func start(
    _ text: String, of entry: TimeEntry, in context: EntryContext
  ) throws(ToolFailure) -> Moment {
    if text.hasPrefix("+") {
      return entry.start.adding(try context.duration(String(text.dropFirst())))
    }
    if text.hasSuffix(" later") {
      return entry.start.adding(try context.duration(String(text.dropLast(6))))
    }
    if text.hasSuffix(" earlier") {
      let time = try context.duration(String(text.dropLast(8)))
      return entry.start.adding(ElapsedTime(microseconds: -time.microseconds))
    }
    guard text.hasPrefix("-") else { return try context.time(text, on: entry) }
    let length = text.dropFirst()
    let ambiguous = ExpressionError.ambiguous(
      text, instead: ["\(length) earlier", "\(length) ago"])
    let chosen = context.readings.chosen([text], after: ambiguous, in: context.expressions)
    guard let chosen else { throw .ambiguousTime(ambiguous) }
    return try start(chosen[0], of: entry, in: context)
  }
}
