import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The options and the work of `undo`, `redo` and `restore`.
struct Restoring {
  /// The most changes of one command.
  static let countMax = 1_000
  static let takeOption = CommandOption(
    "take", "Set also the fields that were changed since; without it they keep their values.")
  static let yesOption = CommandOption(
    "yes", colonWords: ["yes"], "Answer yes to what is asked on a terminal.")

  /// The changes that are taken back or brought back.
  enum Target {
    /// The newest ones: a number, or all since a time.
    case newest(count: Int?, since: String?)
    /// The change of a command; `nil` for the one that was undone last.
    case change(UInt64?)
  }

  /// A verb that takes changes back or brings them back.
  enum Action: String {
    case undo, redo, restore

    /// The past participle.
    var participle: String {
      switch self {
      case .undo: "undone"
      case .redo: "redone"
      case .restore: "restored"
      }
    }
  }

  let options: TrackerOptions
  let action: Action
  let target: Target
  /// Whether fields that were changed since are set.
  let isTaking: Bool
  /// Whether nothing is written.
  let isDryRun: Bool
  /// Whether the question is answered with yes.
  let isConfirmed: Bool
  /// The user of the command.
  private let userName: String

  init(_ arguments: CommandArguments, in context: VerbContext, _ action: Action)
    throws(ToolFailure)
  {
    options = TrackerOptions(arguments, in: context)
    userName = try options.userName()
    self.action = action
    isTaking = action != .redo && arguments.has(Self.takeOption)
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
    isConfirmed = action != .restore && arguments.has(Self.yesOption)
    let since = action == .undo ? arguments[UndoVerb.toOption] : nil
    target = try Self.target(arguments.operands.first, since: since, action)
    if isTaking, case .newest = target {
      throw .usage(
        "--take is given without the name of a change.",
        advice: "Name one that `track history` lists, such as `track undo c12 --take`.")
    }
  }

  /// Returns the changes that a word and the option --to name.
  private static func target(
    _ word: String?, since: String?, _ action: Action
  ) throws(ToolFailure) -> Target {
    guard let word else {
      if action == .restore { return .change(nil) }
      return .newest(count: since == nil ? 1 : nil, since: since)
    }
    guard since == nil else {
      throw .usage("A count or a change, and --to are given.", advice: "Give one of them.")
    }
    if action != .redo, let change = RecordedChangeText.sequence(ofName: word) {
      return .change(change)
    }
    if action == .restore {
      throw .usage(
        "\(word) is no name of a change.",
        advice: "Name one that `track history` marks as undone, such as c12.")
    }
    guard let number = Int(word), (1...countMax).contains(number) else {
      let isMore = Int(word).map { $0 > countMax } ?? false
      throw .usage(
        isMore ? "\(word) is more than \(countMax) changes." : "\(word) is no number of changes.",
        advice: "Give a number from 1 to \(countMax)"
          + (action == .undo ? ", or the name of a change, such as c12." : "."))
    }
    return .newest(count: number, since: nil)
  }

  var what: String { "Nothing was \(action.participle)." }
  var isRedo: Bool { action != .undo }

  func perform() throws(ToolFailure) {
    switch target {
    case .change(let change): try perform(on: change)
    case .newest(let count, let since): try perform(count: count, since: since)
    }
  }

  // MARK: One change

  private func perform(on change: UInt64?) throws(ToolFailure) {
    if isDryRun { return try preview(change) }
    let tracker = try openStore()
    let domain = tracker.domain
    var status = ChangeStatus.unknown
    var done: EntryChanges?
    do throws(CommandError<TimeTracker>) {
      var wanted = change
      if wanted == nil { wanted = try newestUndone(in: tracker) }
      if let change = wanted {
        done = try tracker.restore(
          change, isRedo: isRedo, taking: isTaking, closing: options.context.closesStore)
        if done == nil { status = try statusOf(change, in: tracker) }
      }
    } catch {
      try? options.context.close(tracker)
      throw ToolFailure(what, error, in: domain, options)
    }
    guard let done else {
      try? options.context.close(tracker)
      throw refused(change, status)
    }
    if done.isVoid { throw closing(tracker, failure(ofVoid: [done])) }
    print([done], before: domain, in: tracker)
    try orFail(try options.context.close(tracker))
  }

