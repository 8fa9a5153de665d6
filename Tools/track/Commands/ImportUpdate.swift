import CivilTime
import RetraceCommandLine
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures
import TrackerFormats

/// The corrections of entries whose rows have changed since their import.
struct ImportUpdate {
  /// The rows whose values the entries got, or would get.
  private(set) var updated: [DifferingRow] = []
  /// The rows whose entries keep their values.
  private(set) var kept: [DifferingRow]
  /// The number of changes that the corrections were recorded as.
  private(set) var changes = 0

  private typealias Correction = (row: DifferingRow, command: TimeEntryCommand)

  /// Makes no corrections.
  init(keeping rows: [DifferingRow]) { kept = rows }

  /// Corrects the entries that no command but an import has changed since their import.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - options: The options of the import, whose store is closed.
  ///   - isDryRun: Whether nothing is written.
  init(
    of rows: [DifferingRow], _ options: TrackerOptions, isDryRun: Bool
  ) throws(ToolFailure) {
    self.init(keeping: rows)
    guard !rows.isEmpty else { return }
    let wanted = try Self.unedited(rows, options)
    guard !wanted.isEmpty else { return }
    if isDryRun {
      let corrections = try options.read { domain in
        Result { () throws(ToolFailure) in
          try Self.corrections(by: wanted, in: domain, options)
        }
      }
      note(corrections)
      return
    }
    let tracker = try options.open(creating: false)
    do throws(ToolFailure) {
      var rest = try tracker.verified { (domain) throws(ToolFailure) in
        try Self.corrections(by: wanted, in: domain, options)
      }[...]
      while !rest.isEmpty {
        let part = rest.prefix(TimeEntries.commandsMax)
        try Self.perform(part.map(\.command), in: tracker)
        note(part)
        changes += 1
        rest = rest.dropFirst(part.count)
      }
    } catch {
      try? tracker.close()
      throw error
    }
    do throws(StoreError) { try tracker.close() } catch { throw ToolFailure(error) }
  }

  private mutating func note(_ corrections: some Collection<Correction>) {
    let ids = Set(corrections.map(\.row.id))
    updated += corrections.map(\.row)
    kept.removeAll { ids.contains($0.id) }
  }

  /// Returns the rows of entries that no command but an import has changed last.
  private static func unedited(
    _ rows: [DifferingRow], _ options: TrackerOptions
  ) throws(ToolFailure) -> [DifferingRow] {
    let edited = Set(rows.filter(\.isEdited).map(\.id))
    let path = try options.path()
    do throws(StoreError) {
      let imported = try TrackerStore.lastChangedByImport(edited, at: path)
      return rows.filter { !$0.isEdited || imported.contains($0.id) }.map { row in
        var row = row
        row.isEdited = false
        return row
      }
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the corrections of rows, without those that are refused.
  private static func corrections(
    by rows: [DifferingRow], in domain: DomainState, _ options: TrackerOptions
  ) throws(ToolFailure) -> [Correction] {
    var context = EntryContext(
      domain: domain, userName: try options.userName(), rules: try options.zone(),
      now: try options.currentMoment())
    var corrections: [Correction] = []
    var remarks: [String] = []
    for row in rows {
      guard
        let arguments = try? CommandArguments(row.correction.dropFirst(), for: EditCommand.syntax),
        let command = try? EditCommand(arguments).commands(in: context, remarks: &remarks).first?
          .with(.allow).recordingOffset(in: context.domain, known: context.rules),
        (try? EntryChanges.preview(command, on: &context.domain, at: context.now)) != nil
      else { continue }
      corrections.append((row, command))
    }
    return corrections
  }

  /// Performs corrections as one change of an import.
  private static func perform(
    _ commands: [TimeEntryCommand], in tracker: TrackerStore
  ) throws(ToolFailure) {
    do throws(CommandError<TimeTracker>) {
      try tracker.store.performBlocking(.entry(.several(commands)), from: .importing)
    } catch {
      throw ToolFailure("The entries were not updated.", error, in: tracker.domain)
    }
  }
}

extension DifferingRow {
  /// The words of the command `track` that give the entry the values of the row.
  var correction: [String] {
    var words = ["edit", "\(id.value)"]
    // A value that begins with a hyphen is taken for an option otherwise.
    func add(_ option: String, _ value: String) {
      words += value.hasPrefix("-") ? ["--\(option)=\(value)"] : ["--\(option)", value]
    }
    func set(_ field: ImportMapping.Field, _ value: String) {
      if fields.contains(field) { add(field.rawValue, value) }
    }
    set(.start, time(row.start))
    set(.end, time(row.end))
    set(.description, row.description)
    set(.project, project)
    set(.task, row.task?.text ?? "")
    if fields.contains(.tags) {
      let (old, new) = (labels.tags.map { Name($0) }, row.tags)
      for name in new where !old.contains(name) { add("tag", name.text) }
      for name in old where !new.contains(name) { add("untag", name.text) }
    }
    // An entry becomes billable as its new project is, unless the command says it.
    if fields.contains(.billable) || fields.contains(.project) {
      let isBillable = fields.contains(.billable) ? row.isBillable : entry.isBillable
      words.append(isBillable ? "--billable" : "--not-billable")
    }
    // An import accepts overlaps and long entries.
    if fields.contains(.start) || fields.contains(.end) { words += ["--policy", "allow"] }
    return words
  }

  /// Returns a moment in the zone of the row, or in UTC if it has a fraction of a second.
  private func time(_ moment: Moment) -> String {
    guard moment == moment.wholeSecond else { return moment.timestamp }
    let zone = ZoneRules(id: row.zone.id, offsetSeconds: row.zone.offsetSeconds)
    let local = zone.local(at: moment)
    return "\(local.date)T\(local.clockWithSeconds)\(zone.offsetText(at: moment))"
  }
}
