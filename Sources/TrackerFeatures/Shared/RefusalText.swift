public import Retrace
public import TimeTracking

/// The text of a refusal for the user.
public struct RefusalText: Hashable, Sendable {
  /// The reason, as a sentence.
  public var reason: String
  /// The advice, as a sentence; `nil` if the reason contains it.
  public var advice: String?

  init(_ reason: String, _ advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }

  /// The reason and the advice in one line.
  public var line: String { advice.map { "\(reason) \($0)" } ?? reason }
}

extension DomainRefusal {
  /// Returns the text for the user.
  ///
  /// The switch names every refusal, so that a new one does not compile without its text.
  ///
  /// - Parameters:
  ///   - domain: The domain before the command, for the names of entities.
  ///   - rules: The zone of the times; UTC without it.
  ///   - showsIDs: Whether entries are named with their ids and times, as on a command line.
  ///   - commands: The commands of a command line, of which one is refused. Some texts depend on
  ///     it.
  /// - Complexity: O(entries that the refusal names).
  public func text(
    in domain: DomainState, zone rules: ZoneRules? = nil, showsIDs: Bool = false,
    of commands: [TimeEntryCommand] = []
  ) -> RefusalText {
    switch self {
    case .workspace(.inUse(let type, let id)):
      domain.named(type, id).map {
        RefusalText("The \($0.noun) \($0.name) is in it.", "Change that first.")
      } ?? EntityRefusal.inUse(type: type, id: id).text(in: domain)
    case .user(.inUse(_, let id)):
      RefusalText("The entry #\(id) of this user is running.", "Stop it first.")
    case .workspace(let refusal), .client(let refusal), .project(let refusal), .task(let refusal),
      .tag(let refusal), .user(let refusal), .preferences(let refusal), .goal(let refusal),
      .source(let refusal), .favorite(let refusal):
      refusal.text(in: domain)
    case .importRun(let refusal): refusal.text(in: domain)
    case .entry(let refusal):
      refusal.text(in: domain, zone: rules, showsIDs: showsIDs, of: commands)
    case .closing(let refusal):
      refusal.text(in: domain, zone: rules, showsIDs: showsIDs, of: commands)
    case .staleRestore: RefusalText("Something else changed at the same time.", "Try again.")
    }
  }
}

extension DomainState {
  /// Returns the kind and the name of an entity; `nil` for an entity without a name.
  ///
  /// - Parameters:
  ///   - type: The recorded name of the type of the id, such as `ClientID`.
  ///   - id: The number of the id.
  public func named(_ type: String, _ id: Int64) -> (noun: String, name: String)? {
    var domain = self
    var finder = NameFinder(type: type, id: id)
    domain.visitTables(&finder)
    return finder.name.map { (Self.noun(of: type), $0) }
  }

  /// Returns the kind of an entity, such as `client`, by the recorded name of the type of its id.
  public static func noun(of type: String) -> String {
    (type.hasSuffix("ID") ? String(type.dropLast(2)) : type).lowercased()
  }

  /// Returns a text that names up to three entries and counts the others.
  ///
  /// - Parameters:
  ///   - ids: The entries.
  ///   - rules: The zone of the times. Without it, entries are named by their descriptions alone.
  public func mention(of ids: [TimeEntryID], zone rules: ZoneRules?) -> String {
    let listed = ids.prefix(3).compactMap { id in
      timeEntries[id].map { entry in
        rules.map { entry.mention(id, zone: $0) } ?? entry.shortName
      }
    }
    let rest = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return "\(listed.joined(separator: ", "))\(rest)"
  }
}

