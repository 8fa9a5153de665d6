import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Performs commands about time entries and prints the entries that they changed.
struct EntryCommandRunner {
  let options: TrackerOptions
  let placing: EntryTimeOptions
  /// What is said if a command is refused.
  let what: String
  /// Whether the store is created if needed; only for commands that need no entry.
  var createsStore = false
  /// Whether the user is asked before the commands are performed.
  var confirms = false
  /// Whether the user is asked before an entry starts more than 12 hours ago.
  var confirmsStart = false
  /// Whether the user is asked before several entries get one description.
  var confirmsTexts = false

  /// Performs commands of the user of the options, and prints what they changed.
  ///
  /// - Parameters:
  ///   - remarks: Returns what is worth saying about the words; it is called after `make`.
  ///   - make: Returns the commands; it may be called twice.
  func run(
    remarks: @autoclosure () -> [String] = [],
    _ make: (EntryContext) throws(ToolFailure) -> [TimeEntryCommand]
  ) throws(ToolFailure) {
    let name = try options.userName()
    if placing.isDryRun { return try preview(make, remarks: remarks()) }
    let (tracker, confirmed) = try store(for: name, make)
    do throws(ToolFailure) {
      // A command of a batch may have another zone than the one that opened the store.
      let rules = options.context.isBatch ? try options.zone() : tracker.zone
      let (context, decided) = try tracker.verified { (domain) throws(ToolFailure) in
        let context = try self.context(of: name, in: domain, rules, tracker.now())
        return (context, try self.decided(in: context, make))
      }
      let commands = if let confirmed { confirmed } else { try commands(decided, in: context) }
      do throws(CommandError<TimeTracker>) {
        var parts: [EntryChanges] = []
        try tracker.perform(commands, closing: options.context.closesStore) { changes in
          options.context.noteForHooks(
            changes, before: context.domain, at: context.now, options)
          parts.append(changes)
        }
        printed(parts, of: commands, in: context, remarks: remarks()).forEach(print)
      } catch {
        guard case .refused(let refusal, _) = error else {
          throw ToolFailure(what, error, in: context.domain, options.context)
        }
        throw refused(refusal, in: context.domain, commands, context)
      }
    } catch {
      try? options.context.close(tracker)
      throw error
    }
  }

  /// Returns the result of `body` for the latest entities, without opening the store for writing.
  ///
  /// - Parameter body: It may be called twice, so it must not print. The entities read pages of the
  ///   store, so it must not return them.
  func read<Result>(
    _ body: (EntryContext) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    let name = try options.userName()
    let (rules, now) = (try options.zone(), try options.currentMoment())
    return try options.read(creating: createsStore) { domain in
      Swift.Result { () throws(ToolFailure) in
        try body(try self.context(of: name, in: domain, rules, now))
      }
    }
  }

  /// Returns what commands depend on.
  ///
  /// Times are read in the zone in which they are shown: of the option, of the preferences or of
  /// the process.
  ///
  /// - Parameter process: The zone of the process or of the option.
  private func context(
    of name: String, in domain: DomainState, _ process: ZoneRules, _ now: Moment
  ) throws(ToolFailure) -> EntryContext {
    let user = domain.user(named: name)
    let preferences = user.flatMap { domain.preferences(of: $0)?.set }
    let calendar = try options.context.calendar(
      of: name, preferences, zone: try options.givenZone(), process: process)
    return EntryContext(
      domain: domain, userName: name, user: user, namesUser: options.namesUser,
      preferences: preferences, calendar: calendar, now: now,
      readings: options.context.readings,
      savedFilters: options.context.settings.savedFilters)
  }

  /// Decides commands on the latest state, and prints what they would change.
  private func preview(
    _ make: (EntryContext) throws(ToolFailure) -> [TimeEntryCommand],
    remarks: @autoclosure () -> [String]
  ) throws(ToolFailure) {
    let texts = try read { (context) throws(ToolFailure) in
      let commands = try commands(try decided(in: context, make), in: context)
      var parts: [EntryChanges] = []
      try preview(commands, in: context) { parts.append($0) }
      return printed(parts, of: commands, in: context, remarks: remarks())
    }
    texts.forEach(print)
  }

