import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The common part of `tag` and `untag`.
struct TagCorrection {
  private let arguments: CommandArguments
  private let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext, what: String) {
    self.arguments = arguments
    performer = PlanPerformer(arguments, in: context, what: what)
  }

  /// Returns the syntax of a command.
  static func syntax(_ name: String, _ summary: String, _ examples: String) -> CommandSyntax {
    CommandSyntax(
      "track \(name)", summary: summary,
      discussion: """
        The entries are given by ids, by ranges of ids such as 52-54 or by --filter; without \
        these, it is the running entry or else the one that ended last. All other words are tags; \
        a tag of digits needs a plus sign, as in +2026. What was changed is printed, and \
        `track undo` takes it back.

        EXAMPLES
        \(examples)
        """,
      operands: [
        CommandOperand(
          "words", repeats: true, kind: .tracker(.entryThenTags), "Ids, then tags.")
      ],
      options: TrackerOptions.ofUser + EntrySelection.options)
  }

  /// Adds tags to entries or removes them.
  func perform(
    _ correction: (
      _ entry: TimeEntry, _ names: [String], _ domain: DomainState
    ) throws(ToolFailure) -> TimeEntryCorrection
  ) throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      var (entries, rest, signed) = try selection.take(from: arguments)
      if entries.isEmpty { entries = [try selection.current(by: context.now)] }
      try EntryWords.refuseHints(in: rest.prefix(signed))
      let names = rest.flatMap { word in
        let isSigned = word.utf8.count > 1 && (word.hasPrefix("#") || word.hasPrefix("+"))
        return context.domain.tagNames(isSigned ? String(word.dropFirst()) : word)
      }
      guard !names.isEmpty else {
        throw .usage("The tags are missing.", advice: "Write them after the id.")
      }
      return try EntryRequest(
        correcting: entries, arguments, unchanged: "The entries have these tags already."
      ) { (entry) throws(ToolFailure) in try correction(entry, names, context.domain) }
    }
  }
}
