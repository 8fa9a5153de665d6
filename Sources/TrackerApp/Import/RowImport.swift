import RetraceLog
import RetraceArchitecture
public import RetraceAvro
public import RetraceRecording
import RetraceState
import RetraceStorage
public import TimeTracking
public import TrackerFeatures

/// The import of the rows of one file, batch by batch, as one change.
///
/// Nothing of it is visible before ``finish()``. A run that ends early is completed by the next
/// one of the same file: rows that are in the log already are passed over.
public struct RowImport: ~Copyable {
  /// The counts of an import.
  public struct Summary: Hashable, Sendable {
    /// The entries created by this run.
    public var created = 0
    /// The rows passed over because an entry with their id of the source exists.
    public var known = 0
    /// The rows that an earlier run of the same import has created.
    public var resumed = 0
    /// The created entries without a duration.
    public var zeroDurations = 0
    /// The entries of the import that overlap another one of their user, once it is finished.
    public var overlaps = 0
  }

  /// The reason for which a row was not imported.
  public enum Failure: Error {
    /// An interrupted import of the file has begun with other rows: its options were others.
    case differs(file: String)
    /// A command was refused, or the store failed.
    case command(CommandError<TimeTracker>)
  }

  /// The number of rows in one commit.
  ///
  /// Large enough that the two disk flushes of a commit take a small part of the time, small enough
  /// that a batch fits into one crash note.
  public static var batchSize: Int { 1_000 }

  private let store: Store<TimeTracker>
  private let source: Name
  private let file: String
  private let digest: Digest
  private var run: ImportRunID?
  private var knownIDs: Set<String> = []
  /// The finished imports of the source when the ids were read.
  private var knownRuns: [ImportRunID] = []
  /// The entries that an interrupted run has created, by their ids in the source; those without an
  /// id in the order of the file.
  private var resumed: [String: TimeEntryID] = [:]
  private var resumedInOrder: [TimeEntryID] = []
  private var nextInOrder = 0
  /// The number of rows that the import has in the log.
  private var rowCount: Int64 = 0
  private var batch: [ImportedRow] = []
  /// What was done so far.
  public private(set) var summary = Summary()

  /// Prepares an import; writes nothing.
  ///
  /// - Parameters:
  ///   - store: The store, open.
  ///   - source: The system that the file comes from. Ids of rows are compared only with those of
  ///     the same source.
  ///   - file: The name of the file.
  ///   - digest: The SHA-256 of the file, by which an interrupted import is found again.
  /// - Complexity: O(entries) if the source is known.
  /// - Throws: ``Failure`` if a damaged page was read, and the log cannot be folded in its place.
  public init(
    into store: Store<TimeTracker>, source: Name, file: String, digest: Digest
  ) throws(Failure) {
    self.store = store
    self.source = source
    self.file = file
    self.digest = digest
    try learn()
  }

  /// What the log knows of a source when an import begins.
  fileprivate struct Known {
    /// The interrupted import of the file, and the rows that it has created.
    var open: (id: ImportRunID, rows: Int64)?
    var runs: [ImportRunID] = []
    var ids: Set<String> = []
    var resumed: [String: TimeEntryID] = [:]
    var resumedInOrder: [TimeEntryID] = []
  }

  /// Reads the ids of the source that visible entries have, and where an interrupted import of the
  /// file stopped.
  ///
  /// An entry on a page that cannot be read would be imported twice, so the read is verified.
  private mutating func learn() throws(Failure) {
    let (source, digest, run) = (source, digest, run)
    let known: Known?
    do throws(StoreError) {
      known = try store.read { state in
        Self.known(of: source, digest, run, in: state.domain)
      }
    } catch {
      throw .command(.store(error))
    }
    guard let known else { return }
    if let open = known.open { (self.run, rowCount) = (open.id, open.rows) }
    knownRuns = known.runs
    (resumed, resumedInOrder) = (known.resumed, known.resumedInOrder)
    knownIDs.formUnion(known.ids)
  }