  /// Calls `body` with what each command would change, in order.
  ///
  /// - Throws: The refusal of the first command that is refused.
  private func preview(
    _ commands: [TimeEntryCommand], in context: EntryContext, _ body: (EntryChanges) -> Void
  ) throws(ToolFailure) {
    var state = context.domain
    do throws(DomainRefusal) {
      try EntryChanges.preview(commands, on: &state, at: context.now).forEach(body)
    } catch {
      throw refused(error, in: state, commands, context)
    }
  }

  /// Commands, and why one of them is refused if the user can choose another policy.
  private struct Decided {
    var commands: [TimeEntryCommand]
    var refusal: (DomainRefusal, ToolFailure)?
  }

  /// Decides commands under the policy of the options.
  ///
  /// - Throws: The refusal of one of several commands, so that none of them is performed.
  private func decided(
    in context: EntryContext,
    _ make: (EntryContext) throws(ToolFailure) -> [TimeEntryCommand]
  ) throws(ToolFailure) -> Decided {
    let preferred = placing.policy(in: context)
    let commands = try make(context).map {
      options.context.zones.recordingOffset(
        $0.with(preferred), in: context.domain, known: context.rules)
    }
    guard commands.count <= TimeEntries.commandsMax else {
      throw .usage(
        "One command changes at most \(TimeEntries.commandsMax) entries.",
        advice: "Give fewer ids at once, or a narrower filter.")
    }
    // A policy that an option gives holds, also with --yes.
    let mayChoose =
      preferred == .refuse && !placing.hasPolicy
      && placing.mayChoosePolicy(for: commands, options)
    var decided = Decided(commands: commands)
    guard mayChoose || commands.count > 1 else { return decided }
    var state = context.domain
    do throws(DomainRefusal) {
      _ = try EntryChanges.preview(commands, on: &state, at: context.now)
    } catch {
      let failure = refused(error, in: state, commands, context)
      guard mayChoose else { throw failure }
      decided.refusal = (error, failure)
    }
    return decided
  }

  /// Returns the commands, under the policy that the user chooses if one of them is refused.
  private func commands(
    _ decided: Decided, in context: EntryContext
  ) throws(ToolFailure) -> [TimeEntryCommand] {
    func lines(of commands: [TimeEntryCommand]) throws(ToolFailure) -> [String] {
      var parts: [EntryChanges] = []
      try preview(commands, in: context) { parts.append($0) }
      return texts(of: parts, by: commands, in: context).flatMap {
        self.lines($0, by: commands, in: context, isDryRun: true)
      }
    }
    func confirm(_ asked: (question: String, failure: ToolFailure)?) throws(ToolFailure) {
      guard let asked else { return }
      try placing.confirm(asked.question, asked.failure, options) { () throws(ToolFailure) in
        try lines(of: decided.commands)
      }
    }
    let early = refusedStart(of: decided.commands, in: context)
    if !placing.isConfirmed, let early {
      try placing.confirm("Start it then?", early, options) { [] }
    }
    guard let (refusal, failure) = decided.refusal else {
      if !placing.isConfirmed { try confirm(question(about: decided.commands)) }
      // --yes answers one question only.
      let isAnswered = early == nil && placing.yesChoosesPolicy(for: decided.commands)
      if !placing.isDryRun, !isAnswered {
        try confirm(try deletion(by: decided.commands, in: context))
      }
      return decided.commands
    }
    if early != nil, placing.isConfirmed {
      var unanswered = failure
      unanswered.advice =
        "Look at it with --dry-run, and give the policy, such as --policy adjust."
      throw unanswered
    }
    let policy = try placing.policy(
      for: decided.commands, after: refusal, failure, options.output
    ) {
      (policy) throws(ToolFailure) in
      try lines(of: decided.commands.map { $0.with(policy) })
    }
    return decided.commands.map { $0.with(policy) }
  }

