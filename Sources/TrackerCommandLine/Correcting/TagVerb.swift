import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Adds tags to entries.
struct TagVerb: Verb {
  static let name = "tag"
  static let syntax = CommandSyntax(
    "track tag", summary: "Add tags to entries.",
    discussion: """
      The entries are given by ids, by ranges of ids such as 52-54 or by --filter; without these, \
      it is the running entry or else the one that ended last. All other words are tags.

      EXAMPLES
        track tag 12 focus
        track tag 12 13 focus "deep work"
        track tag +meeting --reason "asked by the client"
        track tag --filter "@thesis or #draft" deep --dry-run
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
    performer = PlanPerformer(arguments, in: context, what: "Nothing was tagged.")
  }

  func perform() throws(ToolFailure) {
    try TagCorrection.perform(arguments, performer) { entry, names, domain in
      var correction = TimeEntryCorrection()
      correction.addTags(names.map { Name($0, in: domain.tags) }, to: entry, in: domain)
      return correction
    }
  }
}