  /// Returns what entities know of a source; `nil` if they do not know it.
  fileprivate static func known(
    of source: Name, _ digest: Digest, _ run: ImportRunID?, in domain: DomainState
  ) -> Known? {
    guard let id = domain.externalSources.rival(of: ExternalSource(name: source)) else {
      return nil
    }
    var known = Known()
    var run = run
    if let (open, entity) = domain.openImport(of: id), entity.digest == digest {
      run = open
      known.open = (open, entity.rows)
    }
    known.runs = finishedRuns(of: id, in: domain)
    domain.timeEntries.forEach { entryID, entry in
      guard let ownRun = entry.importRun else { return }
      let external = entry.externalIDs.first { $0.source == id }
      if ownRun == run {
        if let external {
          known.resumed[external.id] = entryID
        } else {
          known.resumedInOrder.append(entryID)
        }
      } else if let external, domain.importRuns[ownRun]?.isActive == true {
        // A deleted entry is known, so that an import does not bring it back; one of an import that
        // was undone or given up is not.
        known.ids.insert(external.id)
      }
    }
    return known
  }

  /// Adds a row; every ``batchSize`` rows are committed.
  ///
  /// - Returns: The sequence up to which the log is durable, if the row completed a batch.
  /// - Throws: ``Failure``; what was committed stays, invisible.
  @discardableResult
  public mutating func add(_ row: ImportedRow) throws(Failure) -> UInt64? {
    if let id = row.id {
      if let entry = resumed.removeValue(forKey: id) {
        try resume(row, as: entry)
        knownIDs.insert(id)
        return nil
      }
      guard knownIDs.insert(id).inserted else {
        summary.known += 1
        return nil
      }
    } else if nextInOrder < resumedInOrder.count {
      try resume(row, as: resumedInOrder[nextInOrder])
      nextInOrder += 1
      return nil
    }
    // An interrupted run has created the first rows of the file, so those come before a new one.
    try checkResumed()
    batch.append(row)
    summary.created += 1
    if row.start == row.end { summary.zeroDurations += 1 }
    return batch.count == Self.batchSize ? try commit() : nil
  }

  /// Passes over a row that an interrupted run has created, if the entry is that of the row.
  private mutating func resume(_ row: ImportedRow, as id: TimeEntryID) throws(Failure) {
    let isSame: Bool
    do throws(StoreError) {
      isSame = try store.read { state in
        let domain = state.domain
        return domain.timeEntries[id].map { row.isRecorded(as: $0, in: domain) } ?? false
      }
    } catch {
      throw .command(.store(error))
    }
    guard isSame else { throw .differs(file: file) }
    summary.resumed += 1
  }

  /// Checks that each entry of an interrupted run had its row.
  private borrowing func checkResumed() throws(Failure) {
    guard resumed.isEmpty, nextInOrder == resumedInOrder.count else {
      throw .differs(file: file)
    }
  }

  /// Commits the last rows and makes the import visible; without new rows, nothing is written.
  ///
  /// - Returns: What was done.
  /// - Complexity: That of `DomainState.overlappingEntries(of:)`.
  /// - Throws: As ``add(_:)``.
  public consuming func finish() throws(Failure) -> Summary {
    try checkResumed()
    try commit()
    guard let run else { return summary }
    _ = try perform(.finish(run))
    do throws(StoreError) {
      summary.overlaps = try store.read { $0.domain.overlappingEntries(of: run) }
    } catch {
      throw .command(.store(error))
    }
    return summary
  }

  /// Commits the rows of the batch; returns the sequence up to which the log is durable.
  @discardableResult
  private mutating func commit() throws(Failure) -> UInt64? {
    guard !batch.isEmpty else { return nil }
    let run = try begun()
    guard !batch.isEmpty else { return nil }
    let performed = try perform(.rows(run, ImportedRows(from: rowCount, batch)))
    rowCount += Int64(batch.count)
    batch.removeAll(keepingCapacity: true)
    return performed.receipt.sequence
  }

