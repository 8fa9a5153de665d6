import Retrace
import RetraceCommandLine
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Lists changes of the log.
struct HistoryVerb: Verb {
  static let name = "history"
  static let limitOption = CommandOption(
    "limit", letter: "n", value: "count",
    "How many changes; the default is 30, or all of an entry. The latest are listed.")
  static let syntax = CommandSyntax(
    "track history", summary: "List the latest changes, or the changes of one entry.",
    discussion: """
      Each change is listed with when it was made, its name, such as c412, and what it did, by \
      whatever program. `track undo c412` takes that change back, and `track restore c412` brings \
      it back. What is undone is marked; after "undo:" stands what that undo of the named change \
      did. Below the change are the reason that --reason gave, and a remark if --now fixed the \
      clock or the clock was set back. With an id, only the changes of that entry are listed, and \
      the import that created it. If they are about entries of several users, each has the user. \
      Other things have the names of the time of the change. --user says whose entry -1 is, and \
      whose time zone is shown. Nothing is written.

      EXAMPLES
        track history
        track history 12
        track history --limit 5 --json
      """,
    operands: [
      CommandOperand("id", isOptional: true, "The entry; -1 or @1 is the one with the latest end.")
    ],
    options: TrackerOptions.ofUser + [limitOption, LogVerb.wideOption])

  let options: TrackerOptions
  private let word: String?
  private let limit: Int?
  private let isWide: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    isWide = arguments.has(LogVerb.wideOption)
    word = arguments.operands.first
    limit = try arguments.count(Self.limitOption)
  }

  /// Returns the entry that a word names; a number may name a deleted one.
  private func entry(_ word: String) throws(ToolFailure) -> TimeEntryID {
    if let number = UInt32(word) { return TimeEntryID(value: Int64(number)) }
    return try options.readEntries { (context) throws(ToolFailure) in
      var words = [word][...]
      let found = try EntrySelection(in: context).takeIDs(from: &words, ofAnyUser: true)
      guard found.count == 1, let entry = found.first else { throw .noID(word) }
      return entry.id
    }
  }

  func perform() throws(ToolFailure) {
    let entry = try word.map(entry)
    let wanted = limit ?? (entry == nil ? 30 : .max)
    let texts = try texts(wanted, of: entry)
    if let entry, texts.isEmpty, wanted > 0 {
      throw .refused(
        "There is no entry \(entry.value), and there was none.",
        advice: "`track log` lists entries with their ids.", what: "No changes were listed.")
    }
    options.output.startBuffering()
    if options.json { return options.output.print(.array(texts.map(\.json))) }
    if texts.isEmpty, wanted > 0 { return options.output.print("There are no changes yet.") }
    print(texts)
  }

  /// Returns the texts of a number of changes, the oldest first.
  private func texts(
    _ count: Int, of entry: TimeEntryID?
  ) throws(ToolFailure) -> [RecordedChangeText] {
    let path = try options.path()
    let (user, zone) = (try options.userName(), try options.givenZone())
    // Reading the log opens the store, which a process cannot do twice.
    try options.context.closeSharedStore()
    var notice: String?
    let texts: Result<[RecordedChangeText], ToolFailure>
    do throws(StoreError) {
      texts = try TrackerStore.readHistory(at: path, foldTrial: options.context.foldTrial(path)) {
        (domain, use, forEachChange) throws(StoreError) in
        notice = TrackerOptions.notice(of: use)
        let rules: ZoneRules
        do throws(ToolFailure) {
          rules = try options.context.calendar(of: user, in: domain, zone: zone).rules
        } catch {
          return .failure(error)
        }
        // Names are shown as they were then, so the state goes back with the changes.
        var past = domain
        var names = ChangeNames(past)
        var texts: [RecordedChangeText] = []
        let run = entry.flatMap { domain.timeEntries.read($0) { $0.importRun } ?? nil }
        guard count > 0 else { return .success([]) }
        try forEachChange { change in
          if let own = Self.part(of: change, about: entry, importedBy: run) {
            texts.append(RecordedChangeText(own, in: past, rules, &names))
          }
          for edit in change.edits.reversed() {
            if let entry, case .entry(let edit) = edit, edit.id != entry { continue }
            edit.inverted.apply(to: &past)
          }
          if change.edits.contains(where: ChangeNames.areChanged) { names = ChangeNames(past) }
          return texts.count < count
        }
        return .success(texts.reversed())
      }
    } catch {
      try options.checkMissing(error)
      texts = .success([])
    }
    if let notice { options.output.printError(notice) }
    return try texts.get()
  }

  /// Returns a change with only the edits of an entry; `nil` if it has no edit of the entry.
  ///
  /// The end and the undo of the import that created the entry are edits of it.
  private static func part(
    of change: RecordedChange, about entry: TimeEntryID?, importedBy run: ImportRunID?
  ) -> RecordedChange? {
    guard let entry else { return change }
    var change = change
    change.edits.removeAll { edit in
      switch edit {
      case .entry(let edit): return edit.id != entry
      case .importRun(.changed(let id, let changes)): return id != run || changes.isActive == nil
      default: return true
      }
    }
    return change.edits.isEmpty ? nil : change
  }

  private func print(_ texts: [RecordedChangeText]) {
    var table = TextTable([.left, .left, .left, .left, .left, .left, .text])
    let hasLogins = Set(texts.map(\.change.login)).count > 1
    let hasUsers = Set(texts.flatMap(\.users)).count > 1
    var day: CivilDate?
    for text in texts {
      let local = text.local
      if local.date != day { table.addHeading(TimeStyle().withWeekday(local.date), over: 6) }
      day = local.date
      for (index, row) in text.rows.enumerated() {
        let isFirst = index == 0
        table.add([
          isFirst ? "  \(local.clock)" : "", isFirst ? text.name : "",
          isFirst && hasLogins ? text.change.login : "",
          isFirst && hasUsers ? text.users.joined(separator: ", ") : "",
          row.verb, isFirst ? text.mark : "", row.text,
        ])
      }
      if let remark = text.change.clock { table.addNote(remark.text, at: 4) }
    }
    table.print(options.context.style(isWide: isWide))
  }
}

extension CommandArguments {
  /// Returns the value of an option that is a number of things; `nil` if it is not given.
  func count(_ option: CommandOption) throws(ToolFailure) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .usage(
        "--\(option.name) is no number of at least 0: \(text).",
        advice: "Give a number such as 10.")
    }
    return number
  }
}
