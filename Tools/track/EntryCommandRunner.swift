import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTerminal
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// What a command about time entries is made from.
struct EntryContext {
  var domain: DomainState
  /// The name of the user.
  var userName: String
  /// The user; `nil` for a new one.
  var user: UserID?
  /// Whether an option names the user.
  var namesUser = false
  var rules: ZoneRules
  var now: Moment

  /// What the meaning of times depends on.
  var expressions: ExpressionContext { expressions(after: nil) }

  /// What the meaning of a time depends on at which a running entry stops: after midnight, 23:00 is
  /// on the day before if the entry ran then.
  var stopExpressions: ExpressionContext {
    expressions(after: user.flatMap { domain.runningEntry(of: $0) }?.1.start)
  }

  private func expressions(after earliest: Moment?) -> ExpressionContext {
    let preferences = user.flatMap { domain.preferences(of: $0)?.set }
    return ExpressionContext(
      zone: rules, now: now, firstWeekday: Int(preferences?.firstWeekday ?? 1),
      dayStart: preferences?.dayStart ?? .zero, after: earliest)
  }
}

extension EntryContext {
  /// Returns that a new entry has not the deleted project, task and tags of the one that it copies.
  func deletedNotes(on entry: TimeEntry) -> [String] {
    func note<ID, Entity: MergeableEntity>(
      _ kind: String, _ table: EntityTable<ID, Entity>, _ id: ID
    ) -> String? where Entity.ID == ID {
      guard table.resolve(id) == nil else { return nil }
      return table.read(id) { "the \(kind) \($0.name.text) is deleted, so it is left out" }
    }
    let project = entry.project.flatMap { note("project", domain.projects, $0) }
    let task = entry.task.flatMap { note("task", domain.tasks, $0) }
    return [project, task].compactMap { $0 }
      + entry.tags.compactMap { note("tag", domain.tags, $0) }
  }

  /// Returns the time between two entries; `nil` if there is none.
  fileprivate func pause(between one: TimeEntryID, and other: TimeEntryID) -> ElapsedTime? {
    guard let one = domain.timeEntries[one], let other = domain.timeEntries[other] else {
      return nil
    }
    let (first, second) = one.start <= other.start ? (one, other) : (other, one)
    guard let end = first.end, end < second.start else { return nil }
    return second.start.elapsed(since: end)
  }
}

