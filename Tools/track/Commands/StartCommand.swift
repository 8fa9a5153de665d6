import CivilTime
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Starts an entry.
struct StartCommand: TrackCommand {
  static let name = "start"
  static let syntax = CommandSyntax(
    "track start", summary: "Start an entry; a running one stops at the same instant.",
    discussion: """
      The words are an optional time and the description. Among them @NAME is the project, and \
      +NAME or #NAME is a tag (quote #, which begins a comment in most shells). @PROJECT/TASK is a \
      known project and its task, and @CLIENT/PROJECT one of several projects of a name. Projects \
      and tags that are not known are created. A word that was quoted in the shell and has blanks \
      is text, unless it is a sign and the name of a known project or tag. A word after a \
      backslash or after -- is text, too. More than 12 hours ago, an entry starts only after a \
      question, with --yes or with --policy.

      EXAMPLES
        track start write the report @thesis +focus
        track start 10min ago standup
        track start at 9:50 call +support
        track start --after-last review "@big project"
        track start -- "-5 degrees: defrost the pump"
      """,
    operands: [
      CommandOperand(
        "description", isOptional: true, repeats: true, kind: .tracker(.entryWords),
        "A time, the description, project and tags.")
    ],
    options: TrackerOptions.ofUser + PlacingOptions.starting + DraftOptions.all)

  let draft: DraftOptions
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    draft = DraftOptions(arguments)
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments),
      what: "The entry was not started.", createsStore: true, confirmsStart: true)
  }

  func perform() throws(ToolFailure) { try draft.start(runner) }
}

/// Stops the running entry and starts another one at the same instant.
struct SwitchCommand: TrackCommand {
  static let name = "switch"
  static let syntax = CommandSyntax(
    "track switch", summary: "Stop the running entry and start another one at that instant.",
    discussion: """
      The words are those of `track start`. With nothing running, the switch is refused.

      EXAMPLES
        track switch phone call @support
        track switch 5min ago lunch
        track switch --at 12:00 lunch
      """,
    operands: StartCommand.syntax.operands,
    options: TrackerOptions.ofUser + PlacingOptions.starting + DraftOptions.all)

  let draft: DraftOptions
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    draft = DraftOptions(arguments)
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments),
      what: "Nothing was switched.", confirmsStart: true)
  }

  func perform() throws(ToolFailure) { try draft.start(runner, requiresRunning: true) }
}

