import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Adds tags to entries.
struct TagCommand: TrackCommand {
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
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    self.arguments = arguments
    runner = EntryCommandRunner(changing: arguments, what: "Nothing was tagged.")
  }

  func perform() throws(ToolFailure) {
    try track.perform(arguments, runner) { entry, names, domain in
      var correction = TimeEntryCorrection()
      correction.addTags(names.map { Name($0, in: domain.tags) }, to: entry, in: domain)
      return correction
    }
  }
}

/// Removes tags from entries.
struct UntagCommand: TrackCommand {
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
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    self.arguments = arguments
    runner = EntryCommandRunner(changing: arguments, what: "Nothing was untagged.")
  }

  func perform() throws(ToolFailure) {
    try track.perform(arguments, runner) { (entry, names, domain) throws(ToolFailure) in
      let removed = try entry.tagIDs(named: names, in: domain)
      var correction = TimeEntryCorrection()
      correction.changes.tags = Change(
        from: entry.tags, to: entry.tags.filter { !removed.contains($0) })
      return correction
    }
  }
}

/// Adds tags to entries or removes them.
private func perform(
  _ arguments: CommandArguments, _ runner: EntryCommandRunner,
  _ correction: (
    _ entry: TimeEntry, _ names: [String], _ domain: DomainState
  ) throws(ToolFailure) -> TimeEntryCorrection
) throws(ToolFailure) {
  try runner.run { (context) throws(ToolFailure) in
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
    return try EntryCommandRunner.corrections(
      of: entries, arguments, unchanged: "The entries have these tags already."
    ) { (entry) throws(ToolFailure) in try correction(entry, names, context.domain) }
  }
}