/// Performs commands about time entries and prints the entries that they changed.
struct EntryCommandRunner {
  let options: TrackerOptions
  let placing: PlacingOptions
  /// What is said if a command is refused.
  let what: String
  /// Whether the store is created if there is none; only for commands that need no entry.
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
      let rules = tracker.staysOpen ? try options.zone() : tracker.zone
      let (context, decided) = try tracker.verified { (domain) throws(ToolFailure) in
        let context = try self.context(of: name, in: domain, rules, tracker.now())
        return (context, try self.decided(in: context, make))
      }
      let commands = if let confirmed { confirmed } else { try commands(decided, in: context) }
      do throws(CommandError<TimeTracker>) {
        var parts: [EntryChanges] = []
        try tracker.performAndClose(commands) { changes in
          Hooks.note(changes, before: context.domain, at: context.now, options)
          parts.append(changes)
        }
        printed(parts, of: commands, in: context, remarks: remarks()).forEach(Self.print)
      } catch {
        guard case .refused(let refusal, _) = error else {
          throw ToolFailure(what, error, in: context.domain)
        }
        throw refused(refusal, in: context.domain, commands, context)
      }
    } catch {
      try? tracker.close()
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
  /// Times are read in the zone in which they are shown: that of the option, of the preferences or
  /// of the process.
  ///
  /// - Parameter process: The zone of the process, or that of the option.
  private func context(
    of name: String, in domain: DomainState, _ process: ZoneRules, _ now: Moment
  ) throws(ToolFailure) -> EntryContext {
    let user = domain.user(named: name)
    let given = try options.givenZone()
    var rules = domain.shownZone(of: user, given: given) { () throws(Never) in process }
    // Says which rules this system lacks.
    if rules == nil { rules = try ReportCalendar(of: name, in: domain, zone: given).rules }
    return EntryContext(
      domain: domain, userName: name, user: user, namesUser: options.namesUser,
      rules: rules ?? process, now: now)
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
    texts.forEach(Self.print)
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
      throw conflict(of: commands, in: state, context)
        ?? refused(error, in: state, commands, context)
    }
    if let conflict = conflict(of: commands, in: state, context) { throw conflict }
  }

  /// Returns the failure of commands one of which takes time of an entry that another one changes;
  /// `nil` if none does.
  ///
  /// - Parameter state: The entities after the commands, or before the one that is refused.
  private func conflict(
    of commands: [TimeEntryCommand], in state: DomainState, _ context: EntryContext
  ) -> ToolFailure? {
    guard commands.count > 1 else { return nil }
    let lost = commands.compactMap { command -> TimeEntryID? in
      guard case .correct(let id, let correction, policy: .adjust, _) = command,
        let before = context.domain.timeEntries.live(id)
      else { return nil }
      guard let after = state.timeEntries.live(id) else { return id }
      let starts = [before.start, correction.changes.start?.after ?? before.start]
      let ends = [before.end, correction.changes.end.map { $0.after } ?? before.end]
      return starts.contains(after.start) && ends.contains(after.end) ? nil : id
    }
    guard !lost.isEmpty else { return nil }
    return failure(
      "By the policy adjust, another entry of those to change would take the time of "
        + "\(ToolFailure.overlap(lost, in: context.domain, context.rules)).",
      "Change fewer entries, or repeat the command with --policy allow to let them overlap.")
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
      $0.with(preferred).recordingOffset(in: context.domain, known: context.rules)
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
      let failure =
        conflict(of: commands, in: state, context) ?? refused(error, in: state, commands, context)
      guard mayChoose else { throw failure }
      decided.refusal = (error, failure)
    }
    if let conflict = conflict(of: commands, in: state, context) { throw conflict }
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
    let policy = try placing.policy(for: decided.commands, after: refusal, failure) {
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
          "\(count) entries would get the description \"\(Table.cut(text, to: 30))\".",
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
    let listed = ToolFailure.overlap(deleted, in: context.domain, context.rules)
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
    var failure = ToolFailure.refused(what, refusal, in: state, context.rules)
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
      "The running entry #\(id.value) begins in the future, at \(local.date) "
        + "\(local.clockWithSeconds).",
      "Correct its start with `track edit \(id.value) --start TIME`, or remove it with "
        + "`track cancel`.")
  }

  /// Prints a line on what a command did, broken at blanks on a terminal.
  static func echo(_ line: String) { Output.printWrapped(line, indent: 9) }

  /// What is printed of the changes of a command.
  private enum PrintedChanges {
    case json(JSONValue)
    case lines([String])
  }

  /// Returns what is printed of the changes of some commands; remarks follow those of the last.
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
      return .json(text.json(notes: notes, isDryRun: isDryRun))
    }
  }

  private static func print(_ changes: PrintedChanges) {
    switch changes {
    case .json(let json): Output.print(json)
    case .lines(let lines): lines.forEach(echo)
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
    text.lines(in: context.rules, isDryRun: isDryRun)
      + notes(on: text.changes, by: commands, in: context).map(EntryChangesText.line(ofNote:))
  }

  /// Returns what is worth saying about the changes of one of some commands, beside what the
  /// changes themselves say.
  private func notes(
    on changes: EntryChanges, by commands: [TimeEntryCommand], in context: EntryContext
  ) -> [String] {
    var notes: [String] = []
    for case .join(let one, let other, _, _) in commands {
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
    guard case .correct(_, let correction, policy: _, reason: _) = self else { return nil }
    return correction.changes.description?.after
  }

  /// The entry that the user named.
  var target: TimeEntryID? {
    switch self {
    case .start, .stop, .add, .resume, .several: nil
    case .correct(let id, _, _, _), .delete(let id, _), .split(let id, _, _): id
    case .join(let id, _, _, _): id
    }
  }

  /// The entry that the command removes besides its target; `nil` if it removes none.
  fileprivate var joined: TimeEntryID? {
    if case .join(_, let id, _, _) = self { id } else { nil }
  }
}

extension EntryChanges {
  /// The entries that changed, as the changes left them.
  fileprivate var entries: [IdentifiedEntry] {
    (inserted + stopped + changed).compactMap { id in
      state.timeEntries[id].map { IdentifiedEntry(id: id, entry: $0) }
    }
  }
}

/// What is printed of the changes of a command.
struct EntryChangesText {
  let changes: EntryChanges
  private let targets: Set<TimeEntryID>
  private let moment: Moment
  /// The texts of the entries that changed.
  private let known: [TimeEntryID: EntryText]

  /// Makes the texts of the changes of a command.
  init(_ changes: EntryChanges, at moment: Moment) {
    let texts = EntryText.texts(changes.entries, in: changes.state, at: moment)
    self.init(changes, targets: [], at: moment, texts)
  }

  /// Makes the texts of the changes of commands that were performed in order.
  ///
  /// What the entries refer to is looked up once, in the state after the last command.
  static func texts(
    _ parts: [EntryChanges], targets: Set<TimeEntryID>, at moment: Moment
  ) -> [EntryChangesText] {
    guard let state = parts.last?.state else { return [] }
    let entries = parts.map(\.entries)
    var texts = EntryText.texts(entries.joined(), in: state, at: moment)[...]
    return zip(parts, entries).map { changes, entries in
      defer { texts.removeFirst(entries.count) }
      return EntryChangesText(
        changes, targets: targets, at: moment, texts.prefix(entries.count))
    }
  }

  private init(
    _ changes: EntryChanges, targets: Set<TimeEntryID>, at moment: Moment,
    _ texts: some Sequence<EntryText>
  ) {
    self.changes = changes
    self.targets = targets
    self.moment = moment
    known = Dictionary(texts.lazy.map { ($0.id, $0) }) { $1 }
  }

  private func texts(_ ids: some Sequence<TimeEntryID>) -> [EntryText] {
    ids.compactMap { known[$0] }
  }

  private func line(
    _ verb: String, _ entry: EntryText, in rules: ZoneRules, isDryRun: Bool
  ) -> String {
    let verb = (isDryRun ? "would be " : "") + verb
    let space = String(repeating: " ", count: max(0, 8 - verb.utf8.count))
    return "\(verb)\(space) \(entry.echo(in: rules, showsRate: setsRate(of: entry.id)))"
  }

  /// Returns whether an entry got its rate by the changes.
  private func setsRate(of id: TimeEntryID) -> Bool {
    changes.edits.contains { edit in
      switch edit {
      case .entry(.inserted(id, _)): true
      case .entry(.changed(id, let changes)): changes.rate != nil
      default: false
      }
    }
  }

  /// The entry that was made.
  private var started: EntryText? { texts(changes.inserted).last }
  /// The running entry that was ended.
  private var stopped: EntryText? { texts(changes.stopped).first }
  /// The entries that the user named.
  private var own: [EntryText] { texts(changes.changed).filter { targets.contains($0.id) } }

  /// The entries that changed to make room for the one that was named or made.
  private var adjusted: [EntryText] {
    texts(changes.changed).filter { !targets.contains($0.id) } + texts(changes.inserted.dropLast())
  }

  /// Returns a line for each entry that changed and for each of its annotations, and the notes.
  func lines(in rules: ZoneRules, isDryRun: Bool = false) -> [String] {
    func line(_ verb: String, _ entry: EntryText) -> String {
      self.line(verb, entry, in: rules, isDryRun: isDryRun)
    }
    var lines = adjusted.map { line($0.wasDeleted ? "deleted" : "adjusted", $0) }
    if let stopped {
      lines.append(line("stopped", stopped))
      lines += overlapNotes(in: rules).map(Self.line(ofNote:))
    }
    for entry in own {
      lines.append(line(entry.wasDeleted ? "deleted" : "changed", entry))
      lines += entry.entry.annotations.map { "         \($0)" }
    }
    if let started { lines.append(line(started.entry.isRunning ? "started" : "added", started)) }
    return lines + nameNotes.map(Self.line(ofNote:))
  }

  /// Returns the line of a note.
  static func line(ofNote note: String) -> String { "note     \(note)" }

  /// Returns what is worth saying about the changes.
  func notes(in rules: ZoneRules) -> [String] { overlapNotes(in: rules) + nameNotes }

  /// Returns that the entry that was stopped overlaps others.
  private func overlapNotes(in rules: ZoneRules) -> [String] {
    let overlaps = stopped.map(overlaps) ?? []
    guard !overlaps.isEmpty else { return [] }
    return ["it overlaps \(ToolFailure.overlap(overlaps, in: changes.state, rules))"]
  }

  /// What is worth saying about the names of projects and tags.
  private var nameNotes: [String] { archivedNotes + changes.created.map(note) }

  /// Returns the entries of the same user that an entry overlaps.
  private func overlaps(of entry: EntryText) -> [TimeEntryID] {
    let (start, end) = (entry.entry.start, entry.entry.end ?? moment)
    var ids: [TimeEntryID] = []
    guard start < end else { return ids }
    changes.state.forEachEntry(from: start, to: end, of: entry.entry.user) { id, other in
      if id != entry.id, other.start != other.end { ids.append(id) }
    }
    return ids
  }

  /// That the project of the new entry is archived.
  private var archivedNotes: [String] {
    guard own.isEmpty, let id = started?.entry.project else { return [] }
    let name = changes.state.projects.read(id) { $0.isArchived ? $0.name.text : nil } ?? nil
    return name.map { ["\($0) is archived"] } ?? []
  }

  /// The changes for programs.
  func json(notes: [String], isDryRun: Bool) -> JSONValue {
    // A split inserts an entry beside the one that the user named.
    let others = adjusted + own.dropFirst() + (own.isEmpty ? [] : started.map { [$0] } ?? [])
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(changes.sequence))),
      .init("entry", (own.first ?? started ?? stopped)?.json ?? .null),
      .init("stopped", started == nil ? .null : stopped?.json ?? .null),
      .init("adjusted", .array(others.map(\.json))),
    ]
    if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
    if isDryRun { members.append(.init("dryRun", .bool(true))) }
    return .object(members)
  }

  /// The entries that changed.
  var all: [EntryText] { texts(changes.inserted + changes.stopped + changes.changed) }

  /// Returns that a name is new, and which known one is nearly the same.
  private func note(_ created: CreatedName) -> String {
    var names: [String] = []
    let kind: String
    let name: String
    var rest = ""
    switch created {
    case .project(let new):
      (kind, name) = ("project", new.text)
      let workspaces = changes.state.workspaces
      changes.state.projects.forEach { _, project in
        if project.deleted == nil, project.name != new { names.append(project.name.text) }
        if project.deleted == nil, project.name == new, !project.isBillable,
          project.workspace.flatMap({ workspaces[$0]?.rate }) != nil
        {
          let words = "track projects set \(commandWord(new.text)) --billable"
          rest = ", not billable; `\(words)` changes that"
        }
      }
    case .task(let new, let project):
      (kind, name) = ("task", new.text)
      changes.state.tasks.forEach { _, task in
        if task.deleted == nil, task.name != new,
          changes.state.projects.resolve(task.project) == project
        {
          names.append(task.name.text)
        }
      }
    case .tag(let new):
      (kind, name) = ("tag", new.text)
      changes.state.tags.forEach { _, tag in
        if tag.deleted == nil, tag.name != new { names.append(tag.name.text) }
      }
    }
    let similar = Spelling.nearest(to: name, in: names).map { ", similar to \($0)" } ?? ""
    return "\(name) is a new \(kind)\(similar)\(rest)"
  }
}
extension ToolFailure {
  /// Creates the failure of a command.
  init(_ what: String, _ error: CommandError<TimeTracker>, in domain: DomainState) {
    switch error {
    case .refused(let refusal, _): self = .refused(what, refusal, in: domain)
    case .store(let failure): self.init(failure)
    }
  }