  /// Returns the failure of a start so long ago that the user has to confirm it; `nil` for others.
  private func refusedStart(
    of commands: [TimeEntryCommand], in context: EntryContext
  ) -> ToolFailure? {
    guard confirmsStart, !placing.hasPolicy, placing.policy(in: context) != .allow,
      let start = commands.lazy.compactMap(\.givenStart).first,
      context.now.elapsed(since: start) > TimeEntry.usualDurationMax
    else { return nil }
    let local = context.rules.local(at: start)
    return failure(
      "It would run since \(local.date) \(local.clock), for more than 12 hours.",
      "Record an entry that has ended with `track add`, or repeat the command with --yes.")
  }

  private func failure(_ why: String, _ advice: String) -> ToolFailure {
    ToolFailure(what: what, why: why, advice: advice, exitCode: ToolExit.refused)
  }

  /// Returns what is asked before commands change several entries, and the failure without a yes;
  /// `nil` if nothing is asked.
  private func question(about commands: [TimeEntryCommand]) -> (String, ToolFailure)? {
    let (look, change) = ("Look at them with --dry-run", "change them with --yes")
    if confirms {
      let entries = commands.count == 1 ? "1 entry" : "\(commands.count) entries"
      let isDeletion = commands.allSatisfy { if case .delete = $0 { true } else { false } }
      let verb = isDeletion ? "delete" : "change"
      return (
        "\(verb.capitalizedFirst) \(entries)?",
        failure(
          "The filter selects \(entries) to \(verb).", "\(look), and \(verb) them with --yes.")
      )
    }
    let count = confirmsTexts ? commands.count { $0.description != nil } : 0
    if count > 1, let text = commands.lazy.compactMap(\.description).first {
      return (
        "Change \(count) entries?",
        failure(
          "\(count) entries would get the description \"\(TextWidth.cut(text, to: 30))\".",
          "\(look), and \(change); write -- before a text that begins with a number.")
      )
    }
    return nil
  }

  /// Returns what is asked before commands delete whole entries by the policy of the preferences,
  /// and the failure without a yes; `nil` if they delete none.
  private func deletion(
    by commands: [TimeEntryCommand], in context: EntryContext
  ) throws(ToolFailure) -> (String, ToolFailure)? {
    guard placing.adjustsByPreference(in: context) else { return nil }
    let targets = Set(commands.compactMap(\.target) + commands.compactMap(\.joined))
    var deleted: [TimeEntryID] = []
    try preview(commands, in: context) { changes in
      deleted += changes.changed.filter { id in
        !targets.contains(id) && changes.state.timeEntries.live(id) == nil
      }
    }
    guard !deleted.isEmpty else { return nil }
    let listed = context.domain.mention(of: deleted, zone: context.rules)
    return (
      "Delete \(deleted.count == 1 ? "this entry" : "these \(deleted.count) entries")?",
      failure(
        "By the policy of the preferences it would delete \(listed).",
        "Look at them with --dry-run, and repeat the command with --policy adjust to delete them.")
    )
  }

  /// Opens the store; creates it only for commands that are not refused, and returns these, so that
  /// nothing is asked twice.
  private func store(
    for name: String, _ make: (EntryContext) throws(ToolFailure) -> [TimeEntryCommand]
  ) throws(ToolFailure) -> (TrackerStore, confirmed: [TimeEntryCommand]?) {
    do throws(ToolFailure) {
      return (try options.open(creating: false), nil)
    } catch {
      guard error.isMissingStore else { throw error }
    }
    let context = try context(
      of: name, in: DomainState(), try options.zone(), try options.currentMoment())
    let commands = try commands(try decided(in: context, make), in: context)
    guard createsStore, let first = commands.first else {
      throw ToolFailure(
        what: what, why: "There are no entries yet.",
        advice: "Start one: `track start DESCRIPTION`.", exitCode: ToolExit.refused)
    }
    try preview([first], in: context) { _ in }
    return (try options.open(creating: true), commands)
  }