  /// Closes the store, and returns the failure.
  private func closing(_ tracker: TrackerStore, _ failure: ToolFailure) -> ToolFailure {
    try? options.context.close(tracker)
    return failure
  }

  private func newestUndone(
    in tracker: TrackerStore
  ) throws(CommandError<TimeTracker>) -> UInt64? {
    do throws(StoreError) {
      return try tracker.store.newestUndoneBlocking()
    } catch {
      throw .store(error)
    }
  }

  private func statusOf(
    _ change: UInt64, in tracker: TrackerStore
  ) throws(CommandError<TimeTracker>) -> ChangeStatus {
    do throws(StoreError) {
      return try tracker.status(ofChange: change)
    } catch {
      throw .store(error)
    }
  }

  /// Prints what the undo of a change would do, or the redo of its undo.
  private func preview(_ change: UInt64?) throws(ToolFailure) {
    let path = try options.path()
    let now = try options.currentMoment()
    // Reading the log opens the store, which a process cannot do twice.
    try options.context.closeSharedStore()
    let tried: Result<(status: ChangeStatus, json: JSONValue, lines: [String]?), ToolFailure>
    do throws(CommandError<TimeTracker>) {
      tried = try TrackerStore.previewRestore(
        of: change, at: path, foldTrial: options.context.foldTrial(path),
        login: options.context.loginName, isRedo: isRedo, taking: isTaking, now: now
      ) { status, changes in
        guard let changes else { return .success((status, .null, nil)) }
        if changes.isVoid { return .failure(failure(ofVoid: [changes])) }
        return .success(
          (status, json(of: [changes], at: now), previewLines(of: [changes], now)))
      }
    } catch {
      let failure = try failure(of: error)
      throw failure.isMissingStore ? nothingLeft() : failure
    }
    let found = try tried.get()
    guard let lines = found.lines else { throw refused(change, found.status) }
    if options.json { return options.output.print(found.json) }
    lines.forEach { PlanPerformer.echo($0, options.output) }
  }

  /// Returns the failure of a preview; a refusal has the names of the latest state.
  private func failure(of error: CommandError<TimeTracker>) throws(ToolFailure) -> ToolFailure {
    guard case .refused = error else {
      return ToolFailure(what, error, in: DomainState(), options)
    }
    return try options.read { domain in ToolFailure(what, error, in: domain, options) }
  }

  /// Returns the failure for a change that cannot be taken back or brought back.
  private func refused(_ change: UInt64?, _ status: ChangeStatus) -> ToolFailure {
    guard let change else {
      return .refused(
        "None of the latest changes is undone.",
        advice: "`track history --limit 1000` lists more, and `track restore c12` restores one.",
        what: what)
    }
    let name = RecordedChangeText.name(of: change)
    let list = "`track history` lists the changes with their names."
    switch status {
    case .unknown:
      return .refused("There is no change \(name).", advice: list, what: what)
    case .ofAnotherUser(let login):
      let owner = login.isEmpty ? "an unknown user" : login
      return .refused(
        "The change \(name) was made by \(owner), and only that user can take it back.",
        advice: "Change the values with `track edit`.", what: what)
    case .restore(let made):
      let other = RecordedChangeText.name(of: made)
      return .refused(
        "\(name) is no change but the undo or redo of \(other).",
        advice: "Name \(other): `track \(action.rawValue) \(other)`.", what: what)
    case .undoneInPart:
      return .refused(
        "The change \(name) is undone, but for what was changed since, is in use or would break a "
          + "rule.",
        advice: "Set changed fields all the same: `track undo \(name) --take`.", what: what)
    case .undone:
      return .refused(
        "The change \(name) is undone already.",
        advice: "Bring it back: `track restore \(name)`.", what: what)
    case .inEffect:
      return .refused(
        "The change \(name) is not undone.", advice: "Undo it: `track undo \(name)`.", what: what)
    }
  }

