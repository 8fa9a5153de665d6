import CivilTime
import RetraceAvro
import RetraceRecording
import RetraceState
public import TimeTracking
import TrackerFormats

/// The rows of a source that the log has when an import begins, and the outcome of the rows of a
/// file.
struct KnownRows {
  private let file: String
  private let source: SourceID?
  private let digest: Digest
  private let fields: Set<ImportMapping.Field>
  private let hasRates: Bool
  private let differingMax: Int
  /// The interrupted import of the file, and the number of rows that it has in the log.
  private(set) var open: (id: ImportRunID, rows: Int64)?
  /// The finished imports of the source.
  private(set) var runs: [ImportRunID] = []
  /// The entries that finished imports have created, by their ids in the source, each with the hash
  /// of its values unless it is deleted.
  ///
  /// A row of the same hash needs no look at the entry, which may be on any page of the store.
  private var known: [String: (entry: TimeEntryID, hash: Int?)] = [:]
  /// The ids of the rows so far, each with the hash of its first row.
  private var ids: [String: Int] = [:]
  /// The entries that an interrupted run has created, by their ids in the source; those without an
  /// id in the order of the file.
  private var resumed: [String: TimeEntryID] = [:]
  private var resumedInOrder: [TimeEntryID] = []
  private var nextInOrder = 0
  /// The days on which the rows so far begin, and their users.
  private var covered: (days: ClosedRange<CivilDate>, users: Set<Name>)?
  private var names: RowNames
  private var projects: RowProjects
  /// The counts of the rows so far.
  private(set) var summary = RowImport.Summary()
  /// The rows so far that differ from their entries, as many as are kept.
  private(set) var differing: [DifferingRow] = []

  /// Reads the ids of the source that entries have, and where an interrupted import of the file
  /// stopped.
  ///
  /// - Parameters:
  ///   - source: The system that the file comes from.
  ///   - file: The name of the file.
  ///   - digest: The SHA-256 of the file.
  ///   - fields: The fields that the file gives; others are not compared with known entries.
  ///   - hasRates: Whether the file says the rates of entries; others get the present ones.
  ///   - differingMax: The most rows that differ from their entries and are kept.
  ///   - run: The import, if it has begun.
  ///   - domain: The entities.
  /// - Complexity: O(entries) if the source is known.
  init(
    of source: Name, in file: String, _ digest: Digest, _ fields: Set<ImportMapping.Field>,
    hasRates: Bool, _ differingMax: Int, _ run: ImportRunID? = nil, in domain: DomainState
  ) {
    self.file = file
    self.digest = digest
    self.fields = fields
    self.hasRates = hasRates
    self.differingMax = differingMax
    names = RowNames(domain)
    self.source = domain.externalSources.rival(of: ExternalSource(name: source))
    projects = RowProjects(domain)
    guard let id = self.source else { return }
    var run = run
    var moments: Set<Moment> = []
    if let (open, entity) = domain.openImport(of: id), entity.digest == digest {
      run = open
      self.open = (open, entity.rows)
    }
    runs = Self.finishedRuns(of: id, in: domain)
    var labeler = EntryLabeler(domain)
    domain.timeEntries.forEach { entryID, entry in
      guard let ownRun = entry.importRun else { return }
      let external = entry.externalIDs.first { $0.source == id }
      if ownRun == run {
        moments.insert(entry.modified)
        if let external {
          resumed[external.id] = entryID
        } else {
          resumedInOrder.append(entryID)
        }
      } else if let external, domain.importRuns[ownRun]?.isActive == true {
        // A deleted entry is known, so that an import does not bring it back; one of an import that
        // was undone or given up is not.
        let hash = entry.deleted == nil ? hash(of: entry, labeler.labels(of: entry)) : nil
        known[external.id] = (entryID, hash)
      }
    }
    if !moments.isEmpty { projects = RowProjects(domain, except: moments) }
  }