  /// Returns the failure for a refusal of one of some commands.
  ///
  /// - Parameter state: The entities before that command.
  private func refused(
    _ refusal: DomainRefusal, in state: DomainState, _ commands: [TimeEntryCommand],
    _ context: EntryContext
  ) -> ToolFailure {
    if refusal == .entry(.endsBeforeStart), let early = runningLater(commands, in: state, context) {
      return early
    }
    // The times that entries have before all of the commands.
    let isTaken = if case .entry(.takenByOthers) = refusal { true } else { false }
    var failure = ToolFailure.refused(
      what, refusal, in: isTaken ? context.domain : state, context.rules)
    guard case .entry(.tooLong(let time)) = refusal, commands.contains(where: \.isStart),
      let user = context.user, let (_, running) = state.runningEntry(of: user)
    else { return failure }
    let isPossible = time <= TimeEntry.durationMax
    let end = context.rules.local(at: running.start.adding(.seconds(3_600)))
    let example = isPossible ? "yesterday 17:30" : "\(end.date) \(end.clock)"
    failure.advice =
      "Stop the running entry first, with the time at which it ended: `track stop \"\(example)\"`"
      + (isPossible ? ", or repeat the command with --policy allow to record it as it is." : ".")
    return failure
  }

  /// Returns the failure of a command that would end now an entry which begins in the future; `nil`
  /// for other commands.
  private func runningLater(
    _ commands: [TimeEntryCommand], in state: DomainState, _ context: EntryContext
  ) -> ToolFailure? {
    guard commands.contains(where: \.endsRunningEntryNow), let user = context.user,
      let (id, running) = state.runningEntry(of: user), running.start > context.now
    else { return nil }
    let local = context.rules.local(at: running.start)
    return failure(
      "The entry #\(id.value) is planned to begin at \(local.date) \(local.clockWithSeconds).",
      "Correct its start with `track edit \(id.value) --start TIME`, or remove it with "
        + "`track cancel`.")
  }

  /// Prints a line on what a command did, broken at blanks on a terminal.
  static func echo(_ line: String, _ output: Output) { output.printWrapped(line, indent: 9) }

  /// What is printed of the changes of a command.
  private enum PrintedChanges {
    case json(JSONValue)
    case lines([String])
  }

  /// Returns the output lines of some commands, with remarks after the last one.
  private func printed(
    _ parts: [EntryChanges], of commands: [TimeEntryCommand], in context: EntryContext,
    remarks: [String]
  ) -> [PrintedChanges] {
    let texts = texts(of: parts, by: commands, in: context)
    return texts.enumerated().map { index, text in
      let remarks = index == parts.count - 1 ? remarks : []
      let isDryRun = placing.isDryRun
      guard options.json else {
        let lines = lines(text, by: commands, in: context, isDryRun: isDryRun)
        return .lines(lines + remarks.map(EntryChangesText.line(ofNote:)))
      }
      let notes =
        text.notes(in: context.rules) + notes(on: text.changes, by: commands, in: context) + remarks
      return .json(text.json(notes: notes, isDryRun: isDryRun, options.context.zones))
    }
  }

  private func print(_ changes: PrintedChanges) {
    switch changes {
    case .json(let json): options.output.print(json)
    case .lines(let lines): lines.forEach { Self.echo($0, options.output) }
    }
  }

  private func texts(
    of parts: [EntryChanges], by commands: [TimeEntryCommand], in context: EntryContext
  ) -> [EntryChangesText] {
    let targets = Set(commands.compactMap(\.target))
    return EntryChangesText.texts(parts, targets: targets, at: context.now)
  }

  /// Returns what is printed of the changes of one of some commands, a line for each entry and for
  /// each note.
  private func lines(
    _ text: EntryChangesText, by commands: [TimeEntryCommand], in context: EntryContext,
    isDryRun: Bool
  ) -> [String] {
    text.lines(in: context.rules, options.context.zones, isDryRun: isDryRun)
      + notes(on: text.changes, by: commands, in: context).map(EntryChangesText.line(ofNote:))
  }