  /// Returns why the domain refuses a command, with ids of entries and with local times.
  ///
  /// - Parameters:
  ///   - refusal: The refusal.
  ///   - domain: The entities.
  ///   - rules: The zone of the times; `nil` for that of the process.
  static func reason(
    of refusal: DomainRefusal, in domain: DomainState, _ rules: ZoneRules?
  ) -> String {
    let rules = rules ?? (try? TrackerOptions.zone()) ?? .utc
    switch refusal {
    case .entry(.overlaps(let ids)): return "It overlaps \(overlap(ids, in: domain, rules))."
    case .user(.inUse(_, let id)): return "The entry #\(id) of this user is running."
    case .workspace(.inUse(let type, let id)):
      let member = member(ofWorkspace: type, id, in: domain)
      return member.map { "The \($0.noun) \($0.name) is in it." } ?? refusal.text(in: domain).reason
    default: return refusal.text(in: domain) { rules.local(at: $0) }.reason
    }
  }

  /// Returns the entries that another one overlaps, with their descriptions and times.
  static func overlap(
    _ ids: [TimeEntryID], in domain: DomainState, _ rules: ZoneRules
  ) -> String {
    let listed = ids.prefix(3).compactMap { id -> String? in
      guard let entry = domain.timeEntries[id] else { return nil }
      let marks = rules.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
      let end =
        entry.end.map { " - \(local($0, after: entry.start, rules))\(marks.end)" } ?? ", which runs"
      let text = entry.description.isEmpty ? "" : " \"\(Table.cut(entry.description, to: 30))\""
      return "#\(id.value)\(text) (\(local(entry.start, rules))\(marks.start)\(end))"
    }
    let rest = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return "\(listed.joined(separator: ", "))\(rest)"
  }

