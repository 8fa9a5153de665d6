import RetraceLog
import RetraceArchitecture
public import RetraceAvro
public import RetraceRecording
import RetraceState
import RetraceStorage
public import TrackerDomain
public import TrackerFeatures

/// The import of the rows of one file, batch by batch, as one change.
///
/// Nothing of it is visible before ``finish()``. A run that ends early is completed by the next
/// one of the same file: rows that are in the log already are passed over.
public struct RowImport: ~Copyable {
  /// What an import has done.
  public struct Summary: Hashable, Sendable {
    /// The entries created by this run.
    public var created = 0
    /// The rows passed over because an entry with their id of the source exists.
    public var known = 0
    /// The rows that an earlier run of the same import has created.
    public var resumed = 0
    /// The created entries without a duration.
    public var zeroDurations = 0
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
  /// The ids of the rows that an interrupted run has created, and the number of rows without one.
  private var resumedIDs: Set<String> = []
  private var resumedCount = 0
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
  public init(
    into store: Store<TimeTracker>, source: Name, file: String, digest: Digest
  ) {
    self.store = store
    self.source = source
    self.file = file
    self.digest = digest
    learn(store.state.domain)
  }

  /// Reads the ids of the source that visible entries have, and where an interrupted import of the
  /// file stopped.
  private mutating func learn(_ domain: DomainState) {
    guard let id = domain.externalSources.rival(of: ExternalSource(name: source)) else { return }
    if let (run, entity) = domain.openImport(of: id), entity.digest == digest {
      self.run = run
      rowCount = entity.rows
    }
    let run = run
    domain.timeEntries.forEach { _, entry in
      guard let ownRun = entry.importRun else { return }
      let external = entry.externalIDs.first { $0.source == id }
      if ownRun == run {
        if let external { resumedIDs.insert(external.id) } else { resumedCount += 1 }
      } else if let external, domain.importRuns[ownRun]?.isActive == true {
        // A deleted entry is known, so that an import does not bring it back; one of an import that
        // was undone or given up is not.
        knownIDs.insert(external.id)
      }
    }
  }

  /// Adds a row; every ``batchSize`` rows are committed.
  ///
  /// - Throws: The refusal, or the errors of the store; what was committed stays, invisible.
  public mutating func add(_ row: ImportedRow) throws(CommandError<TimeTracker>) {
    if let id = row.id {
      if resumedIDs.remove(id) != nil {
        summary.resumed += 1
        knownIDs.insert(id)
        return
      }
      guard knownIDs.insert(id).inserted else {
        summary.known += 1
        return
      }
    } else if resumedCount > 0 {
      resumedCount -= 1
      summary.resumed += 1
      return
    }
    batch.append(row)
    summary.created += 1
    if row.start == row.end { summary.zeroDurations += 1 }
    if batch.count == Self.batchSize { try commit() }
  }

  /// Commits the last rows and makes the import visible; without new rows, nothing is written.
  ///
  /// - Returns: The result of the last command; `nil` if nothing was written.
  /// - Throws: As ``add(_:)``.
  public consuming func finish() throws(CommandError<TimeTracker>) -> Performed<TimeTracker>? {
    try commit()
    guard let run else { return nil }
    return try store.performBlocking(.importRun(.finish(run)), from: .importing)
  }

  private mutating func commit() throws(CommandError<TimeTracker>) {
    guard !batch.isEmpty else { return }
    let run = try begun()
    try store.performBlocking(
      .importRun(.rows(run, ImportedRows(from: rowCount, batch))), from: .importing)
    rowCount += Int64(batch.count)
    batch.removeAll(keepingCapacity: true)
  }

  /// Begins the import, unless it has begun.
  private mutating func begun() throws(CommandError<TimeTracker>) -> ImportRunID {
    if let run { return run }
    let performed = try store.performBlocking(
      .importRun(.begin(source: source, file: file, digest: digest)), from: .importing)
    let domain = performed.receipt.state.domain
    let open = domain.externalSources.rival(of: ExternalSource(name: source))
      .flatMap { domain.openImport(of: $0) }
    guard let open, open.run.rows == rowCount else {
      // Another process has begun the same import at this moment.
      throw .refused(
        .importRun(.outOfOrder(expected: open?.run.rows ?? 0)), after: performed.receipt.sequence)
    }
    run = open.id
    return open.id
  }
}