  /// Counts a row; returns whether it is a new one.
  ///
  /// - Parameters:
  ///   - row: The next row of the file; gets the names that entities or earlier rows have in
  ///     another form of Unicode, and what its project says in place of the file.
  ///   - compare: Returns the row beside an entry; `nil` if there is no such entry.
  /// - Throws: ``RowImport/Failure/differs(file:)`` if an interrupted run has created other rows.
  mutating func add(
    _ row: inout ImportedRow,
    compare: (ImportedRow, TimeEntryID) throws(RowImport.Failure) -> ComparedRow?
  ) throws(RowImport.Failure) -> Bool {
    row = names.resolve(row)
    let hasClient = row.client != nil
    projects.complete(&row, of: fields, hasRates: hasRates)
    cover(row)
    var entry: TimeEntryID?
    if let id = row.id {
      entry = resumed.removeValue(forKey: id)
      let hash = hash(of: row)
      let earlier = ids[id]
      if earlier == nil { ids[id] = hash }
      let known = known[id]
      if entry == nil, earlier != nil || known != nil {
        if let earlier, earlier != hash {
          summary.clashing += 1
          return false
        }
        var compared: ComparedRow?
        if earlier == nil, let known, known.hash != hash {
          compared = try compare(projects.present(row), known.entry)
        }
        note(compared)
        return false
      }
    } else if nextInOrder < resumedInOrder.count {
      entry = resumedInOrder[nextInOrder]
      nextInOrder += 1
    }
    if let entry {
      // What the file does not say depends on what projects there are.
      var given = Set(ImportMapping.Field.allCases)
      if !hasClient { given.remove(.client) }
      if !fields.contains(.billable) { given.remove(.billable) }
      guard
        try compare(projects.present(row), entry)?
          .isRecorded(as: given, hasRates: hasRates) == true
      else {
        throw .differs(file: file)
      }
      summary.resumed += 1
      if row.start == row.end { summary.zeroDurations += 1 }
      return false
    }
    // An interrupted run has created the first rows of the file, so those come before a new one.
    try checkResumed()
    if let name = row.project {
      if projects.isAmbiguous(row, of: fields) { summary.ambiguousProjects.insert(name) }
      if projects.isElsewhere(name) { summary.projectsElsewhere.insert(name) }
    }
    if !hasClient, let client = projects.deletedClient(of: row) {
      summary.deletedClients.insert(client)
    }
    summary.created += 1
    if row.start == row.end { summary.zeroDurations += 1 }
    return true
  }

  private mutating func cover(_ row: ImportedRow) {
    let day = LocalTime(row.start, offsetSeconds: row.zone.offsetSeconds).date
    guard let days = covered?.days else { return covered = (day...day, [row.user]) }
    if !days.contains(day) {
      covered?.days = min(days.lowerBound, day)...max(days.upperBound, day)
    }
    covered?.users.insert(row.user)
  }

  /// Returns the entries of the source that no row so far is of, if they begin on a day that the
  /// rows cover and are of a user of the rows.
  ///
  /// - Parameters:
  ///   - running: The ids of the elements of the file that have no end.
  ///   - days: The days of rows that were not understood; entries that begin on them or on one
  ///     beside them are left out.
  ///   - domain: The entities.
  /// - Complexity: O(entries of the source).
  func missing(
    besides running: [String], except days: Set<CivilDate>, in domain: DomainState
  ) -> [TimeEntryID] {
    guard let covered else { return [] }
    let running = Set(running)
    return known.filter { id, known in
      guard known.hash != nil, ids[id] == nil, !running.contains(id),
        let entry = domain.timeEntries[known.entry],
        let user = domain.users.read(entry.user, { $0.name })
      else { return false }
      let day = entry.localStart.date
      return covered.users.contains(user) && covered.days.contains(day)
        && !(-1...1).contains { days.contains(day.adding(days: $0)) }
    }.map(\.value.entry).sorted()
  }

  /// Counts a row that is known, by what became of its entry.
  ///
  /// - Parameter compared: The row beside its entry; `nil` for one that is not compared.
  private mutating func note(_ compared: ComparedRow?) {
    guard let compared else { return summary.known += 1 }
    guard compared.entry.deleted == nil else { return summary.deleted += 1 }
    let differences = compared.differences(in: fields)
    guard !differences.isEmpty else { return summary.known += 1 }
    summary.differing += 1
    guard differing.count < differingMax else { return }
    differing.append(
      DifferingRow(
        compared, fields: differences, hasBillable: fields.contains(.billable),
        hasRates: hasRates))
  }

