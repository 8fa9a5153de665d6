import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Removes tags from entries.
struct UntagVerb: Verb {
  static let name = "untag"
  static let syntax = CommandSyntax(
    "track untag", summary: "Remove tags from entries.",
    discussion: """
      The entries are given by ids, by ranges of ids such as 52-54 or by --filter; without these, \
      it is the running entry or else the one that ended last. All other words are tags.

      EXAMPLES
        track untag 12 focus
        track untag 12 13 draft
        track untag -1 draft --reason "it was sent" --dry-run
      """,
    operands: [
      CommandOperand(
        "words", repeats: true, kind: .tracker(.entryThenTags), "Ids, then tags.")
    ],
    options: TrackerOptions.ofUser + EntrySelection.options)

  let arguments: CommandArguments
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    performer = PlanPerformer(arguments, in: context, what: "Nothing was untagged.")
  }

  func perform() throws(ToolFailure) {
    try TagCorrection.perform(arguments, performer) { (entry, names, domain) throws(ToolFailure) in
      let removed = try entry.tagIDs(named: names, in: domain)
      var correction = TimeEntryCorrection()
      correction.changes.tags = Change(
        from: entry.tags, to: entry.tags.filter { !removed.contains($0) })
      return correction
    }
  }
}
