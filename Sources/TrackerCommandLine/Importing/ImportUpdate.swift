import Retrace
import RetraceCommandLine
import RetraceRecording
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

  /// The refusals of rows, by their entries.
  private(set) var refusals: [TimeEntryID: String] = [:]
  /// The failure that ended the update early, if any.
  private(set) var failure: ToolFailure?

  /// The title of the failure if the entries were not updated.
  private static let what = "The entries were not updated."

  private struct Correction {
    var row: DifferingRow
    var command: TimeEntryCommand
    /// Whether it needs a client, a project or a task that does not exist.
    var needsNew: Bool
  }

  /// The times of the updated entries that have ended.
  var updatedTimes: [TimeEntryID: PlannedTimes] {
    var times: [TimeEntryID: PlannedTimes] = [:]
    for row in updated {
      let start = row.fields.contains(.start) ? row.row.start : row.entry.start
      let end = row.fields.contains(.end) ? row.row.end : row.entry.end
      guard let end else { continue }
      times[row.id] = PlannedTimes(of: Name(row.labels.user), from: start, to: end)
    }
    return times
  }

  /// Creates no corrections.
  init(keeping rows: [DifferingRow]) { kept = rows }

  /// Corrects the entries that no command but an import has changed since their import.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - options: The options of the import, whose store is closed.
  ///   - isDryRun: Whether nothing is written.
  init(of rows: [DifferingRow], _ options: TrackerOptions, isDryRun: Bool) {
    self.init(keeping: rows)
    do throws(ToolFailure) {
      try perform(options, isDryRun: isDryRun)
    } catch {
      failure = error
      if !updated.isEmpty { failure?.what = "Not all entries were updated." }
    }
  }

  private mutating func perform(
    _ options: TrackerOptions, isDryRun: Bool
  ) throws(ToolFailure) {
    guard !kept.isEmpty else { return }
    try findEdited(options)
    let wanted = kept.filter { !$0.isEdited }
    guard !wanted.isEmpty else { return }
    if isDryRun {
      let found = try options.read { (domain) throws(ToolFailure) in
        try Self.corrections(by: wanted, in: domain, options)
      }
      refusals = found.refusals
      return note(found.corrections)
    }
    let tracker = try options.open(creating: false)
    do throws(ToolFailure) {
      try perform(wanted, in: tracker, options)
    } catch {
      try? options.context.close(tracker)
      throw error
    }
    try orFail(try options.context.close(tracker))
  }

  private mutating func perform(
    _ rows: [DifferingRow], in tracker: TrackerStore, _ options: TrackerOptions
  ) throws(ToolFailure) {
    func find() throws(ToolFailure) -> (corrections: [Correction], refusals: [TimeEntryID: String])
    {
      try tracker.verified { (domain) throws(ToolFailure) in
        try Self.corrections(by: rows, in: domain, options)
      }
    }
    var found = try find()
    let news = found.corrections.filter(\.needsNew).map(\.row)
    for row in news { try createNames(of: row, in: tracker, options) }
    if !news.isEmpty { found = try find() }
    refusals = found.refusals
    var rest = found.corrections[...]
    while !rest.isEmpty {
      let part = Self.part(of: rest)
      try Self.perform(.entry(.several(part.map(\.command))), in: tracker, options)
      note(part)
      changes += 1
      rest = rest.dropFirst(part.count)
    }
  }

  /// Creates the client, the project and the task of a row if they do not exist.
  private mutating func createNames(
    of row: DifferingRow, in tracker: TrackerStore, _ options: TrackerOptions
  ) throws(ToolFailure) {
    while let command = try tracker.verified({ (domain) throws(ToolFailure) in
      try Self.creation(for: row, in: domain)
    }) {
      try Self.perform(command, in: tracker, options)
      changes += 1
    }
  }

  /// Returns the corrections that fit into one command: an undo of it has about the same size.
  private static func part(of corrections: ArraySlice<Correction>) -> ArraySlice<Correction> {
    var bytes = 0
    let fitting = corrections.prefix(TimeEntries.commandsMax).prefix { correction in
      bytes += correction.command.encoded().count
      return bytes <= LogFormat.actionBytesMax / 2
    }
    return fitting.isEmpty ? corrections.prefix(1) : fitting
  }

  private mutating func note(_ corrections: some Collection<Correction>) {
    let ids = Set(corrections.map(\.row.id))
    updated += corrections.map(\.row)
    kept.removeAll { ids.contains($0.id) }
  }

  /// Marks the rows whose entries were changed last by another command than an import.
  ///
  /// The order of the log decides, because a clock may have been put back.
  private mutating func findEdited(_ options: TrackerOptions) throws(ToolFailure) {
    let path = try options.path()
    do throws(StoreError) {
      let runs = kept.compactMap { row in row.entry.importRun.map { (row.id, $0) } }
      let imported = try TrackerStore.lastChangedByImport(
        Dictionary(runs) { run, _ in run }, at: path)
      for index in kept.indices { kept[index].isEdited = !imported.contains(kept[index].id) }
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the corrections of rows, and why others are refused.
  private static func corrections(
    by rows: [DifferingRow], in domain: DomainState, _ options: TrackerOptions
  ) throws(ToolFailure) -> (corrections: [Correction], refusals: [TimeEntryID: String]) {
    var context = EntryContext(
      domain: domain, userName: try options.userName(),
      calendar: ReportCalendar(try options.zone()), now: try options.currentMoment(),
      savedFilters: options.context.settings.savedFilters)
    var corrections: [Correction] = []
    var refusals: [TimeEntryID: String] = [:]
    for row in rows {
      let domain = context.domain
      do throws(ToolFailure) {
        if let correction = try correction(by: row, in: &context, options.context) {
          corrections.append(correction)
        }
      } catch {
        refusals[row.id] = error.why
        context.domain = domain
      }
    }
    return (corrections, refusals)
  }

  /// Returns the correction of a row, and changes the entities of the context by it.
  private static func correction(
    by row: DifferingRow, in context: inout EntryContext, _ verbContext: VerbContext
  ) throws(ToolFailure) -> Correction? {
    var row = row
    var needsNew = false
    let (now, rules) = (context.now, context.rules)
    while let command = try creation(for: row, in: context.domain) {
      try context.domain.preview(command, at: now, what, rules)
      needsNew = true
    }
    row = row.namingProject(in: context.domain)
    let arguments: CommandArguments
    do throws(CommandLineError) {
      arguments = try CommandArguments(row.correction.dropFirst(), for: EditVerb.syntax)
    } catch {
      throw .usage("\(error)", advice: "Edit the entry.")
    }
    let edit = try EditVerb(arguments, in: verbContext)
      .request(in: context).commands.first?.with(.allow)
    guard
      let command = edit.map({
        verbContext.zones.prepared($0, at: now, in: context.domain, known: rules)
      })?.with(annotations: row)
    else { return nil }
    try context.domain.preview(.entry(command), at: now, what, rules)
    return Correction(row: row, command: command, needsNew: needsNew)
  }

  /// Returns the command that creates the first that is missing of a row's client, project and
  /// task; `nil` if all exist.
  ///
  /// An import creates them, but an edit creates no task, and no project whose name another one
  /// has.
  private static func creation(
    for row: DifferingRow, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand? {
    if row.movesProject, let name = row.row.project {
      let client = row.row.client
      func isMissing(_ text: String) -> Bool {
        domain.projects(named: text).allSatisfy {
          domain.projects[$0]?.workspace != row.entry.workspace
        }
      }
      if isMissing("\(client?.text ?? "")/\(name.text)"), client != nil || !isMissing(name.text) {
        var project = Project(name: name, workspace: row.entry.workspace)
        guard let client else { return .project(.create(project)) }
        domain.clients.forEach { id, known in
          let isThere = known.workspace == nil || known.workspace == project.workspace
          if known.deleted == nil && known.name == client && isThere {
            project.client = domain.clients.resolve(id) ?? id
          }
        }
        return project.client == nil
          ? .client(.create(Client(name: client, workspace: project.workspace)))
          : .project(.create(project))
      }
    }
    guard row.fields.contains(.task), let task = row.row.task, row.row.project != nil else {
      return nil
    }
    let project: Reference<ProjectID>? =
      row.movesProject
      ? try ToolFailure.naming(what, in: domain) { () throws(ProjectNameError) in
        try domain.project(
          for: row.namingProject(in: domain).project, in: row.entry.workspace, orElsewhere: true)
      }
      : row.entry.project.flatMap(domain.projects.resolve).map { .id($0) }
    switch project {
    case nil: return nil
    case .name(let name)?:
      return .project(.create(Project(name: name, workspace: row.entry.workspace)))
    case .id(let id)?:
      guard (try? domain.task(named: task.text, of: project)) == nil else { return nil }
      return .task(.create(ProjectTask(name: task, project: id)))
    }
  }

  /// Performs a command as one change of an import.
  private static func perform(
    _ command: DomainCommand, in tracker: TrackerStore, _ options: TrackerOptions
  ) throws(ToolFailure) {
    do throws(CommandError<TimeTracker>) {
      try tracker.store.performBlocking(command, from: .importing)
    } catch {
      throw ToolFailure(what, error, in: tracker.domain, options)
    }
  }
}

extension TimeEntryCommand {
  /// Returns a correction that also gives the entry the annotations of its row: with klog, they say
  /// where its times come from.
  fileprivate func with(annotations row: DifferingRow) -> TimeEntryCommand {
    guard case .correct(let id, var correction, let policy, let rules, let reason) = self,
      row.row.annotations != row.entry.annotations
    else { return self }
    correction.changes.annotations = Change(
      from: row.entry.annotations, to: row.row.annotations)
    return .correct(id, correction, policy: policy, rules: rules, reason: reason)
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
    func set(_ field: ImportField, _ value: String) {
      if fields.contains(field) { add(field.rawValue, value) }
    }
    set(.start, time(row.start))
    set(.end, time(row.end))
    set(.description, row.description)
    if movesProject { add("project", project) }
    set(.task, row.task?.text ?? "")
    if fields.contains(.tags) {
      let (old, new) = (labels.tags.map { Name($0) }, row.tags)
      for name in new where !old.contains(name) { add("tag", name.text) }
      for name in old where !new.contains(name) { add("untag", name.text) }
    }
    // Without the option, an entry becomes billable as its new project is.
    if hasBillable, movesProject || fields.contains(.billable) {
      words.append(row.isBillable ? "--billable" : "--not-billable")
    }
    // Without the option, an entry gets the present rate, or keeps its own.
    let getsRate = movesProject || fields.contains(.billable) || row.rate != entry.rate
    if hasRates, row.isBillable, getsRate { add("rate", row.rate.map(Amount.decimal) ?? "") }
    // An import accepts overlaps and long entries.
    if fields.contains(.start) || fields.contains(.end) { words += ["--policy", "allow"] }
    return words
  }

  /// Returns a moment in the zone of the row, or in UTC if it has a fraction of a second.
  private func time(_ moment: Moment) -> String {
    guard moment == moment.wholeSecond else { return moment.timestamp }
    let zone = ZoneRules(id: row.zone.id, offsetSeconds: row.zone.offsetSeconds)
    return zone.rfc3339(moment)
  }
}