extension EntityRefusal {
  func text(in domain: DomainState) -> RefusalText {
    switch self {
    case .unknown(let type, let id):
      RefusalText(
        "There is no \(words(of: type)) \(id), or it was deleted.", "Choose another one.")
    case .nameEmpty: RefusalText("The name is empty.", "Type a name.")
    case .nameTooLong:
      RefusalText("The name is longer than \(Name.bytesMax) bytes.", "Shorten it.")
    case .nameTaken(let name): RefusalText("The name \(name) is taken.", "Choose another one.")
    case .changedMeanwhile(let fields):
      RefusalText(
        "Changed elsewhere since you saw it: "
          + "\(fields.map(words(of:)).joined(separator: ", ")).", "Look at it again.")
    case .inUse(let type, let id):
      RefusalText("It is used by \(words(of: type)) \(id).", "Change that first.")
    case .invalid(let field):
      limit(ofField: field)
        ?? RefusalText("The value of \(words(of: field)) cannot be used.", advice(forField: field))
    case .cannotMerge:
      RefusalText(
        "These two cannot be merged: they are the same, or of different clients, projects or "
          + "workspaces.")
    case .externalIDTaken(let id): RefusalText("The id \(id.id) belongs to another entity.")
    case .shareNames(TaskID.recordedName, let names):
      RefusalText(
        "Both projects have a task of one name: \(listed(names)).",
        "Give one of them another name first.")
    case .shareNames(_, let names):
      RefusalText(
        "Both clients have a project of one name: \(listed(names)).",
        "Merge or rename these projects first.")
    case .changesCurrency(let count, let old, let new):
      RefusalText(
        "\(count == 1 ? "1 entry has" : "\(count) entries have") a rate in \(old), and would have "
          + "the same number \(new.map { "in \($0)" } ?? "without a currency").",
        "Create another workspace for entries in another currency.")
    case .inOtherWorkspace(let type, let id):
      RefusalText(
        "The \(words(of: type)) \(domain.named(type, id)?.name ?? "\(id)") is not one of that "
          + "workspace.", "Choose one of the workspace, or remove it.")
    }
  }

  private func listed(_ names: [Name]) -> String { names.map { $0.text }.joined(separator: ", ") }
}

extension JoinObstacle {
  /// What the entries are, for the end of a sentence.
  fileprivate var text: String {
    switch self {
    case .user: "of two users"
    case .project: "of two projects"
    case .task: "of two tasks"
    case .billable: "billed differently: one is not billable"
    case .rate: "billed at different rates"
    case .workspace: "billed in two workspaces"
    }
  }
}

/// Returns the words in the name of a type or a field, such as `time entry` for `TimeEntryID`.
func words(of name: String) -> String {
  var words = ""
  for scalar in (name.hasSuffix("ID") ? String(name.dropLast(2)) : name).unicodeScalars {
    if ("A"..."Z").contains(scalar) {
      if !words.isEmpty { words += " " }
      words += String(scalar).lowercased()
    } else {
      words.unicodeScalars.append(scalar)
    }
  }
  return words
}

/// Returns the limit of the size of a field; `nil` for a field with other rules.
private func limit(ofField field: String) -> RefusalText? {
  switch field {
  case "description", "annotations":
    RefusalText(
      "An entry has at most \(TimeEntry.listMax) annotations, and at most "
        + "\(TimeEntry.textBytesMax) bytes in them and the description.",
      "Shorten the texts, or remove annotations.")
  case "tags":
    RefusalText(
      "An entry has at most \(TimeEntry.listMax) tags, all of its workspace.", "Remove tags.")
  case "commands":
    RefusalText(
      "One change has at most \(TimeEntries.commandsMax) commands.",
      "Change fewer entries at once.")
  case "zone", "email", "id":
    RefusalText("The \(field) has more than \(Name.bytesMax) bytes.", "Shorten it.")
  case "externalIDs":
    RefusalText("An id of another program has at most \(Name.bytesMax) bytes.", "Shorten it.")
  default: nil
  }
}

/// Returns the advice for the value of a field that an entity refuses.
private func advice(forField field: String) -> String {
  switch field {
  case "currency": "Write the three capital letters of a code, such as EUR."
  case "target": "Write a time above zero, such as 8h."
  case "rate": "Write an amount from zero on, such as 85.50."
  default: "Correct it."
  }
}

