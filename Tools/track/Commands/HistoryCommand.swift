import CivilTime
import RetraceAvro
import RetraceCommandLine
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Lists changes of the log.
struct HistoryCommand: TrackCommand {
  static let name = "history"
  static let limitOption = CommandOption(
    "limit", value: "count",
    "How many changes; the default is 30, or all of an entry. The latest are listed.")
  static let syntax = CommandSyntax(
    "track history", summary: "List the latest changes, or those of one entry.",
    discussion: """
      Each change is listed with when it was made, by whatever program, and what it did. What was \
      undone and not redone is marked; after "undo:" stands what that undo did. With an id, only \
      the changes of that entry are listed. Nothing is written; `track undo` takes changes back.

      EXAMPLES
        track history
        track history 12
        track history --limit 5 --json
      """,
    operands: [CommandOperand("id", isOptional: true, "The entry.")],
    options: TrackerOptions.all + [TrackerOptions.tzOption, limitOption, LogCommand.wideOption])

  let options: TrackerOptions
  private let entry: TimeEntryID?
  private let limit: Int?
  private let isWide: Bool

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    options = TrackerOptions(arguments)
    isWide = arguments.has(LogCommand.wideOption)
    if let word = arguments.operands.first {
      guard let number = Int64(word), number >= 0 else { throw .noID(word) }
      entry = TimeEntryID(value: number)
    } else {
      entry = nil
    }
    limit = try arguments.count(Self.limitOption)
  }

  func perform() throws(ToolFailure) {
    let wanted = limit ?? (entry == nil ? 30 : .max)
    let changes = try changes(wanted)
    if let entry, changes.isEmpty, wanted > 0 {
      throw .noEntry("There is no entry \(entry.value), and there was none.")
    }
    let (user, zone) = (try TrackerOptions.userName(nil), try options.givenZone())
    let texts = try options.read { domain in
      Result { () throws(ToolFailure) in
        let rules = try ReportCalendar(of: user, in: domain, zone: zone).rules
        return changes.reversed().map { ChangeText($0, in: domain, rules) }
      }
    }
    Output.startBuffering()
    if options.json { return Output.print(.array(texts.map(\.json))) }
    if texts.isEmpty, wanted > 0 { return Output.print("There are no changes yet.") }
    print(texts)
  }

  /// Returns the latest changes, newest first.
  private func changes(_ count: Int) throws(ToolFailure) -> [RecordedChange] {
    guard count > 0 else { return [] }
    let path = try options.path()
    // The log is read by opening the store, which a process does once.
    try Batch.close()
    var found: [RecordedChange] = []
    do throws(StoreError) {
      try TrackerStore.forEachChange(at: path) { change in
        if let own = own(change) { found.append(own) }
        return found.count < count
      }
    } catch {
      guard case .storeMissing(.directory) = error.code else { throw ToolFailure(error) }
    }
    return found
  }

  /// Returns a change with the edits that are to be listed; `nil` if there are none.
  private func own(_ change: RecordedChange) -> RecordedChange? {
    guard let entry else { return change }
    var change = change
    change.edits.removeAll { edit in
      guard case .entry(let edit) = edit else { return true }
      return edit.id != entry
    }
    return change.edits.isEmpty ? nil : change
  }

  private func print(_ texts: [ChangeText]) {
    var table = Table([.left, .left, .left, .left, .text])
    let isOfSeveral = Set(texts.map(\.change.login)).count > 1
    var day: CivilDate?
    for text in texts {
      let local = text.local
      if local.date != day { table.addHeading(local.date.withWeekday, over: 4) }
      day = local.date
      for (index, row) in text.rows.enumerated() {
        let isFirst = index == 0
        table.add([
          isFirst ? "  \(local.clock)" : "", isFirst && isOfSeveral ? text.change.login : "",
          row.verb, isFirst && text.change.isTakenBack ? "undone" : "", row.text,
        ])
      }
    }
    table.print(.ofOutput(isWide: isWide))
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