/// Stops the running entry.
struct StopCommand: TrackCommand {
  static let name = "stop"
  static let syntax = CommandSyntax(
    "track stop", summary: "Stop the running entry, or some of its tags.",
    discussion: """
      With nothing running, the stop is refused with exit code 1 and nothing is written. With \
      tags, only these end: another entry with the other tags starts at the same instant.

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
    options: TrackerOptions.ofUser + PlacingOptions.all)

  let words: [String]
  let tags: [String]
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    let signed = arguments.operands.prefix(arguments.operandsBeforeEnd)
    tags = signed.filter(Self.isTag).map { String($0.dropFirst()) }
    words =
      signed.filter { !Self.isTag($0) } + arguments.operands.dropFirst(signed.count)
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments),
      what: "Nothing was stopped.")
  }

  /// Returns whether a word is a tag and not an offset from UTC.
  private static func isTag(_ word: String) -> Bool {
    guard word.hasPrefix("#") || word.hasPrefix("+"), let second = word.utf8.dropFirst().first
    else { return false }
    return word.hasPrefix("#") || !(0x30...0x39).contains(second)
  }

  func perform() throws(ToolFailure) {
    try runner.run { (context) throws(ToolFailure) in
      let at = try runner.placing.moment(in: context, words)
      guard let user = context.user, let (_, entry) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(runner.what)
      }
      if let at, at <= entry.start {
        throw ToolFailure(
          what: runner.what, why: "The entry began at or after that time.",
          advice: "Give a later time, or remove the entry with `track cancel`.",
          exitCode: ToolExit.refused)
      }
      let removed = try entry.tagIDs(named: tags, in: context.domain)
      let rest = entry.tags.filter { !removed.contains($0) }
      let isEmpty = rest.isEmpty && entry.description.isEmpty && entry.project == nil
      guard !removed.isEmpty, !isEmpty else { return [.stop(user, at: at, policy: .refuse)] }
      var draft = TimeEntryDraft(
        user: .id(user), description: entry.description,
        zone: context.rules.recorded(at: at ?? context.now))
      draft.workspace = entry.workspace
      draft.project = entry.project.map { .id($0) }
      draft.task = entry.task.map { .id($0) }
      draft.tags = rest.map { .id($0) }
      draft.isBillable = entry.isBillable
      return [.start(draft, at: at, policy: .refuse)]
    }
  }
}

/// Continues an entry.
struct ContinueCommand: TrackCommand {
  static let name = "continue"
  static let syntax = CommandSyntax(
    "track continue", summary: "Start a new entry with the fields of an earlier one.",
    discussion: """
      Without words that is the entry that ended last; with an id, that one, and with other words \
      the newest that has them. A time may stand before those words. A running entry stops at the \
      same instant. The new entry is billed at the rate that its project has now. An entry of \
      another user is copied; that user's running entry goes on.

      EXAMPLES
        track continue
        track continue 12 9:00
        track continue @thesis +focus
        track continue report --at 9:00
      """,
    operands: [
      CommandOperand(
        "entry", isOptional: true, repeats: true, kind: .tracker(.entryThenWords),
        "An id, a time, words of the entry.")
    ],
    options: TrackerOptions.ofUser + PlacingOptions.starting)

  let words: [String]
  let signed: Int
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments) {
    words = arguments.operands
    signed = arguments.operandsBeforeEnd
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments),
      what: "No entry was continued.", confirmsStart: true)
  }

  func perform() throws(ToolFailure) {
    var remarks: [String] = []
    try runner.run(remarks: remarks) { (context) throws(ToolFailure) in
      var words = words.prefix(signed)
      remarks = []
      let named = try EntrySelection(in: context).takeIDs(from: &words, ofAnyUser: true)
      try LeadingTime.refuseRange(in: words, before: words, context.expressions)
      let time = try LeadingTime.takeTime(from: &words, in: context.stopExpressions)
      let at = try runner.placing.moment(in: context, leading: time)
      let rest = self.words.dropFirst(signed - words.count)
      let entry = try entry(
        named, rest, in: context, by: at ?? context.now, remarks: &remarks)
      let zone = context.rules.recorded(at: at ?? context.now)
      // The decision gives a resumed entry the user of the other one.
      guard entry.entry.user == context.user else {
        let draft = TimeEntryDraft(
          copying: entry.entry, for: Name(context.userName, in: context.domain.users), zone: zone,
          in: context.domain)
        remarks += context.deletedNotes(on: entry.entry)
        return [.start(draft, at: at, policy: .refuse)]
      }
      return [.resume(entry.id, at: at, zone: zone, policy: .refuse)]
    }
  }

  private func entry(
    _ named: [IdentifiedEntry], _ rest: ArraySlice<String>, in context: EntryContext,
    by moment: Moment, remarks: inout [String]
  ) throws(ToolFailure) -> IdentifiedEntry {
    if let entry = named.first {
      guard named.count == 1, rest.isEmpty else {
        throw .usage("Only one entry can be continued.", advice: "Give one id.")
      }
      return entry
    }
    if !rest.isEmpty {
      let words = try EntryWords.read(
        rest, signed: signed - (words.count - rest.count), isAfterTime: rest.count < words.count,
        in: context.domain)
      remarks = words.timeRemarks
      return try EntrySelection(in: context).newest(words)
    }
    let last = context.user.flatMap { context.domain.lastEntry(of: $0, endedBy: moment) }
    guard let last else { throw context.nothingEnded(runner.what) }
    return last
  }
}

extension TimeEntryDraft {
  /// Makes the draft of an entry of a user with the fields of one of another user, except for what
  /// was deleted since.
  fileprivate init(
    copying entry: TimeEntry, for user: Name, zone: RecordedZone, in domain: DomainState
  ) {
    self.init(user: .name(user), description: entry.description, zone: zone)
    let project = entry.project.flatMap { domain.projects.resolve($0) }
    let place =
      project.map { domain.projects[$0]?.workspace }
      ?? entry.workspace.flatMap { id in domain.workspaces.live(id).map { _ in id } }
    workspace = place
    self.project = project.map { .id($0) }
    if let id = entry.task.flatMap({ domain.tasks.resolve($0) }), let project,
      domain.tasks[id].flatMap({ domain.projects.resolve($0.project) }) == project
    {
      task = .id(id)
    }
    tags = entry.tags.compactMap { domain.tags.resolve($0) }
      .filter { domain.tags[$0]?.workspace == place }
      .map { .id($0) }
    isBillable = entry.isBillable
    annotations = entry.annotations
  }
}

/// Deletes the running entry.
struct CancelCommand: TrackCommand {
  static let name = "cancel"
  static let syntax = CommandSyntax(
    "track cancel", summary: "Delete the running entry.",
    discussion: """
      With nothing running, it is refused with exit code 1. `track undo` brings the entry back.

      EXAMPLES
        track cancel
        track cancel --reason "started by mistake" --dry-run
        track cancel --json
      """,
    options: TrackerOptions.ofUser + [EditCommand.reasonOption, PlacingOptions.dryRunOption])

  let runner: EntryCommandRunner
  private let reason: String?

  init(_ arguments: CommandArguments) {
    reason = arguments[EditCommand.reasonOption]
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments), placing: PlacingOptions(arguments),
      what: "Nothing was canceled.")
  }

  func perform() throws(ToolFailure) {
    try runner.run { (context) throws(ToolFailure) in
      guard let user = context.user, let (id, _) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(runner.what)
      }
      return [.delete(id, reason: reason)]
    }
  }
}

extension EntryContext {
  /// Returns the refusal of a command that needs a running entry.
  func nothingRunning(_ what: String) -> ToolFailure {
    let refusal = ToolFailure.refused(what, .entry(.nothingRunning), in: domain)
    return MissingUser(userName, in: domain)?.failure(what) ?? refusal
  }
}