  /// Returns what is worth saying about the changes of one of some commands, beside what the
  /// changes themselves say.
  private func notes(
    on changes: EntryChanges, by commands: [TimeEntryCommand], in context: EntryContext
  ) -> [String] {
    var notes: [String] = []
    for case .join(let one, let other, _, _, _) in commands {
      guard let pause = context.pause(between: one, and: other) else { continue }
      notes.append("the break of \(pause.clock) between them is counted")
    }
    for case .resume(let id, _, _, _) in commands {
      if let entry = context.domain.timeEntries[id] { notes += context.deletedNotes(on: entry) }
    }
    // The part of an entry of another user makes no user.
    let makesUser = changes.edits.contains { edit in
      if case .user(.inserted) = edit { true } else { false }
    }
    guard context.user == nil, makesUser else { return notes }
    if let missing = MissingUser(context.userName, in: context.domain) {
      notes.append(missing.note)
    }
    return notes
  }
}

extension EntryCommandRunner {
  /// Creates the runner of a command that changes the entries of ids or of `--filter`.
  init(changing arguments: CommandArguments, in context: VerbContext, what: String) {
    self.init(
      options: TrackerOptions(arguments, in: context), placing: EntryTimeOptions(arguments),
      what: what,
      confirms: arguments.has(EntrySelection.filterOption))
  }

  /// Returns the corrections of entries, without those that change nothing.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - arguments: The arguments, which may give the reason.
  ///   - unchanged: Why the command is refused if no entry changes.
  ///   - correction: Returns the correction of an entry.
  static func corrections(
    of entries: [IdentifiedEntry], _ arguments: CommandArguments, unchanged: String,
    _ correction: (TimeEntry) throws(ToolFailure) -> TimeEntryCorrection
  ) throws(ToolFailure) -> [TimeEntryCommand] {
    var commands: [TimeEntryCommand] = []
    for entry in entries {
      let correction = try correction(entry.entry)
      guard correction != TimeEntryCorrection() else { continue }
      commands.append(
        .correct(
          entry.id, correction, policy: .refuse, reason: arguments[EditVerb.reasonOption]))
    }
    guard !commands.isEmpty else { throw .noEntry(unchanged) }
    return commands
  }
}

extension TimeEntryCommand {
  /// Whether the command ends the running entry by starting another one.
  fileprivate var isStart: Bool {
    switch self {
    case .start, .resume: true
    case .stop, .add, .correct, .delete, .split, .join, .several: false
    }
  }

  /// Whether the command ends the running entry at the present.
  fileprivate var endsRunningEntryNow: Bool {
    switch self {
    case .start(_, let at, policy: _): at == nil
    case .resume(_, let at, zone: _, policy: _): at == nil
    case .stop(_, let at, policy: _): at == nil
    case .add, .correct, .delete, .split, .join, .several: false
    }
  }

  /// The given moment at which the command starts an entry; `nil` for now and for other commands.
  fileprivate var givenStart: Moment? {
    switch self {
    case .start(_, let at, policy: _): at
    case .resume(_, let at, zone: _, policy: _): at
    case .stop, .add, .correct, .delete, .split, .join, .several: nil
    }
  }

  /// The description that the command gives to an entry; `nil` if it keeps the one that it has.
  fileprivate var description: String? {
    guard case .correct(_, let correction, policy: _, rules: _, reason: _) = self else {
      return nil
    }
    return correction.changes.description?.after
  }

  /// The entry that the user named.
  var target: TimeEntryID? {
    switch self {
    case .start, .stop, .add, .resume, .several: nil
    case .correct(let id, _, _, _, _), .delete(let id, _), .split(let id, _, _): id
    case .join(let id, _, _, _, _): id
    }
  }

  /// The entry that the command removes besides its target; `nil` if it removes none.
  fileprivate var joined: TimeEntryID? {
    if case .join(_, let id, _, _, _) = self { id } else { nil }
  }
}