  /// Returns a local time, with its date unless that is the one of a time before it, and with
  /// seconds unless they are zero.
  private static func local(
    _ moment: Moment, after start: Moment? = nil, _ rules: ZoneRules
  ) -> String {
    let local = rules.local(at: moment)
    let clock = local.second == 0 ? local.clock : local.clockWithSeconds
    if let start, rules.local(at: start).date == local.date { return clock }
    return "\(local.date) \(clock)"
  }

  /// Returns how to stop an entry that runs; `nil` if there is no such entry.
  private static func advice(onRunning id: TimeEntryID, in domain: DomainState) -> String? {
    domain.timeEntries[id].map { entry in
      "Stop it first: `track stop --user \(commandWord(domain.labels(of: entry).user))`."
    }
  }

  /// Returns the kind and the name of what is in a workspace; `nil` for another type of an id.
  private static func member(
    ofWorkspace type: String, _ id: Int64, in domain: DomainState
  ) -> (noun: String, name: String)? {
    func member<ID, Entity: NamedEntity>(
      _ noun: String, _ id: ID, _ table: EntityTable<ID, Entity>
    ) -> (noun: String, name: String)? {
      table.read(id) { $0.name.text }.map { (noun, $0) }
    }
    return switch type {
    case ClientID.recordedName: member("client", ClientID(value: id), domain.clients)
    case ProjectID.recordedName: member("project", ProjectID(value: id), domain.projects)
    case TagID.recordedName: member("tag", TagID(value: id), domain.tags)
    case UserID.recordedName: member("user", UserID(value: id), domain.users)
    default: nil
    }
  }

