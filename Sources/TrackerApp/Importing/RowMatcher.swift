import Retrace
import RetraceRecording
import TimeTracking
import TrackerFormats

/// A matcher of the rows of a file with the entries of their source, which counts the rows.
struct RowMatcher {
  private let scope: ImportScope
  private let source: SourceID?
  private let compared: ComparedFields
  /// The interrupted import of the file, and the number of rows that it has in the log.
  private(set) var open: (id: ImportRunID, rows: Int64)?
  /// The finished imports of the source.
  private(set) var runs: [ImportRunID] = []
  /// The entries that finished imports have created, by their ids in the source.
  ///
  /// `hash` is the hash of the values of an entry; `nil` if the entry is deleted. A row with the
  /// same hash is known without reading the entry, which may be on any page of the store.
  private var known: [String: (entry: TimeEntryID, hash: Int?)] = [:]
  /// The ids of the rows so far, each with the hash of its first row.
  private var ids = RowIDs()
  /// The entries that an interrupted run has created, by their ids in the source.
  private var resumed: [String: TimeEntryID] = [:]
  /// The entries without an id that an interrupted run has created, in the order of the file.
  private var resumedInOrder: [TimeEntryID] = []
  private var nextInOrder = 0
  /// The range of the days on which the rows so far begin, and their users.
  private var covered: (days: ClosedRange<CivilDate>, users: Set<Name>)?
  private var names: RowNames
  private var projects: RowProjects
  /// The counts of the rows so far.
  private(set) var counts = RowCounts()
  /// The rows so far that differ from their entries, up to a limit.
  private(set) var differing: [DifferingRow] = []

  /// Reads the entries with ids of the source, and the entries of an interrupted import of the
  /// file.
  ///
  /// - Parameters:
  ///   - scope: The parameters of the import.
  ///   - run: The import, if it has begun.
  ///   - domain: The entities.
  /// - Complexity: O(entries) if the source is known.
  init(_ scope: ImportScope, _ run: ImportRunID? = nil, in domain: DomainState) {
    self.scope = scope
    compared = ComparedFields(scope.fields)
    names = RowNames(domain)
    source = domain.externalSources.rival(of: ExternalSource(name: scope.system))
    projects = RowProjects(domain)
    guard let id = source else { return }
    var run = run
    var moments: Set<Moment> = []
    if let (open, entity) = domain.openImport(of: id), entity.digest == scope.digest {
      run = open
      self.open = (open, entity.rows)
    }
    runs = domain.finishedImports(of: id)
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
        // A deleted entry is known, so that an import does not create it again. Entries of an
        // import that was undone or cancelled are not known.
        let hash =
          entry.deleted == nil ? compared.hash(of: entry, labeler.labels(of: entry)) : nil
        known[external.id] = (entryID, hash)
      }
    }
    if !moments.isEmpty { projects = RowProjects(domain, except: moments) }
  }

  /// Counts a row, and returns whether it is new.
  ///
  /// - Parameters:
  ///   - row: The next row of the file. Its names get the Unicode form of known entities and
  ///     earlier rows, and values that the file lacks come from its project.
  ///   - compare: Returns the row with an entry; `nil` if there is no such entry.
  /// - Throws: ``Importer/Failure/differs(file:)`` if an interrupted run has created other rows.
  mutating func add(
    _ row: inout ImportedRow,
    compare: (ImportedRow, TimeEntryID) throws(Importer.Failure) -> ComparedRow?
  ) throws(Importer.Failure) -> Bool {
    names.resolve(&row)
    let hasClient = row.client != nil
    projects.complete(&row, of: scope)
    if scope.findsMissing { cover(row) }
    var entry: TimeEntryID?
    if let id = row.id {
      entry = resumed.removeValue(forKey: id)
      let hash = compared.hash(of: row)
      let earlier = ids.insert(id, hash)
      let known = known[id]
      if entry == nil, earlier != nil || known != nil {
        if let earlier, earlier != hash {
          counts.clashing += 1
          return false
        }
        var comparison: ComparedRow?
        if earlier == nil, let known, known.hash != hash {
          comparison = try compare(projects.present(row), known.entry)
        }
        countKnown(comparison)
        return false
      }
    } else if nextInOrder < resumedInOrder.count {
      entry = resumedInOrder[nextInOrder]
      nextInOrder += 1
    }
    if row.start == row.end { counts.zeroDurations += 1 }
    if let entry {
      // Values that the file lacks are not compared, because they depend on the present projects.
      var given = Set(ImportField.allCases)
      if !hasClient { given.remove(.client) }
      if !scope.fields.contains(.billable) { given.remove(.billable) }
      guard
        try compare(projects.present(row), entry)?
          .isRecorded(as: given, hasRates: scope.hasRates) == true
      else {
        throw .differs(file: scope.file)
      }
      counts.resumed += 1
      return false
    }
    // An interrupted run has created entries of the first rows, so a new row comes after all of
    // them.
    try checkResumed()
    if let name = row.project {
      if projects.isAmbiguous(row, of: scope.fields) { counts.ambiguousProjects.insert(name) }
      if projects.isElsewhere(name) { counts.projectsElsewhere.insert(name) }
    }
    if !hasClient, let client = projects.deletedClient(of: row) {
      counts.deletedClients.insert(client)
    }
    counts.created += 1
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

  /// Returns the entries of the source that have no row in the file.
  ///
  /// Only entries of the users of the rows are returned, and only those that begin between the
  /// first and the last day of the rows.
  ///
  /// - Parameters:
  ///   - running: The ids of the running entries in the file.
  ///   - days: The days of rejected rows. Entries that begin on such a day, or on a day beside it,
  ///     are left out.
  ///   - domain: The entities.
  /// - Complexity: O(entries of the source).
  func missing(
    besides running: [String], except days: Set<CivilDate>, in domain: DomainState
  ) -> [TimeEntryID] {
    guard let covered else { return [] }
    let running = Set(running)
    return known.filter { id, known in
      guard known.hash != nil, !ids.contains(id), !running.contains(id),
        let entry = domain.timeEntries[known.entry],
        let user = domain.users.read(entry.user, { $0.name })
      else { return false }
      let day = entry.localStart.date
      return covered.users.contains(user) && covered.days.contains(day)
        && !(-1...1).contains { days.contains(day.adding(days: $0)) }
    }.map(\.value.entry).sorted()
  }

  /// Counts a known row as unchanged, differing or deleted.
  ///
  /// - Parameter compared: The row with its entry; `nil` if they need no comparison.
  private mutating func countKnown(_ compared: ComparedRow?) {
    guard let compared else { return counts.known += 1 }
    guard compared.entry.deleted == nil else { return counts.deleted += 1 }
    let differences = compared.differences(in: scope.fields)
    guard !differences.isEmpty else { return counts.known += 1 }
    counts.differing += 1
    guard differing.count < scope.differingMax else { return }
    differing.append(
      DifferingRow(
        compared, fields: differences, hasBillable: scope.fields.contains(.billable),
        hasRates: scope.hasRates))
  }

  /// Checks that there was a row for each entry of an interrupted run.
  func checkResumed() throws(Importer.Failure) {
    guard resumed.isEmpty, nextInOrder == resumedInOrder.count else {
      throw .differs(file: scope.file)
    }
  }

  /// Checks that the commands of the import would be accepted.
  ///
  /// An import without a new row has none.
  ///
  /// - Throws: The refusal of the first or the last command of the import.
  func check(in domain: DomainState) throws(Importer.Failure) {
    try checkResumed()
    guard open != nil || counts.created > 0 else { return }
    do throws(ImportRefusal) {
      try domain.checkImport(of: scope.digest, from: source)
    } catch {
      throw .command(.refused(.importRun(error), after: 0))
    }
  }

  /// Takes over the counts of an older matcher, and counts rows as known that another process has
  /// imported since.
  ///
  /// - Parameters:
  ///   - rows: The rows that the older matcher found to be new, and that are not written.
  ///   - old: The older matcher.
  /// - Returns: The rows that are still new.
  mutating func recount(_ rows: [ImportedRow], after old: RowMatcher) -> [ImportedRow] {
    func isImported(_ row: ImportedRow) -> Bool { row.id.flatMap { known[$0] } != nil }
    let imported = rows.filter(isImported)
    counts = old.counts
    counts.known += imported.count
    counts.created -= imported.count
    counts.zeroDurations -= imported.count { $0.start == $0.end }
    let others = rows.filter { !isImported($0) }
    (ids, differing, names, covered) = (old.ids, old.differing, old.names, old.covered)
    return others
  }
}