extension ImportRefusal {
  fileprivate func text(in domain: DomainState) -> RefusalText {
    func file(_ run: ImportRunID) -> String {
      domain.importRuns.read(run) { TextWidth.cut($0.file, to: 60) } ?? "another file"
    }
    func source(_ run: ImportRunID) -> String {
      let name = domain.importRuns[run].flatMap { domain.externalSources[$0.source]?.name.text }
      return TextWidth.cut(name ?? "", to: 60)
    }
    return switch self {
    case .entity(let refusal): refusal.text(in: domain)
    case .row(let number, let refusal):
      RefusalText(
        "Accepted row \(number + 1): \(refusal.text(in: domain).reason)",
        refusal.text(in: domain).advice)
    case .fileNameTooLong:
      RefusalText(
        "The name of the file is longer than \(ImportRun.fileBytesMax) bytes.", "Rename it.")
    case .unknownRun: RefusalText("There is no such import.")
    case .alreadyImported(let run):
      RefusalText("The file is imported already, as \(file(run)).", "Undo that import first.")
    case .anotherRuns(let run):
      RefusalText(
        "The import of \(file(run)) from the source \(source(run)) is not finished.",
        "Finish or cancel it first.")
    case .ended: RefusalText("The import is finished or canceled.")
    case .outOfOrder(let expected):
      RefusalText(
        "The log has \(expected) rows of the file; another process imports it too.",
        "Wait for that process, or repeat the command.")
    case .rowsMissing: RefusalText("The rows are not at hand.", "Give the file.")
    }
  }
}

extension TimeEntryRefusal {
  fileprivate func text(
    in domain: DomainState, zone rules: ZoneRules?, showsIDs: Bool, of commands: [TimeEntryCommand]
  ) -> RefusalText {
    func time(_ moment: Moment) -> String {
      rules.map { dated($0.local(at: moment)) } ?? moment.timestamp
    }
    return switch self {
    case .entity(let refusal): refusal.text(in: domain)
    case .nothingRunning: RefusalText("Nothing is running.", "Start an entry first.")
    case .overlaps(let ids):
      RefusalText(
        "It overlaps \(domain.mention(of: ids, zone: showsIDs ? rules ?? .utc : nil)).")
    case .tooManyOverlaps(let count):
      RefusalText(
        "It overlaps \(count) entries, more than the \(TimeEntries.adjustmentsMax) that can be "
          + "adjusted at once.", "Correct the times.")
    case .inFuture(let moment):
      RefusalText("It would begin or end in the future, at \(time(moment)).")
    case .tooLong(let time): Self.text(onTooLong: time, in: domain, rules ?? .utc, of: commands)
    case .endsBeforeStart:
      commands.lazy.compactMap { $0.planned(in: domain, rules ?? .utc) }.first
        ?? RefusalText("It would end before it begins.", "Correct the times.")
    case .invalid(let field): EntityRefusal.invalid(field: field).text(in: domain)
    case .anotherRuns: RefusalText("Another entry is running.", "Stop it first.")
    case .outside(let moment):
      RefusalText(
        "The time \(time(moment)) is not within the entry.", "Give a time between its ends.")
    case .cannotJoin:
      RefusalText(
        "An entry cannot be joined with itself, nor with one of another user, project or task, or "
          + "one that is billed differently.",
        "Give two entries that are alike in these.")
    case .apart(let one, let other, let obstacle):
      RefusalText(
        "#\(one.value) and #\(other.value) are \(obstacle.text).",
        obstacle == .user ? "Join entries of one user." : "Make them alike first.")
    case .notBillable:
      RefusalText(
        "An entry that is not billable has no rate.", "Make it billable, or leave out the rate.")
    case .runsSince(let moment):
      RefusalText("It would run since \(time(moment)), for more than 12 hours.")
    case .takenByOthers(let ids):
      RefusalText(
        "By the policy adjust, another entry of those to change would take the time of "
          + "\(domain.mention(of: ids, zone: showsIDs ? rules ?? .utc : nil)).",
        "Change fewer entries, or let them overlap.")
    }
  }

  /// Returns the text for an entry that would take too long.
  private static func text(
    onTooLong time: ElapsedTime, in domain: DomainState, _ rules: ZoneRules,
    of commands: [TimeEntryCommand]
  ) -> RefusalText {
    let advice = commands.lazy.compactMap { $0.advice(onTooLong: time, in: domain, rules) }.first
    guard time <= TimeEntry.durationMax else {
      let hours = TimeEntry.durationMax.seconds / 3_600
      return RefusalText(
        "An entry would take \(time.clock); the most is \(hours) hours.", advice)
    }
    let span = commands.lazy.compactMap { $0.span(of: time, in: domain, rules) }.first ?? ""
    return RefusalText("An entry would take \(time.clock), more than 12 hours\(span).", advice)
  }
}

