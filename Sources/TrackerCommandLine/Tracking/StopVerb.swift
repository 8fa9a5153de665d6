import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Stops the running entry.
struct StopVerb: Verb {
  static let name = "stop"
  static let syntax = CommandSyntax(
    "track stop", summary: "Stop the running entry, or some of its tags.",
    discussion: """
      With nothing running, the stop is refused with exit code 1 and nothing is written. With \
      tags, only these end: another entry with the other tags starts at the same instant. On a \
      terminal, a stop without a time asks when the entry ended if the machine slept while it ran; \
      see `track help status`.

      EXAMPLES
        track stop
        track stop 17:30
        track stop 10min ago
        track stop 11:00 +phone
        track stop --policy allow        after more than 12 hours
      """,
    operands: [
      CommandOperand("time", isOptional: true, repeats: true, "When it stopped, then tags.")
    ],
    options: TrackerOptions.ofUser + EntryTimeOptions.all)

  let words: [String]
  let tags: [String]
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    var (tags, words): ([String], [String]) = ([], [])
    for word in arguments.operands.prefix(arguments.operandsBeforeEnd) {
      let isTag = word.hasPrefix("#") || word.hasPrefix("+")
      if isTag, word.utf8.count > 1, !EntryWords.isOffset(word, after: words.last) {
        tags.append(String(word.dropFirst()))
      } else {
        words.append(word)
      }
    }
    self.tags = tags
    self.words = words + arguments.operands.dropFirst(arguments.operandsBeforeEnd)
    performer = PlanPerformer(arguments, in: context, what: "Nothing was stopped.")
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let at = try performer.times.moment(in: context, words)
      guard let user = context.user, let (_, entry) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(performer.what)
      }
      if let at, at <= entry.start {
        throw performer.failure(
          "The entry began at or after that time.",
          "Give a later time, or remove the entry with `track cancel`.")
      }
      let names = tags.flatMap(context.domain.tagNames)
      let removed = try entry.tagIDs(named: names, in: context.domain)
      let rest = entry.tags.filter { !removed.contains($0) }
      let isEmpty = rest.isEmpty && entry.description.isEmpty && entry.project == nil
      guard !removed.isEmpty, !isEmpty else {
        return EntryRequest([.stop(user, at: at, policy: .refuse)])
      }
      var draft = TimeEntryDraft(
        user: .id(user), description: entry.description,
        zone: context.rules.recorded(at: at ?? context.now))
      draft.workspace = entry.workspace
      draft.project = entry.project.map { .id($0) }
      draft.task = entry.task.map { .id($0) }
      draft.tags = rest.map { .id($0) }
      draft.isBillable = entry.isBillable
      return EntryRequest([.start(draft, at: at, policy: .refuse)])
    }
  }
}
