import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The options and the work of `undo` and `redo`.
struct Restoring {
  /// The most changes of one command.
  static let countMax = 1_000
  static let operands = [
    CommandOperand(
      "count", isOptional: true, "How many, at most \(countMax); the default is 1.")
  ]

  let options: TrackerOptions
  let isRedo: Bool
  /// The number of changes; `nil` for all since a time.
  let count: Int?
  /// The time since which changes are undone.
  let since: String?
  /// Whether nothing is written.
  let isDryRun: Bool

  init(_ arguments: CommandArguments, in context: VerbContext, isRedo: Bool) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    self.isRedo = isRedo
    since = isRedo ? nil : arguments[UndoVerb.toOption]
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
    guard let text = arguments.operands.first else {
      count = since == nil ? 1 : nil
      return
    }
    guard let number = Int(text), (1...Self.countMax).contains(number) else {
      let isMore = Int(text).map { $0 > Self.countMax } ?? false
      throw .usage(
        isMore
          ? "\(text) is more than \(Self.countMax) changes." : "\(text) is no number of changes.",
        advice: "Give a number from 1 to \(Self.countMax).")
    }
    guard since == nil else {
      throw .usage("A count and --to are given.", advice: "Give one of them.")
    }
    count = number
  }

  private var what: String { "Nothing was \(verb)." }
  private var verb: String { isRedo ? "redone" : "undone" }

  func perform() throws(ToolFailure) {
    let moment = try moment()
    let userName = try options.userName()
    if isDryRun { return try preview(since: moment, for: userName) }
    let tracker: TrackerStore
    do throws(ToolFailure) {
      tracker = try options.open(creating: false)
    } catch {
      guard error.isMissingStore else { throw error }
      throw nothingLeft(after: 0)
    }
    var done: [EntryChanges] = []
    var domain = tracker.domain
    do throws(CommandError<TimeTracker>) {
      while done.count < count ?? .max,
        let changes = try tracker.undoOrRedo(
          isRedo: isRedo, since: moment,
          closing: done.count + 1 == count && options.context.closesStore)
      {
        done.append(changes)
        options.context.noteForHooks(changes, before: domain, at: tracker.now(), options)
        domain = changes.state
        if options.json { continue }
        let printed = lines(of: changes, at: tracker.now(), tracker.zone, for: userName) { user in
          // A name from a damaged page must not be printed in a note.
          let name = try? tracker.verified { (domain) throws(ToolFailure) in
            domain.users.read(user) { $0.name.text }
          }
          return name ?? nil
        }
        printed.forEach { PlanPerformer.echo($0, options.output) }
      }
    } catch {
      let domain = tracker.domain
      let moment = tracker.now()
      try? options.context.close(tracker)
      if options.json, !done.isEmpty { options.output.print(json(of: done, at: moment)) }
      throw ToolFailure(
        done.isEmpty ? what : "Only \(done.count) changes were taken back.", error, in: domain,
        options.context)
    }
    if options.json, !done.isEmpty { options.output.print(json(of: done, at: tracker.now())) }
    try orFail(try options.context.close(tracker))
    if done.count < count ?? 1 { throw nothingLeft(after: done.count) }
  }

  /// Prints the changes that would be taken back.
  private func preview(since moment: Moment?, for userName: String) throws(ToolFailure) {
    let path = try options.path()
    let (now, rules) = (try options.currentMoment(), try options.zone())
    // Reading the log opens the store, which a process cannot do twice.
    try options.context.closeSharedStore()
    let found: (count: Int, json: JSONValue, lines: [String])
    do throws(CommandError<TimeTracker>) {
      found = try TrackerStore.previewUndo(
        at: path, foldTrial: options.context.foldTrial(path),
        login: options.context.loginName, isRedo: isRedo, count: count ?? .max,
        since: moment, now: now
      ) { done in
        let printed = done.flatMap { changes in
          lines(of: changes, at: now, rules, for: userName) { user in
            changes.state.users.read(user) { $0.name.text }
          }
        }
        return (done.count, json(of: done, at: now), printed)
      }
    } catch {
      let failure = ToolFailure(what, error, in: DomainState(), options.context)
      throw failure.isMissingStore ? nothingLeft(after: 0) : failure
    }
    if !options.json { found.lines.forEach { PlanPerformer.echo($0, options.output) } }
    if options.json, found.count > 0 { options.output.print(found.json) }
    if found.count < count ?? 1 { throw nothingLeft(after: found.count) }
  }

  /// Returns the moment since which changes are undone.
  private func moment() throws(ToolFailure) -> Moment? {
    guard let since else { return nil }
    let context = ExpressionContext(
      zone: try options.zone(), now: try options.currentMoment(), firstWeekday: 1)
    do throws(ExpressionError) {
      return try options.context.readings.time(since, in: context).moment
    } catch {
      throw .ambiguousTime(error, option: "--to")
    }
  }

  /// Returns the output lines for a change that was taken back.
  ///
  /// - Parameter name: Returns the name of a user.
  private func lines(
    of changes: EntryChanges, at moment: Moment, _ rules: ZoneRules, for userName: String,
    _ name: (UserID) -> String?
  ) -> [String] {
    let verb = isDryRun ? "would be \(verb) " : "\(verb)   "
    let others = RecordedChangeText.others(changes.edits, in: changes.state, rules)
    var lines = others.map { "\(verb)\($0)" }
    for entry in EntryChangesText(changes, at: moment).all {
      let end = entry.wasDeleted ? "  (deleted)" : ""
      lines.append("\(verb)\(entry.echo(in: rules, options.context.zones))\(end)")
      // The undo may have removed the user, so the keys are compared, in any form of Unicode.
      guard let owner = name(entry.entry.user), Name(owner).key != Name(userName).key else {
        continue
      }
      lines.append("note     #\(entry.id.value) is an entry of \(owner)")
    }
    return lines
  }

  private func json(of done: [EntryChanges], at moment: Moment) -> JSONValue {
    let entries = done.flatMap { EntryChangesText($0, at: moment).all }
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(done.last?.sequence ?? 0))),
      .init("changes", .integer(Int64(done.count))),
      .init("entries", .array(entries.map { $0.json(options.context.zones) })),
    ]
    if isDryRun { members.append(.init("dryRun", .bool(true))) }
    return .object(members)
  }

  private func nothingLeft(after done: Int) -> ToolFailure {
    let time = since.map { " since \($0)" } ?? ""
    return .refused(
      "There is no \(done == 0 ? "" : "further ")change of yours to "
        + "\(isRedo ? "redo" : "undo")\(time).",
      advice: "`track history` lists the changes.",
      what: done == 0 ? what : "There were only \(done).")
  }
}