/// The texts for which a refusal is not enough, because they depend on the refused command.
extension TimeEntryCommand {
  /// Returns what to do about a running entry that would take too long if the command ended it;
  /// `nil` for other commands.
  fileprivate func advice(
    onTooLong time: ElapsedTime, in domain: DomainState, _ rules: ZoneRules
  ) -> String? {
    let running: TimeEntry?
    switch self {
    case .start, .resume, .stop: running = domain.runningEntry(endedBy: self)?.entry
    case .add, .correct, .delete, .split, .join, .several:
      running = domain.runningEntry(cutBy: self, after: time)
    }
    guard let running else { return nil }
    let stop = "`track stop \"\(end(of: running, before: time, rules))\"`"
    let allow = "repeat the command with --policy allow to record it as it is."
    if case .stop = self {
      let advice = "Give the time at which it ended, as in \(stop)"
      return time <= TimeEntry.durationMax ? "\(advice), or \(allow)" : "\(advice)."
    }
    return "Stop the running entry first, with the time at which it ended: \(stop)"
      + (time <= TimeEntry.durationMax ? ", or \(allow)" : ".")
  }

  /// Returns the start and the end that a stopped entry would have, for the end of a sentence;
  /// `nil` for other commands, and for an end at the present.
  fileprivate func span(
    of time: ElapsedTime, in domain: DomainState, _ rules: ZoneRules
  ) -> String? {
    guard case .stop(_, at: _?, policy: _) = self,
      let running = domain.runningEntry(endedBy: self)?.entry
    else { return nil }
    let (first, last) = (running.start, running.start.adding(time))
    return ": from \(dated(rules.local(at: first))) to \(dated(rules.local(at: last)))"
  }

  /// Returns the example of a time at which a running entry may have ended: within twelve hours and
  /// before the end that was refused, at the given time of day or else at 17:30, if possible.
  private func end(of running: TimeEntry, before time: ElapsedTime, _ rules: ZoneRules) -> String {
    var clocks = [17 * 3_600 + 30 * 60]
    if case .stop(_, at: let end?, policy: _) = self {
      clocks.insert(rules.local(at: end).secondOfDay, at: 0)
    }
    let begun = rules.local(at: running.start).secondOfDay
    let lengths = clocks.map { Int64(($0 - begun + 86_400) % 86_400) }
    let most = min(12 * 3_600, time.seconds - 1)
    let length = lengths.first { $0 > 0 && $0 <= most } ?? 3_600
    return dated(rules.local(at: running.start.adding(.seconds(length))))
  }

  /// Returns the text for a command that would end a running entry before its start; `nil` for
  /// other commands.
  fileprivate func planned(in domain: DomainState, _ rules: ZoneRules) -> RefusalText? {
    guard endsRunningEntryNow, let (id, running) = domain.runningEntry(endedBy: self) else {
      return nil
    }
    let local = rules.local(at: running.start)
    return RefusalText(
      "The entry #\(id.value) is planned to begin at \(local.date) \(local.clockWithSeconds).",
      "Correct its start with `track edit \(id.value) --start TIME`, or remove it with "
        + "`track cancel`.")
  }

  /// Whether the command ends the running entry at the present.
  private var endsRunningEntryNow: Bool {
    switch self {
    case .start(_, let at, policy: _, rules: _), .stop(_, let at, policy: _),
      .resume(_, let at, zone: _, policy: _, rules: _):
      at == nil
    case .add, .correct, .delete, .split, .join, .several: false
    }
  }
}

extension DomainState {
  /// Returns the running entry of the user for whom a command starts or stops an entry.
  fileprivate func runningEntry(
    endedBy command: TimeEntryCommand
  ) -> (id: TimeEntryID, entry: TimeEntry)? {
    let user: UserID? =
      switch command {
      case .start(let draft, at: _, policy: _, rules: _): user(of: draft)
      case .stop(let user, at: _, policy: _): user
      case .resume(let id, at: _, zone: _, policy: _, rules: _):
        timeEntries.read(id) { $0.user }
      case .add, .correct, .delete, .split, .join, .several: nil
      }
    return user.flatMap { runningEntry(of: $0) }
  }