  /// Begins the import, unless it has begun.
  private mutating func begun() throws(Failure) -> ImportRunID {
    if let run { return run }
    let performed = try perform(.begin(source: source, file: file, digest: digest))
    let domain = performed.receipt.state.domain
    let open = domain.externalSources.rival(of: ExternalSource(name: source))
      .flatMap { domain.openImport(of: $0) }
    guard let open, open.run.rows == rowCount else {
      // Another process has begun the same import at this moment.
      throw .command(
        .refused(
          .importRun(.outOfOrder(expected: open?.run.rows ?? 0)),
          after: performed.receipt.sequence))
    }
    run = open.id
    if Self.finishedRuns(of: open.run.source, in: domain) != knownRuns { try learnAgain() }
    return open.id
  }

  private func perform(
    _ command: ImportCommand
  ) throws(Failure) -> Performed<TimeTracker> {
    do throws(CommandError<TimeTracker>) {
      return try store.performBlocking(.importRun(command), from: .importing)
    } catch {
      throw .command(error)
    }
  }

  /// Reads the ids again, because another process has imported rows of the source since; passes
  /// over those of the batch that it imported.
  private mutating func learnAgain() throws(Failure) {
    let seen = knownIDs
    knownIDs = []
    try learn()
    let imported = batch.filter { $0.id.map(knownIDs.contains) ?? false }
    batch.removeAll { $0.id.map(knownIDs.contains) ?? false }
    summary.known += imported.count
    summary.created -= imported.count
    summary.zeroDurations -= imported.count { $0.start == $0.end }
    knownIDs.formUnion(seen)
  }

  /// Returns the imports of a source that are finished and not undone.
  ///
  /// - Complexity: O(imports).
  private static func finishedRuns(of source: SourceID, in domain: DomainState) -> [ImportRunID] {
    var runs: [ImportRunID] = []
    domain.importRuns.forEach { id, run in
      if run.isActive, run.source == source { runs.append(id) }
    }
    return runs
  }
}

extension ImportedRow {
  /// Returns whether an entry is what the row was recorded as.
  fileprivate func isRecorded(as entry: TimeEntry, in domain: DomainState) -> Bool {
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

/// The counts of an import of rows that is not done.
struct RowPreview {
  private var known: RowImport.Known
  private var nextInOrder = 0
  /// What would be done.
  private(set) var summary = RowImport.Summary()

  /// Prepares the preview of an import.
  ///
  /// - Complexity: O(entries) if the source is known.
  /// - Throws: The refusal of an import of the file.
  init(source: Name, digest: Digest, in domain: DomainState) throws(RowImport.Failure) {
    func refused(_ refusal: ImportRefusal) -> RowImport.Failure {
      .command(.refused(.importRun(refusal), after: 0))
    }
    if let active = domain.activeImport(of: digest) { throw refused(.alreadyImported(active)) }
    let id = domain.externalSources.rival(of: ExternalSource(name: source))
    if let id, let open = domain.openImport(of: id), open.run.digest != digest {
      throw refused(.anotherRuns(open.id))
    }
    known = RowImport.known(of: source, digest, nil, in: domain) ?? RowImport.Known()
  }

  /// Counts a row as ``RowImport/add(_:)`` does; returns whether it would be created.
  mutating func add(_ row: ImportedRow) -> Bool {
    if let id = row.id {
      if known.resumed.removeValue(forKey: id) != nil {
        summary.resumed += 1
        known.ids.insert(id)
        return false
      }
      guard known.ids.insert(id).inserted else {
        summary.known += 1
        return false
      }
    } else if nextInOrder < known.resumedInOrder.count {
      summary.resumed += 1
      nextInOrder += 1
      return false
    }
    summary.created += 1
    if row.start == row.end { summary.zeroDurations += 1 }
    return true
  }
}
