import RetraceAvro
import RetraceRecording
import RetraceState
import TimeTracking

/// What the log knows of a source when an import begins, and what becomes of the rows of a file.
struct KnownRows {
  private let file: String
  private let source: SourceID?
  private let digest: Digest
  /// The interrupted import of the file, and the number of rows that it has in the log.
  private(set) var open: (id: ImportRunID, rows: Int64)?
  /// The finished imports of the source.
  private(set) var runs: [ImportRunID] = []
  private var ids: Set<String> = []
  /// The entries that an interrupted run has created, by their ids in the source; those without an
  /// id in the order of the file.
  private var resumed: [String: TimeEntryID] = [:]
  private var resumedInOrder: [TimeEntryID] = []
  private var nextInOrder = 0
  /// The counts of the rows so far.
  private(set) var summary = RowImport.Summary()

  /// Reads the ids of the source that entries have, and where an interrupted import of the file
  /// stopped.
  ///
  /// - Parameters:
  ///   - source: The system that the file comes from.
  ///   - file: The name of the file.
  ///   - digest: The SHA-256 of the file.
  ///   - run: The import, if it has begun.
  ///   - domain: The entities.
  /// - Complexity: O(entries) if the source is known.
  init(
    of source: Name, in file: String, _ digest: Digest, _ run: ImportRunID? = nil,
    in domain: DomainState
  ) {
    self.file = file
    self.digest = digest
    self.source = domain.externalSources.rival(of: ExternalSource(name: source))
    guard let id = self.source else { return }
    var run = run
    if let (open, entity) = domain.openImport(of: id), entity.digest == digest {
      run = open
      self.open = (open, entity.rows)
    }
    runs = Self.finishedRuns(of: id, in: domain)
    domain.timeEntries.forEach { entryID, entry in
      guard let ownRun = entry.importRun else { return }
      let external = entry.externalIDs.first { $0.source == id }
      if ownRun == run {
        if let external {
          resumed[external.id] = entryID
        } else {
          resumedInOrder.append(entryID)
        }
      } else if let external, domain.importRuns[ownRun]?.isActive == true {
        // A deleted entry is known, so that an import does not bring it back; one of an import that
        // was undone or given up is not.
        ids.insert(external.id)
      }
    }
  }

  /// Counts a row; returns whether it is a new one.
  ///
  /// - Parameters:
  ///   - row: The next row of the file.
  ///   - isRecorded: Returns whether an entry is what the row was recorded as.
  /// - Throws: ``RowImport/Failure/differs(file:)`` if an interrupted run has created other rows.
  mutating func add(
    _ row: ImportedRow,
    isRecorded: (ImportedRow, TimeEntryID) throws(RowImport.Failure) -> Bool
  ) throws(RowImport.Failure) -> Bool {
    var entry: TimeEntryID?
    if let id = row.id {
      entry = resumed.removeValue(forKey: id)
      guard ids.insert(id).inserted || entry != nil else {
        summary.known += 1
        return false
      }
    } else if nextInOrder < resumedInOrder.count {
      entry = resumedInOrder[nextInOrder]
      nextInOrder += 1
    }
    if let entry {
      guard try isRecorded(row, entry) else { throw .differs(file: file) }
      summary.resumed += 1
      if row.start == row.end { summary.zeroDurations += 1 }
      return false
    }
    // An interrupted run has created the first rows of the file, so those come before a new one.
    try checkResumed()
    summary.created += 1
    if row.start == row.end { summary.zeroDurations += 1 }
    return true
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
    func isImported(_ row: ImportedRow) -> Bool { row.id.map(ids.contains) ?? false }
    let imported = rows.filter(isImported)
    summary = old.summary
    summary.known += imported.count
    summary.created -= imported.count
    summary.zeroDurations -= imported.count { $0.start == $0.end }
    let others = rows.filter { !isImported($0) }
    ids.formUnion(old.ids)
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

extension ImportedRow {
  /// Returns whether an entry is what the row was recorded as.
  func isRecorded(as id: TimeEntryID, in domain: DomainState) -> Bool {
    guard let entry = domain.timeEntries[id] else { return false }
    let labels = domain.labels(of: entry)
    func isName(_ name: Name?, _ label: String?) -> Bool { name == label.map { Name($0) } }
    return start == entry.start && end == entry.end && zone == entry.zone
      && isBillable == entry.isBillable
      && description.utf8.elementsEqual(entry.description.utf8)
      && isName(user, labels.user) && isName(client, labels.client)
      && isName(project, labels.project) && isName(task, labels.task)
      && Set(tags) == Set(labels.tags.map { Name($0) })
  }
}
