import CivilTime
import RetraceLog
import RetraceArchitecture
public import RetraceAvro
public import RetraceRecording
import RetraceState
import RetraceStorage
public import TimeTracking
public import TrackerFeatures
public import TrackerFormats

/// A row whose entry has other values, because the row was corrected or the entry was changed.
///
/// The import leaves the entry as it is.
public struct DifferingRow: Sendable {
  /// The fields that an import compares; a user keeps entries.
  public static let allFields: Set<ImportMapping.Field> = [
    .start, .end, .client, .project, .task, .tags, .description, .billable,
  ]

  /// The id of the entry.
  public let id: TimeEntryID
  /// The row, with the present names of what was merged or renamed since.
  public internal(set) var row: ImportedRow
  /// The entry.
  public let entry: TimeEntry
  /// The names of what the entry refers to.
  public let labels: EntryLabels
  /// The name of the project of the row, as ``namingProject(in:)`` has found it; empty if the row
  /// has none.
  public internal(set) var project: String
  /// The fields that differ.
  public internal(set) var fields: Set<ImportMapping.Field>
  /// Whether the entry gets another project.
  public var movesProject: Bool { !fields.isDisjoint(with: [.client, .project]) }
  /// Whether the file says what is billable.
  public let hasBillable: Bool
  /// Whether the file says the rates of entries.
  public let hasRates: Bool
  /// Whether the entry was changed after its import was finished.
  public var isEdited: Bool
  let references: EntryReferences
  /// When the import of the entry was finished, if names differ that may have changed since.
  let namesChangedSince: Moment?
}

/// The import of the rows of one file, batch by batch, as one change.
///
/// Nothing of it is visible before ``finish()``. A run that ends early is completed by the next
/// one of the same file: rows that are in the log already are passed over.
public struct RowImport: ~Copyable {
  /// The counts of an import.
  public struct Summary: Hashable, Sendable {
    /// The entries created by this run.
    public var created = 0
    /// The rows passed over because an entry with their id of the source exists, as they say.
    public var known = 0
    /// The rows that an earlier run of the same import has created.
    public var resumed = 0
    /// The rows passed over whose entry has other values.
    public var differing = 0
    /// The rows passed over because an earlier row of the file has their id and other values.
    public var clashing = 0
    /// The rows passed over whose entry was deleted.
    public var deleted = 0
    /// The entries of the import without a duration.
    public var zeroDurations = 0
    /// The entries of the import that overlap another one of their user, once it is finished.
    public var overlaps = 0

    /// The names of projects of new rows without a client that several projects have.
    public var ambiguousProjects: Set<Name> = []
    /// The names of projects of new rows that only projects of workspaces have; the rows are of
    /// others, because an import is of no workspace.
    public var projectsElsewhere: Set<Name> = []
    /// The names of clients that were deleted, and whose projects are named by new rows without a
    /// client; both are made anew.
    public var deletedClients: Set<Name> = []

    /// The entries of the import, by this run and an earlier one.
    public var entries: Int { created + resumed }
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
  private let fields: Set<ImportMapping.Field>
  private let hasRates: Bool
  private let differingMax: Int
  private var run: ImportRunID?
  /// The rows of the source that the log has, and the counts.
  private var known: KnownRows
  /// The number of rows that the import has in the log.
  private var rowCount: Int64 = 0
  private var batch: [ImportedRow] = []

  /// The counts so far.
  public var summary: Summary { known.summary }

  /// The rows so far that differ from their entries, as many as are kept.
  var differing: [DifferingRow] { known.differing }

  /// Returns the entries as ``KnownRows/missing(besides:except:in:)`` does.
  func missing(
    besides running: [String], except days: Set<CivilDate>
  ) throws(Failure) -> [TimeEntryID] {
    do throws(StoreError) {
      return try store.read { known.missing(besides: running, except: days, in: $0.domain) }
    } catch {
      throw .command(.store(error))
    }
  }

  /// Prepares an import; writes nothing.
  ///
  /// - Parameters:
  ///   - store: The store, open.
  ///   - source: The system that the file comes from. Ids of rows are compared only with those of
  ///     the same source.
  ///   - file: The name of the file.
  ///   - digest: The SHA-256 of the file, by which an interrupted import is found again.
  ///   - fields: The fields that the file gives, in which rows are compared with known entries.
  ///   - hasRates: Whether the file says the rates of entries; others get the present ones.
  ///   - differingMax: The most rows that differ from their entries and are kept.
  /// - Complexity: O(entries) if the source is known.
  /// - Throws: ``Failure`` if a damaged page was read, and the log cannot be folded in its place.
  public init(
    into store: Store<TimeTracker>, source: Name, file: String, digest: Digest,
    fields: Set<ImportMapping.Field> = DifferingRow.allFields, hasRates: Bool = true,
    differingMax: Int = FileImport.rejectionsMax
  ) throws(Failure) {
    self.store = store
    self.source = source
    self.file = file
    self.digest = digest
    self.fields = fields
    self.hasRates = hasRates
    self.differingMax = differingMax
    known = try Self.known(store) { domain in
      KnownRows(
        of: source, in: file, digest, fields, hasRates: hasRates, differingMax, in: domain)
    }
    if let open = known.open { (run, rowCount) = (open.id, open.rows) }
  }

  /// Reads what the log knows of a source.
  ///
  /// An entry on a page that cannot be read would be imported twice, so the read is verified.
  private static func known(
    _ store: Store<TimeTracker>, _ read: (DomainState) -> KnownRows
  ) throws(Failure) -> KnownRows {
    do throws(StoreError) {
      return try store.read { state in read(state.domain) }
    } catch {
      throw .command(.store(error))
    }
  }

  /// Adds a row; every ``batchSize`` rows are committed.
  ///
  /// - Returns: The sequence up to which the log is durable, if the row completed a batch.
  /// - Throws: ``Failure``; what was committed stays, invisible.
  @discardableResult
  public mutating func add(_ row: ImportedRow) throws(Failure) -> UInt64? {
    let store = store
    var row = row
    let isNew = try known.add(&row) { (row, entry) throws(Failure) in
      do throws(StoreError) {
        return try store.read { state in ComparedRow(row, beside: entry, in: state.domain) }
      } catch {
        throw .command(.store(error))
      }
    }
    guard isNew else { return nil }
    batch.append(row)
    return batch.count == Self.batchSize ? try commit() : nil
  }

  /// Commits the last rows and makes the import visible; without new rows, nothing is written.
  ///
  /// - Returns: What was done.
  /// - Complexity: That of `DomainState.overlappingEntries(of:)`.
  /// - Throws: As ``add(_:)``.
  public consuming func finish() throws(Failure) -> Summary {
    try known.checkResumed()
    try commit()
    var summary = known.summary
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
    if KnownRows.finishedRuns(of: open.run.source, in: domain) != known.runs { try learnAgain() }
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
    let old = known
    let (source, file, digest) = (source, file, digest)
    let (fields, hasRates, differingMax, run) = (fields, hasRates, differingMax, run)
    known = try Self.known(store) { domain in
      KnownRows(
        of: source, in: file, digest, fields, hasRates: hasRates, differingMax, run, in: domain)
    }
    batch = known.recount(batch, after: old)
  }
}