  // MARK: The newest changes

  private func perform(count: Int?, since: String?) throws(ToolFailure) {
    var moment: Moment?
    if let since { moment = try self.moment(since) }
    var wanted = count ?? 1
    var opened: TrackerStore?
    if !isDryRun, count == 1, !isConfirmed { opened = try openedWithoutClosings() }
    if isDryRun || count != 1 || opened == nil && !isConfirmed {
      let found = try preview(count: count, since: moment, since)
      if isDryRun {
        if options.json { return options.output.print(found.json) }
        return found.lines.forEach { PlanPerformer.echo($0, options.output) }
      }
      try confirm(found.count, found.lines, reopened: found.reopened)
      wanted = found.count
    }
    let tracker: TrackerStore
    if let opened { tracker = opened } else { tracker = try openStore() }
    let before = tracker.domain
    var done: [EntryChanges] = []
    do throws(CommandError<TimeTracker>) {
      while done.count < wanted,
        let changes = try tracker.undoOrRedo(
          isRedo: isRedo, since: moment,
          closing: done.count + 1 == wanted && options.context.closesStore,
          recordsVoid: wanted > 1)
      {
        done.append(changes)
      }
    } catch {
      let domain = tracker.domain
      print(done, before: before, in: tracker)
      try? options.context.close(tracker)
      throw ToolFailure(
        done.isEmpty ? what : "Only \(done.count) changes were \(action.participle).", error,
        in: domain, options)
    }
    if wanted == 1, done.first?.isVoid == true {
      throw closing(tracker, failure(ofVoid: done))
    }
    print(done, before: before, in: tracker)
    try orFail(try options.context.close(tracker))
    if done.isEmpty { throw nothingLeft(since) }
  }

  /// Opens the store; returns `nil` if a period is closed, so that the newest change may be its
  /// closing.
  private func openedWithoutClosings() throws(ToolFailure) -> TrackerStore? {
    let tracker = try openStore()
    do throws(ToolFailure) {
      let isClosed = try tracker.verified { domain in
        var isClosed = false
        domain.forEachClosing { _, _ in isClosed = true }
        return isClosed
      }
      guard isClosed else { return tracker }
    } catch {
      try? options.context.close(tracker)
      throw error
    }
    try orFail(try options.context.close(tracker))
    return nil
  }

  /// Returns the periods that changes open again, such as `2026-09 for all`.
  private func reopened(by done: [EntryChanges]) -> [String] {
    done.flatMap { remarks(on: $0).reopened(by: options.shownZone(in: $0.state)) }
  }

  /// Returns the number of the changes that would be taken back, and what is printed about them.
  ///
  /// - Throws: A refusal if there are fewer changes than asked for, or if nothing would change.
  private func preview(
    count: Int?, since moment: Moment?, _ since: String?
  ) throws(ToolFailure) -> (count: Int, json: JSONValue, lines: [String], reopened: [String]) {
    let path = try options.path()
    let now = try options.currentMoment()
    // Reading the log opens the store, which a process cannot do twice.
    try options.context.closeSharedStore()
    let tried:
      Result<
        (count: Int, json: JSONValue, lines: [String], reopened: [String]), ToolFailure
      >
    do throws(CommandError<TimeTracker>) {
      tried = try TrackerStore.previewUndo(
        at: path, foldTrial: options.context.foldTrial(path),
        login: options.context.loginName, isRedo: isRedo, count: count ?? .max,
        since: moment, now: now
      ) { done in
        if done.count >= count ?? 1, done.allSatisfy(\.isVoid) {
          return .failure(failure(ofVoid: done))
        }
        return .success(
          (
            done.count, json(of: done, at: now), previewLines(of: done, now), reopened(by: done)
          ))
      }
    } catch {
      let failure = try failure(of: error)
      throw failure.isMissingStore ? nothingLeft(since) : failure
    }
    let found = try tried.get()
    guard found.count >= count ?? 1 else { throw nothingLeft(since, found.count) }
    return found
  }

