import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFormats

/// The output of an import.
extension ImportVerb {
  /// Prints the report of an import or of a dry run.
  func print(_ report: ImportReport, _ update: ImportUpdate, _ overlaps: ImportOverlaps) {
    if options.json {
      options.output.print(json(report, update, overlaps))
    } else {
      printText(report, update, overlaps)
    }
  }

  /// Returns the report of an import for programs.
  private func json(
    _ report: ImportReport, _ update: ImportUpdate, _ overlaps: ImportOverlaps
  ) -> JSONValue {
    let rows = report.rows
    let differing = rows.differing - update.updated.count
    var members: [JSONValue.Member] = [
      .init("created", .integer(Int64(rows.created))),
      .init("resumed", .integer(Int64(rows.resumed))),
      .init("skipped", .integer(Int64(rows.known))),
      .init("deleted", .integer(Int64(rows.deleted))),
      .init("clashing", .integer(Int64(rows.clashing))),
      .init("differingCount", .integer(Int64(differing))),
      .init("differing", .array(update.kept.map { json($0, in: update) })),
      .init("overlaps", .integer(Int64(rows.overlaps))),
      .init("zeroDurations", .integer(Int64(rows.zeroDurations))),
      .init(
        "repeatedTimes",
        [
          "earlier": .integer(Int64(report.repeated.earlier)),
          "later": .integer(Int64(report.repeated.later)),
        ]),
      .init("zone", readZone.map { .string($0) } ?? .null),
      .init("secondsLeftOut", .integer(report.timeLeftOut.seconds)),
      .init("rejectedCount", .integer(Int64(report.rejected.count))),
      .init("rejected", .array(report.rejected.kept.map(json))),
    ]
    if let list = overlaps.json { members.append(.init("overlapping", list)) }
    if updates {
      members.append(.init("updated", .array(update.updated.map { json($0, in: update) })))
      if let missing = report.missing {
        members.append(.init("missing", .array(missing.map { .integer($0.value) })))
      }
    }
    if !format.hasColumns || report.running > 0 {
      members.append(.init("running", .integer(Int64(report.running))))
    }
    let notes = notes(on: report) + (overlaps.note.map { [$0] } ?? [])
    if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
    if isDryRun { members.append(.init("dryRun", .bool(true))) }
    return .object(members)
  }

  /// Prints the report of an import for people.
  private func printText(
    _ report: ImportReport, _ update: ImportUpdate, _ overlaps: ImportOverlaps
  ) {
    let rows = report.rows
    let differing = rows.differing - update.updated.count
    if isDryRun { options.output.print("Nothing was written. An import would have these counts:") }
    let resumed = rows.resumed > 0 ? ", \(rows.resumed) of them by an interrupted run" : ""
    options.output.print("created         \(rows.entries)\(resumed)")
    options.output.print("skipped         \(rows.known)")
    if rows.deleted > 0 {
      options.output.print("deleted         \(rows.deleted), which stay deleted")
    }
    if rows.clashing > 0 {
      options.output.print(
        "clashing        \(rows.clashing), left out: an earlier row has the id and other values")
    }
    print(update)
    if differing > 0 {
      let entries = differing == 1 ? "entry keeps its" : "entries keep their"
      options.output.print("differing       \(differing), the \(entries) values; the file has:")
      print(update.kept, of: differing, in: update)
    }
    if updates { print(missing: report.missing) }
    if report.running > 0 {
      options.output.print("running         \(report.running), left out until they have ended")
    }
    options.output.print("overlaps        \(rows.overlaps)")
    for line in overlaps.lines { options.output.printWrapped("  \(line)", indent: 4) }
    options.output.print("zero durations  \(rows.zeroDurations)")
    if let repeated = text(report.repeated) { options.output.print("repeated times  \(repeated)") }
    options.output.print("rejected        \(report.rejected.count)")
    for rejection in report.rejected.kept {
      options.output.printWrapped("  \(text(rejection))", indent: 4)
    }
    if report.rejected.more > 0 { options.output.print("  and \(report.rejected.more) more") }
    if let text = timeLeftOut(of: report) { options.output.print("time left out   \(text)") }
    if let readZone { options.output.print("zone            \(readZone)") }
    for note in notes(on: report) + (overlaps.note.map { [$0] } ?? []) {
      options.output.printWrapped("note            \(note)", indent: 16)
    }
  }

  /// The zone of times without an offset; `nil` for a format whose times have zones.
  private var readZone: String? { format.hasZones ? nil : zoneRules?.id }

  /// Returns the time of the rows that were left out, by which the total differs from that of the
  /// file; `nil` if it is zero or unknown.
  private func timeLeftOut(of report: ImportReport) -> String? {
    guard report.timeLeftOut != .zero else { return nil }
    let unknown = report.rejected.count - report.rejected.timed
    return "\(report.timeLeftOut.clock), in the total of the file and in no entry"
      + (unknown > 0 ? "; the time of \(unknown) rejected is not known" : "")
  }

  /// Returns notes on rows that may have the wrong project or client, and on rates in another
  /// currency.
  private func notes(on report: ImportReport) -> [String] {
    let rows = report.rows
    func notes(on names: Set<Name>, _ text: (String) -> String) -> [String] {
      names.sorted { $0.key < $1.key }.map { text($0.text) }
    }
    return notes(on: rows.ambiguousProjects) { name in
      "several projects are named \(name): rows without a client are of the one without one"
    }
      + notes(on: rows.projectsElsewhere) { name in
        "the project \(name) of a workspace is another one: rows are of one without a workspace"
      }
      + notes(on: rows.deletedClients) { name in
        "the client \(name) was deleted: rows are of a new client of that name"
      } + report.relabeled.map { text($0) } + report.notes
  }

