import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Deletes entries.
struct DeleteVerb: Verb {
  static let name = "delete"
  static let syntax = CommandSyntax(
    "track delete", summary: "Delete entries.",
    discussion: """
      All of them are one change, which `track undo` takes back.

      EXAMPLES
        track delete 12
        track delete 12 13 --reason "recorded twice"
        track delete -1 --dry-run
        track delete --filter "#draft and date:2026-03" --dry-run
      """,
    operands: [
      CommandOperand(
        "id", isOptional: true, repeats: true, kind: .tracker(.entry),
        "The entry; -1 or @1 is the one with the latest end, and 52-54 is a range.")
    ],
    options: TrackerOptions.ofUser + EntrySelection.options)

  let arguments: CommandArguments
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    performer = PlanPerformer(arguments, in: context, what: "Nothing was deleted.")
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      let (entries, rest, _) = try selection.take(from: arguments, afterEnd: true)
      if let word = rest.first { throw .noID(word) }
      guard !entries.isEmpty else {
        throw .usage("The entry is missing.", advice: "Give its id, or --filter FILTER.")
      }
      let reason = arguments[EditVerb.reasonOption]
      return EntryRequest(entries.map { .delete($0.id, reason: reason) })
    }
  }
}

extension ToolFailure {
  static func noID(_ word: String) -> ToolFailure {
    .usage(
      "\(word) is no id of an entry.",
      advice: "Give a number that `track log` shows, or -1 for the entry with the latest end.")
  }
}