  /// Returns the running entry that would end after a time, because the entry of a command begins
  /// there.
  fileprivate func runningEntry(
    cutBy command: TimeEntryCommand, after time: ElapsedTime
  ) -> TimeEntry? {
    let user: UserID?
    let start: Moment
    switch command {
    case .add(let draft, let begin, let end, policy: _, rules: _):
      guard end.elapsed(since: begin) != time else { return nil }
      (user, start) = (self.user(of: draft), begin)
    case .correct(let id, let correction, policy: _, rules: _, reason: _):
      guard let entry = timeEntries[id], !entry.isRunning else { return nil }
      user = correction.changes.user?.after ?? entry.user
      start = correction.changes.start?.after ?? entry.start
    case .start, .stop, .resume, .delete, .split, .join, .several: return nil
    }
    guard let running = user.flatMap({ runningEntry(of: $0) })?.entry,
      start.elapsed(since: running.start) == time
    else { return nil }
    return running
  }

  private func user(of draft: TimeEntryDraft) -> UserID? {
    switch draft.user {
    case .id(let id): id
    case .name(let name): user(named: name)
    }
  }
}

extension TimeEntry {
  /// The description in a few words, quoted.
  var shortName: String { quotedWords(of: description) }

  /// Returns the id, the description and the local times, on one line.
  func mention(_ id: TimeEntryID, zone rules: ZoneRules) -> String {
    let text = description.isEmpty ? "" : " \(shortName)"
    return "#\(id.value)\(text) (\(times(from: start, to: end, by: rules)))"
  }
}

extension ImportedRow {
  /// Returns the description and the local times, on one line.
  ///
  /// - Parameter rules: The zone of the times.
  public func mention(zone rules: ZoneRules) -> String {
    "\(quotedWords(of: description)) (\(times(from: start, to: end, by: rules)))"
  }
}

/// Returns a description in a few words, quoted.
private func quotedWords(of description: String) -> String {
  description.isEmpty ? "(no description)" : "\"\(TextWidth.cut(description, to: 30))\""
}

/// Returns a local start and end, the end without its date if that is the date of the start.
private func times(from start: Moment, to end: Moment?, by rules: ZoneRules) -> String {
  let marks = rules.offsetMarks(from: start, to: end ?? start)
  let first = rules.local(at: start)
  let last = end.map { end in
    let local = rules.local(at: end)
    return " - \(local.date == first.date ? clock(local) : dated(local))\(marks.end)"
  }
  return "\(dated(first))\(marks.start)\(last ?? ", which runs")"
}

func dated(_ local: LocalTime) -> String { "\(local.date) \(clock(local))" }

/// Returns a local time without its date, with seconds unless they are zero.
private func clock(_ local: LocalTime) -> String {
  local.second == 0 ? local.clock : local.clockWithSeconds
}

extension ProjectNameError {
  /// Returns the text for the user of the app; a command line has other advice.
  public func text(in domain: DomainState) -> RefusalText {
    switch self {
    case .ambiguous(let text, let projects):
      let (names, areDistinct) = domain.qualifiedNames(of: projects)
      return RefusalText(
        "There are \(names.count) projects \(text).",
        areDistinct
          ? "Type one with its client: \(names.joined(separator: ", "))."
          : "Start the entry with `track start --workspace NAME`.")
    case .unknown(let project, let client):
      return RefusalText(
        "The client \(client.text) has no project \(project.text).",
        "Type the name of one that it has, or create it with `track projects create`.")
    case .ofClientsOnly(let name):
      return RefusalText(
        "No project \(name) is without a client.", "Create it with `track projects create`.")
    case .unknownClient(let client, project: _, of: let name):
      return RefusalText(
        "There is no project \(name.text), and no client \(client.text).",
        "Create it with `track projects create`.")
    }
  }
}

extension EntryWords.TwoProjects {
  /// The reason, as a sentence.
  public var reason: String { "There are two projects: \(first) and \(second)." }
}

/// Finds the name of an entity of any type.
private struct NameFinder: TableVisitor {
  let type: String
  let id: Int64
  var name: String?

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    guard ID.recordedName.utf8.elementsEqual(type.utf8) else { return }
    name = table[ID(value: id)]?.displayName
  }
}