  /// Returns how to take something out of a workspace; `nil` for another type of an id.
  private static func advice(
    onMember type: String, _ id: Int64, in domain: DomainState
  ) -> String? {
    member(ofWorkspace: type, id, in: domain).map { noun, name in
      let command =
        noun == "user"
        ? "users set \(commandWord(name)) --workspace ''" : "\(noun)s delete \(commandWord(name))"
      return "Change that first: `track \(command)`. `track workspaces archive` keeps all."
    }
  }

  /// Returns the failure for a refusal by the domain.
  static func refused(
    _ what: String, _ refusal: DomainRefusal, in domain: DomainState, _ rules: ZoneRules? = nil
  ) -> ToolFailure {
    let text = refusal.text(in: domain)
    let reason = reason(of: refusal, in: domain, rules)
    let advice: String? =
      switch refusal {
      case .entry(.nothingRunning): "Start an entry first: `track start DESCRIPTION`."
      case .entry(.overlaps):
        "Repeat the command with --policy adjust, which cuts, splits or deletes the other "
          + "entries, or with --policy allow to record it as it is."
      case .entry(.tooLong(let time)) where time > TimeEntry.durationMax:
        "Give the time at which it ended, with its date, in the form \"YYYY-MM-DD HH:MM\"."
      case .entry(.tooLong):
        "Give the time at which it ended, such as \"yesterday 17:30\", or repeat the command with "
          + "--policy allow to record it as it is."
      case .entry(.inFuture):
        "Give an earlier time, with its date if that is not today, or repeat the command with "
          + "--policy allow to record it as it is."
      case .user(.inUse(_, let id)): advice(onRunning: TimeEntryID(value: id), in: domain)
      case .workspace(.inUse(let type, let id)): advice(onMember: type, id, in: domain)
      case .entry(.record(.nameEmpty)): "Give every user, project and tag a name."
      case .importRun(.anotherRuns):
        "Repeat the command that began it to finish it, or cancel it with "
          + "`track import --cancel --source NAME`."
      case .importRun(.alreadyImported):
        "Nothing needs to be done. To import it again, undo that import first with `track undo`."
      case .importRun(.ended): "It was finished or canceled by another process. Nothing was lost."
      default: nil
      }
    return ToolFailure(
      what: what, why: reason,
      advice: advice ?? text.advice ?? "See the state with `track status` and `track log`.",
      exitCode: ToolExit.refused)
  }
}