  private func hash(of entry: TimeEntry, _ labels: EntryLabels) -> Int {
    hash(
      start: entry.start, end: entry.end, entry.description, labels.client, labels.project,
      labels.task, labels.tags, isBillable: entry.isBillable)
  }

  private func hash(of row: ImportedRow) -> Int {
    hash(
      start: row.start, end: row.end, row.description, row.client?.text, row.project?.text,
      row.task?.text, row.tags.map(\.text), isBillable: row.isBillable)
  }

  /// Returns a hash of the values of the fields that are compared; the tags may have any order.
  private func hash(
    start: Moment, end: Moment?, _ description: String, _ client: String?, _ project: String?,
    _ task: String?, _ tags: [String], isBillable: Bool
  ) -> Int {
    var hasher = Hasher()
    if fields.contains(.start) { hasher.combine(start) }
    if fields.contains(.end) { hasher.combine(end) }
    if fields.contains(.description) { hasher.combine(description) }
    if fields.contains(.client) { hasher.combine(client) }
    if fields.contains(.project) { hasher.combine(project) }
    if fields.contains(.task) { hasher.combine(task) }
    if fields.contains(.tags) { hasher.combine(Set(tags)) }
    if fields.contains(.billable) { hasher.combine(isBillable) }
    return hasher.finalize()
  }

  /// Checks that each entry of an interrupted run had its row.
  func checkResumed() throws(RowImport.Failure) {
    guard resumed.isEmpty, nextInOrder == resumedInOrder.count else {
      throw .differs(file: file)
    }
  }

  /// Checks that the import may be made; one that has no new row is not made.
  ///
  /// - Throws: The refusal of the first or the last command of the import.
  func check(in domain: DomainState) throws(RowImport.Failure) {
    try checkResumed()
    guard open != nil || summary.created > 0 else { return }
    do throws(ImportRefusal) {
      try domain.checkImport(of: digest, from: source)
    } catch {
      throw .command(.refused(.importRun(error), after: 0))
    }
  }

  /// Takes the counts that were made with what the log knew before; counts the new rows that other
  /// imports have brought since as known.
  ///
  /// - Returns: The other new rows.
  mutating func recount(_ rows: [ImportedRow], after old: KnownRows) -> [ImportedRow] {
    func isImported(_ row: ImportedRow) -> Bool { row.id.flatMap { known[$0] } != nil }
    let imported = rows.filter(isImported)
    summary = old.summary
    summary.known += imported.count
    summary.created -= imported.count
    summary.zeroDurations -= imported.count { $0.start == $0.end }
    let others = rows.filter { !isImported($0) }
    (ids, differing, names, covered) = (old.ids, old.differing, old.names, old.covered)
    return others
  }

  /// Returns the imports of a source that are finished and not undone.
  ///
  /// - Complexity: O(imports).
  static func finishedRuns(of source: SourceID, in domain: DomainState) -> [ImportRunID] {
    var runs: [ImportRunID] = []
    domain.importRuns.forEach { id, run in
      if run.isActive, run.source == source { runs.append(id) }
    }
    return runs
  }
}

/// A row beside the entry that it was recorded as.
struct ComparedRow {
  let row: ImportedRow
  let id: TimeEntryID
  let entry: TimeEntry
  let labels: EntryLabels
  /// Whether the entry was changed after its import was finished.
  let isEdited: Bool
  let references: EntryReferences
  /// When the import was finished, if the project, the task or a tag was changed since.
  let namesChangedSince: Moment?

  /// Reads an entry; `nil` if there is none.
  ///
  /// The row, whose client has its present name, gets those of what else was merged since.
  init?(_ row: ImportedRow, beside id: TimeEntryID, in domain: DomainState) {
    guard let entry = domain.timeEntries[id] else { return nil }
    (self.id, self.entry) = (id, entry)
    labels = domain.labels(of: entry)
    let references = EntryReferences(of: entry, in: domain)
    self.references = references
    var row = row
    row = references.rename(row, by: references.names(in: domain), labels)
    self.row = row
    let run = entry.importRun.flatMap { domain.importRuns[$0] }
    isEdited = run.map { entry.modified > $0.modified } ?? true
    let areChanged = run.map { references.areChanged(since: $0.modified, in: domain) } ?? false
    namesChangedSince = areChanged ? run?.modified : nil
  }

