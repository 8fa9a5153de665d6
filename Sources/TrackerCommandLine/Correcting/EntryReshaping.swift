import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// A command that changes when an entry begins or ends.
struct EntryReshaping {
  let arguments: CommandArguments
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext, what: String) {
    self.arguments = arguments
    performer = PlanPerformer(arguments, in: context, what: what)
  }

  /// Performs the command about the entry that the first word names.
  ///
  /// - Parameter make: Returns the command for the entry and the other words, as one text.
  func perform(
    _ make: (
      IdentifiedEntry, _ rest: String, EntryContext
    ) throws(ToolFailure) -> TimeEntryCommand
  ) throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      var rest = arguments.operands[...]
      var first = rest.prefix(1)
      let found = try EntrySelection(in: context).takeIDs(from: &first)
      guard found.count == 1, let entry = found.first else { throw .noID(rest.first ?? "") }
      rest = rest.dropFirst()
      return EntryRequest([try make(entry, rest.joinedByBlanks, context)])
    }
  }

  /// The reason for the change, if an option gives one.
  var reason: String? { arguments[EditVerb.reasonOption] }

  /// Returns the command that lengthens or shortens an entry by a duration.
  func resize(
    _ entry: IdentifiedEntry, by text: String, isShorter: Bool, in context: EntryContext
  ) throws(ToolFailure) -> TimeEntryCommand {
    let duration = try context.duration(text)
    guard let end = entry.entry.end else {
      throw .noEntry("The entry is running, so it has no end to move.")
    }
    let time =
      isShorter
      ? ElapsedTime(microseconds: -duration.microseconds) : duration
    let moved = end.adding(time)
    guard moved > entry.entry.start else {
      throw .refused(
        "Nothing would be left of the entry.",
        advice: "Give a shorter duration, or `track delete` the entry.")
    }
    guard moved != end else { throw .noEntry("The entry ends at that time already.") }
    var correction = TimeEntryCorrection()
    correction.changes.end = Change(from: end, to: moved)
    return .correct(entry.id, correction, policy: .refuse, reason: reason)
  }

  static let id = CommandOperand(
    "id", kind: .tracker(.entry), "The entry; -1 or @1 is the one with the latest end.")
  static let options = TrackerOptions.ofUser + EntryTimeOptions.placing + [EditVerb.reasonOption]
}