  /// Asks on a terminal whether several changes are taken back or brought back, or one that opens a
  /// closed period again.
  ///
  /// - Throws: A refusal if the user does not answer yes, or if a closed period would be opened
  ///   again and there is no terminal on which to ask.
  private func confirm(
    _ count: Int, _ lines: [String], reopened: [String]
  ) throws(ToolFailure) {
    let output = options.output
    let mayAsk = !options.json && !options.context.isBatch && output.streams.canAsk
    guard count > 1 || !reopened.isEmpty, !isConfirmed else { return }
    guard mayAsk else {
      guard let period = reopened.first else { return }
      throw .refused(
        "It would open a closed period again: \(period).",
        advice: "Repeat the command with --yes, or use `track reopen`, which takes a reason.",
        what: what)
    }
    for line in lines { output.printErrorWrapped(line, indent: 9) }
    let changes = count == 1 ? "this change" : "these \(count) changes"
    output.promptError("\(action.rawValue.capitalizedFirst) \(changes)? [y/N] ")
    guard let answer = output.streams.readAnswer()?.lowercased(), ["y", "yes"].contains(answer)
    else {
      throw .refused(
        "The answer was not yes.",
        advice: "Repeat the command with --yes, or name one change that `track history` lists.",
        what: what)
    }
  }

  /// Returns the moment since which changes are undone.
  private func moment(_ since: String) throws(ToolFailure) -> Moment {
    let now = try options.currentMoment()
    let calendar = try options.presentCalendar(creating: true)
    do throws(ExpressionError) {
      let context = calendar.expressionContext(at: now).ofPast
      return try options.context.readings.time(since, in: context).moment
    } catch {
      throw .ambiguousTime(error, option: "--to")
    }
  }

  private func nothingLeft(_ since: String? = nil, _ count: Int = 0) -> ToolFailure {
    let time = since.map { " since \($0)" } ?? ""
    let changes = count == 0 ? "no change" : count == 1 ? "only 1 change" : "only \(count) changes"
    let verb = action.rawValue
    var advice = "`track history` lists the changes."
    if action == .redo {
      advice +=
        " One that was undone before other changes is brought back by its name, such as "
        + "`track restore c12`."
    }
    if count > 0 { advice = "Give a smaller number, such as `track \(verb) \(count)`. " + advice }
    let isAre = count > 1 ? "are" : "is"
    return .refused(
      "There \(isAre) \(changes) of yours to \(verb)\(time).", advice: advice, what: what)
  }

  // MARK: Output

  private func openStore() throws(ToolFailure) -> TrackerStore {
    do throws(ToolFailure) {
      return try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
      throw nothingLeft()
    }
  }

  /// Prints the changes that were taken back or brought back, and notes them for the hooks.
  private func print(
    _ done: [EntryChanges], before: DomainState, in tracker: TrackerStore
  ) {
    guard !done.isEmpty else { return }
    let now = tracker.now()
    var domain = before
    for changes in done {
      options.context.noteForHooks(changes, before: domain, at: now, options)
      domain = changes.state
    }
    if options.json { return options.output.print(json(of: done, at: now)) }
    let printed = lines(of: done, at: now) { user in
      // A name from a damaged page must not be printed in a note.
      let name = try? tracker.verified { (domain) throws(ToolFailure) in
        domain.users.read(user) { $0.name.text }
      }
      return name ?? nil
    }
    printed.forEach { PlanPerformer.echo($0, options.output) }
  }