  /// Returns whether the entry is what the row was recorded as, with what some fields gave.
  ///
  /// - Parameters:
  ///   - given: The fields.
  ///   - hasRates: Whether the file says the rates of entries.
  func isRecorded(as given: Set<ImportMapping.Field>, hasRates: Bool) -> Bool {
    differences(in: given).isEmpty && row.zone == entry.zone
      && row.annotations == entry.annotations
      && (row.rate == entry.rate || !hasRates)
  }

  /// Returns the fields of some whose values differ.
  func differences(in given: Set<ImportMapping.Field>) -> Set<ImportMapping.Field> {
    func differs(_ name: Name?, _ label: String?) -> Bool { name != label.map { Name($0) } }
    var fields: Set<ImportMapping.Field> = []
    if row.start != entry.start { fields.insert(.start) }
    if row.end != entry.end { fields.insert(.end) }
    if row.isBillable != entry.isBillable { fields.insert(.billable) }
    if !row.description.utf8.elementsEqual(entry.description.utf8) { fields.insert(.description) }
    if differs(row.user, labels.user) { fields.insert(.user) }
    return fields.intersection(given).union(
      DifferingRow.names(of: row, otherThan: labels, in: given))
  }
}

extension DifferingRow {
  fileprivate init(
    _ compared: ComparedRow, fields: Set<ImportMapping.Field>, hasBillable: Bool, hasRates: Bool
  ) {
    (self.hasBillable, self.hasRates) = (hasBillable, hasRates)
    (id, row, entry) = (compared.id, compared.row, compared.entry)
    labels = compared.labels
    project = row.project?.text ?? ""
    (self.fields, isEdited) = (fields, compared.isEdited)
    references = compared.references
    let hasNames = !fields.isDisjoint(with: Self.nameFields)
    namesChangedSince = hasNames ? compared.namesChangedSince : nil
  }

  private static let nameFields: Set<ImportMapping.Field> = [.client, .project, .task, .tags]

  /// Returns the fields of names, among some, in which a row differs from an entry.
  fileprivate static func names(
    of row: ImportedRow, otherThan labels: EntryLabels, in given: Set<ImportMapping.Field>
  ) -> Set<ImportMapping.Field> {
    var fields: Set<ImportMapping.Field> = []
    if row.project != labels.project.map({ Name($0) }) { fields.insert(.project) }
    // A row without a project says nothing of a client.
    if row.project != nil, row.client != labels.client.map({ Name($0) }) { fields.insert(.client) }
    fields.formIntersection(given)
    // An entry loses its task with its project.
    let losesTask = !fields.isEmpty && row.task != nil
    if losesTask || row.task != labels.task.map({ Name($0) }) { fields.insert(.task) }
    if Set(row.tags) != Set(labels.tags.map { Name($0) }) { fields.insert(.tags) }
    return fields.intersection(given)
  }

  /// Returns the row with the name that its project has for the command line: after that of its
  /// client if the name alone does not say which project is meant.
  ///
  /// - Complexity: O(projects) if the project differs.
  public func namingProject(in domain: DomainState) -> DifferingRow {
    guard movesProject else { return self }
    var row = self
    row.project = domain.projectName(of: row.row)
    return row
  }

  /// Returns the row with the present names of what had other names; `nil` if it does not differ
  /// then.
  func renamed(by names: EntityNames) -> DifferingRow? {
    guard namesChangedSince != nil else { return self }
    var renamed = self
    renamed.row = references.rename(row, by: names, labels)
    let others = Self.nameFields.subtracting(
      Self.names(of: renamed.row, otherThan: labels, in: fields))
    renamed.fields.subtract(others)
    renamed.project = renamed.row.project?.text ?? ""
    return renamed.fields.isEmpty ? nil : renamed
  }
}

extension DomainState {
  /// Returns the name of the project of a row, after that of its client if the name alone does not
  /// say which one is meant; empty if the row has none.
  fileprivate func projectName(of row: ImportedRow) -> String {
    guard let name = row.project?.text else { return "" }
    let long = "\(row.client?.text ?? "")/\(name)"
    let (named, meant) = (projects(named: name), projects(named: long))
    if named.count == 1 && named == meant { return name }
    return row.client == nil && named.isEmpty ? name : long
  }
}