  /// The most users that a note names.
  private static var usersNamedMax: Int { 3 }

  /// Returns the note on entries of other users than the one of the command line; `nil` if there
  /// are none, or if an option names the user.
  func noteOnUsers(_ report: ImportReport) throws(ToolFailure) -> String? {
    guard !options.namesUser else { return nil }
    let own = try options.context.defaultUserName()
    let others = report.users.filter { $0 != Name(own) }.map(\.text).sorted()
    guard let first = others.first else { return nil }
    let more = others.count - Self.usersNamedMax
    let names =
      others.prefix(Self.usersNamedMax).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
    let isOne = others.count == 1
    let way =
      isDryRun
      ? "--user \(commandWord(own)) makes" : "`track undo` and --user \(commandWord(own)) make"
    let note =
      "the file names \(names) as \(isOne ? "the user" : "users"), and this command line is for "
      + "\(own): \(way) all rows entries of \(own)"
    guard isOne else { return note }
    return note
      + "; `track config set user \(commandWord(first))` changes the user of the command line"
  }

  /// Returns the note on rates in another currency than the file.
  private func text(_ rates: RelabeledRates) -> String {
    let entries = rates.count == 1 ? "1 entry" : "\(rates.count) entries"
    let before = "\(entries) of \(rates.user.text) with a rate in \(rates.currency)"
    if let present = rates.present {
      return "\(before): here the amounts are in \(present), the currency of the user"
    }
    return "\(before): here the amounts have no currency; "
      + "`track preferences --user \(commandWord(rates.user.text)) --currency CODE` gives them one"
  }

  /// The most rows that are listed as text because they differ from their entries.
  private static var differingShownMax: Int { 20 }

  /// Prints the updated rows, and the command that takes the update back.
  private func print(_ update: ImportUpdate) {
    let count = update.updated.count
    let undo = update.changes > 1 ? "`track undo \(update.changes)`" : "`track undo`"
    if count == 0, update.changes > 0 {
      options.output.print("updated         0, but names of rows are new, which \(undo) takes back")
    }
    guard count > 0 else { return }
    options.output.print(
      "updated         \(count), " + (isDryRun ? "by:" : "which \(undo) takes back, by:"))
    print(update.updated, of: count, in: update)
  }

  /// Prints which entries are not in the file any more, and how to delete them.
  private func print(missing: [TimeEntryID]?) {
    guard let missing else {
      return options.output.print("missing         not looked for, because rows were rejected")
    }
    guard !missing.isEmpty else { return }
    options.output.print(
      "missing         \(missing.count), not in the file any more; to delete "
        + (missing.count == 1 ? "it:" : "them:"))
    let words = missing.prefix(Self.differingShownMax).map { "\($0.value)" }
    options.output.print("  track delete \(words.joined(separator: " "))")
    let more = missing.count - words.count
    if more > 0 { options.output.print("  and \(more) more, which --json lists") }
  }

  /// Prints the commands that give entries the values of their rows.
  private func print(_ rows: [DifferingRow], of count: Int, in update: ImportUpdate) {
    for row in rows.prefix(Self.differingShownMax) {
      let words = row.correction.map(commandWord).joined(separator: " ")
      let note = update.refusals[row.id] ?? (row.isEdited ? "changed since its import" : nil)
      options.output.print("  track \(words)" + (note.map { "  # \($0)" } ?? ""))
    }
    let shown = min(rows.count, Self.differingShownMax)
    guard count > shown else { return }
    let listed = count == rows.count ? "which" : "of which"
    let some = count == rows.count ? "" : " \(rows.count - shown)"
    options.output.print("  and \(count - shown) more, \(listed) --json lists\(some)")
  }

  private func json(_ row: DifferingRow, in update: ImportUpdate) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("entry", .integer(row.id.value)), .init("edited", .bool(row.isEdited)),
      .init("command", .array(row.correction.map { .string($0) })),
    ]
    if let why = update.refusals[row.id] { members.append(.init("refusal", .string(why))) }
    return .object(members)
  }

  /// Returns the number of times that clocks show twice, and the moments taken; `nil` for none.
  private func text(_ times: RepeatedTimes) -> String? {
    switch (times.earlier, times.later) {
    case (0, 0): nil
    case (let count, 0): "\(count), the earlier moment was taken"
    case (0, let count): "\(count), the later moment was taken"
    case (let earlier, let later):
      "\(earlier + later), the earlier moment of \(earlier) and the later of \(later) was taken"
    }
  }

  private func json(_ rejection: RowRejection) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let file = rejection.file { members.append(.init("file", .string(file))) }
    members += [
      .init("line", .integer(Int64(rejection.line))),
      .init("column", rejection.column.map { .string($0) } ?? .null),
      .init("value", .string(rejection.value)),
      .init("reason", .string("\(rejection.reason)")),
    ]
    return .object(members)
  }

  func text(_ rejection: RowRejection) -> String {
    let file = rejection.file.map { "\($0), " } ?? ""
    let column = rejection.column.map { ", column \($0)" } ?? ""
    return "\(file)line \(rejection.line)\(column): \(rejection.reason): \(rejection.value)"
  }
}