  private func previewLines(of done: [EntryChanges], _ now: Moment) -> [String] {
    lines(of: done, at: now, isPlanned: true) { user in
      done.last?.state.users.read(user) { $0.name.text }
    }
  }

  /// Returns the output lines for changes that were taken back or brought back.
  ///
  /// An entry of several changes has one line, as the last of them leaves it.
  ///
  /// - Parameters:
  ///   - done: The changes, in the order of their undo or redo.
  ///   - moment: The present.
  ///   - isPlanned: Whether nothing was done yet.
  ///   - name: Returns the name of a user.
  private func lines(
    of done: [EntryChanges], at moment: Moment, isPlanned: Bool = false,
    _ name: (UserID) -> String?
  ) -> [String] {
    let participle = action.participle
    let verb =
      isPlanned ? "would be \(participle) " : String("\(participle)   ".prefix(9))
    var lines: [String] = []
    for (changes, entries) in zip(done, Self.entries(of: done, at: moment)) {
      let rules = options.shownZone(in: changes.state)
      let edits = changes.edits.filter { !isSilent($0, in: changes) }
      let others = RecordedChangeText.others(edits, in: changes.state, rules)
      lines += others.map { "\(verb)\($0)" }
      for entry in entries {
        let end = entry.wasDeleted ? "  (deleted)" : ""
        lines.append("\(verb)\(entry.echo(in: rules, options.context.zones))\(end)")
        // The undo may have removed the user, so the keys are compared, in any form of Unicode.
        guard let owner = name(entry.entry.user), Name(owner).key != Name(userName).key else {
          continue
        }
        lines.append("note     #\(entry.id.value) is an entry of \(owner)")
      }
      lines += remarks(on: changes).notes.map { "note     \($0)" }
      if changes.edits.isEmpty, changes.unrestored.isEmpty, let change = changes.change {
        lines.append("\(verb)\(RecordedChangeText.name(of: change)), and all was so already")
      }
    }
    return lines
  }

  /// Returns the entries of each change, without those that a later one of the changes has too.
  private static func entries(of done: [EntryChanges], at moment: Moment) -> [[EntryText]] {
    var seen: Set<TimeEntryID> = []
    let entries = done.reversed().map { changes in
      // An undo may both insert an entry and stop it.
      EntryChangesText(changes, at: moment).all.filter { seen.insert($0.id).inserted }
    }
    return entries.reversed()
  }

  /// Returns whether an edit is not printed: the creation of the user of the command, which came
  /// with its first entry and was not printed either.
  private func isSilent(_ edit: DomainEdit, in changes: EntryChanges) -> Bool {
    let hasEntries = changes.edits.contains { if case .entry = $0 { true } else { false } }
    guard hasEntries, case .user(let edit) = edit else { return false }
    let name: Name?
    switch edit {
    case .inserted(_, let insertion): name = insertion.entity.name
    case .removed(_, let removal): name = removal.entity.name
    case .changed(let id, let fields):
      name = fields.deleted == nil ? nil : changes.state.users.read(id) { $0.name }
    }
    return name?.key == Name(userName).key
  }

  private func json(of done: [EntryChanges], at moment: Moment) -> JSONValue {
    let entries = Self.entries(of: done, at: moment).joined()
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(done.last?.sequence ?? 0))),
      .init("changes", .integer(Int64(done.count))),
      .init("entries", .array(entries.map { $0.json(options.context.zones) })),
      .init("unrestored", .array(done.flatMap(\.unrestored).map(Self.json))),
    ]
    if isDryRun { members.append(.init("dryRun", .bool(true))) }
    return .object(members)
  }

  private static func json(of field: UnrestoredField) -> JSONValue {
    [
      "type": .string(field.type), "id": .integer(field.id),
      "field": field.field.map { .string($0) } ?? .null,
    ]
  }
}
