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
      `15m earlier` moves it back, and `15m ago` is a time. A day without a time, such as \
      yesterday or 2026-03-26, and `+1d`, `2w later` or `1d earlier` move it to the same time of \
      another day.

      EXAMPLES
        track move 12 9:30
        track move 12 +15m
        track move 12 1h30 earlier
        track move 12 yesterday 9:30
        track move 12 +1d
        track move -1 9:30 --policy adjust --reason "the clock was wrong"
      """,
    operands: [
      EntryReshaping.id, CommandOperand("time", repeats: true, "The new start, or by how much."),
    ],
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
      return try moved(entry, by: String(text.dropFirst()), in: context)
    }
    if text.hasSuffix(" later") {
      return try moved(entry, by: String(text.dropLast(6)), in: context)
    }
    if text.hasSuffix(" earlier") {
      return try moved(entry, by: String(text.dropLast(8)), isBack: true, in: context)
    }
    guard text.hasPrefix("-") else {
      let isDay =
        if case .timeMissing? = Self.error(text, in: context.expressions) { true } else { false }
      return try isDay
        ? start(of: entry, on: text, in: context) : context.time(text, on: entry)
    }
    let length = text.dropFirst()
    let ambiguous = ExpressionError.ambiguous(
      text, instead: ["\(length) earlier", "\(length) ago"])
    let chosen = context.readings.chosen([text], after: ambiguous, in: context.expressions)
    guard let chosen else { throw .ambiguousTime(ambiguous) }
    return try start(chosen[0], of: entry, in: context)
  }

  /// Returns the error of a text as a time; `nil` if it is one.
  private static func error(_ text: String, in context: ExpressionContext) -> ExpressionError? {
    do throws(ExpressionError) {
      _ = try TimeExpression(text, in: context)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the start of an entry that moves by a duration, or by days to the same time of day.
  private static func moved(
    _ entry: TimeEntry, by text: String, isBack: Bool = false, in context: EntryContext
  ) throws(ToolFailure) -> Moment {
    if let count = days(text) {
      let date = context.rules.local(at: entry.start).date.adding(days: isBack ? -count : count)
      return try start(of: entry, on: date.description, in: context)
    }
    let time = try context.duration(text)
    return entry.start.adding(
      isBack ? ElapsedTime(microseconds: -time.microseconds) : time)
  }

  /// Returns the days of a text such as `1d` or `2 weeks`; `nil` for another one.
  private static func days(_ text: String) -> Int? {
    let number = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(number), count <= 10_000 else { return nil }
    switch text.dropFirst(number.count).drop(while: { $0 == " " }).lowercased() {
    case "d", "day", "days": return count
    case "w", "week", "weeks": return count * 7
    default: return nil
    }
  }

  /// Returns the moment on a day at which clocks show what they showed at the start of an entry.
  private static func start(
    of entry: TimeEntry, on day: String, in context: EntryContext
  ) throws(ToolFailure) -> Moment {
    let local = context.rules.local(at: entry.start)
    return try context.time("\(day) \(local.clockWithSeconds)").moment
  }
}