/// The fields in which rows are compared with entries.
private struct ComparedFields {
  private let start, end, description, client, project, task, tags, isBillable: Bool

  /// Reads a set once, because a lookup of each field for each row costs more than hashing the row.
  init(_ fields: Set<ImportField>) {
    start = fields.contains(.start)
    end = fields.contains(.end)
    description = fields.contains(.description)
    client = fields.contains(.client)
    project = fields.contains(.project)
    task = fields.contains(.task)
    tags = fields.contains(.tags)
    isBillable = fields.contains(.billable)
  }

  /// Returns a hash of the values of an entry.
  func hash(of entry: TimeEntry, _ labels: EntryLabels) -> Int {
    hash(
      start: entry.start, end: entry.end, entry.description, labels.client, labels.project,
      labels.task, labels.tags, isBillable: entry.isBillable)
  }

  /// Returns a hash of the values of a row.
  func hash(of row: ImportedRow) -> Int {
    hash(
      start: row.start, end: row.end, row.description, row.client?.text, row.project?.text,
      row.task?.text, row.tags.map(\.text), isBillable: row.isBillable)
  }

  /// Returns a hash of the values of the fields; the tags may have any order.
  private func hash(
    start: Moment, end: Moment?, _ description: String, _ client: String?, _ project: String?,
    _ task: String?, _ tags: [String], isBillable: Bool
  ) -> Int {
    var hasher = Hasher()
    if self.start { hasher.combine(start) }
    if self.end { hasher.combine(end) }
    if self.description { hasher.combine(description) }
    if self.client { hasher.combine(client) }
    if self.project { hasher.combine(project) }
    if self.task { hasher.combine(task) }
    if self.tags { hasher.combine(Set(tags)) }
    if self.isBillable { hasher.combine(isBillable) }
    return hasher.finalize()
  }
}

extension DomainState {
  /// Returns the imports of a source that are finished and not undone.
  ///
  /// - Complexity: O(imports).
  func finishedImports(of source: SourceID) -> [ImportRunID] {
    var runs: [ImportRunID] = []
    importRuns.forEach { id, run in
      if run.isActive, run.source == source { runs.append(id) }
    }
    return runs
  }
}
