import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The common part of `tag` and `untag`.
enum TagCorrection {
  /// Adds tags to entries or removes them.
  static func perform(
    _ arguments: CommandArguments, _ performer: PlanPerformer,
    _ correction: (
      _ entry: TimeEntry, _ names: [String], _ domain: DomainState
    ) throws(ToolFailure) -> TimeEntryCorrection
  ) throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let selection = EntrySelection(in: context)
      var (entries, rest, signed) = try selection.take(from: arguments)
      if entries.isEmpty { entries = [try selection.current(by: context.now)] }
      try EntryWords.refuseHints(in: rest.prefix(signed))
      let names = rest.map { word in
        let isSigned = word.utf8.count > 1 && (word.hasPrefix("#") || word.hasPrefix("+"))
        return isSigned ? String(word.dropFirst()) : word
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
