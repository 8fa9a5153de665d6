import Retrace
import RetraceRecording
import RetraceStorage
import RetraceSystem
import TimeTracking
import TrackerFeatures
import TrackerFormats

/// The values by which a row is known again.
enum RowIdentity {
  /// The id that the program gave it, within its source.
  case ids
  /// The id in a column of the file, within its source, or else a digest of its values.
  case columnIDs
  /// A digest of its values, in whatever source, or the values of an entry without a digest.
  case digests
  /// The beginning of an id and the values, within its source, or else the values of an entry of
  /// another source, because the name of the file is the source.
  case sharedIDs

  /// Whether a row may be known by an entry of another source.
  var spansSources: Bool { self != .ids }
}

/// The parameters of an import: its file, and the handling of rows.
struct ImportScope {
  /// The system that the file comes from; ids of rows are compared only within one system.
  var system: Name
  /// The name of the file.
  var file: String
  /// The SHA-256 of the file, by which an interrupted import is found again.
  var digest: Digest
  /// The fields that the file has.
  ///
  /// Other fields are not compared with known entries.
  var fields: Set<ImportField>
  /// Whether the file has rates.
  ///
  /// Otherwise entries get the present rates.
  var hasRates: Bool
  /// The maximum number of kept rows that differ from their entries.
  var differingMax: Int
  /// Whether the import looks for entries that are missing in the file.
  var findsMissing: Bool
  /// The values by which a row is known again.
  var identity = RowIdentity.columnIDs
}

/// One run of an import, which matches rows with the entries of a store and writes new rows in
/// batches.
struct ImportSession: ~Copyable {
  private let scope: ImportScope
  private let store: Store<TimeTracker>
  private var matcher: RowMatcher
  private var writer: BatchWriter
  private var batch: [ImportedRow] = []
  private var report = ImportReport()
  /// The ids of the running entries in the file, which are not rows.
  private var running: [String] = []
  /// The range from the first start to the last end of the entries so far.
  private var range: Range<Moment>?

  /// The counts of the rows so far.
  var counts: RowCounts { matcher.counts }

  /// Reads the entries of the source in the store.
  ///
  /// Writes nothing.
  ///
  /// - Complexity: O(entries) if the source is known.
  init(_ scope: ImportScope, into store: Store<TimeTracker>) throws(Importer.Failure) {
    self.scope = scope
    self.store = store
    matcher = try store.verified { RowMatcher(scope, in: $0) }
    writer = BatchWriter(scope, matcher.open, into: store)
  }

  /// Adds the rows of a piece of the file, and writes each full batch.
  ///
  /// - Parameters:
  ///   - rows: The rows. Their names get the Unicode form of known entities.
  ///   - acknowledged: Called with the sequence of each batch when it is durable.
  mutating func add(
    _ rows: inout ReadRows, _ acknowledged: (UInt64) -> Void
  ) throws(Importer.Failure) {
    let store = store
    func compare(_ row: ImportedRow, _ id: TimeEntryID) throws(Importer.Failure) -> ComparedRow? {
      try store.verified { ComparedRow(row, beside: id, in: $0) }
    }
    running += rows.running
    report.note(rows)
    try matcher.number(&rows.rows, compare: compare)
    for index in rows.rows.indices {
      let count = matcher.counts.entries
      let isNew = try matcher.add(&rows.rows[index], compare: compare)
      if matcher.counts.entries > count { note(rows.rows[index]) }
      guard isNew else { continue }
      batch.append(rows.rows[index].row)
      if batch.count == Importer.batchSize { try writeBatch(acknowledged) }
    }
  }

  /// Counts a row of an entry of the import, and extends the range by it.
  private mutating func note(_ row: ReadRows.Row) {
    report.note(row)
    let (start, end) = (row.row.start, row.row.end)
    range = min(range?.lowerBound ?? start, start)..<max(range?.upperBound ?? end, end)
  }

  /// Waits until every batch that was written is durable.
  mutating func wait(_ acknowledged: (UInt64) -> Void) throws(Importer.Failure) {
    if let sequence = try writer.wait() { acknowledged(sequence) }
  }

  /// Writes the remaining rows, and makes the import visible.
  ///
  /// Writes nothing if there is no new row.
  ///
  /// - Complexity: As `DomainState.overlappingEntries(of:)`.
  consuming func finish() throws(Importer.Failure) -> ImportReport {
    if let days = report.rejected.days, scope.findsMissing {
      let (matcher, running) = (matcher, running)
      report.missing = try store.verified {
        matcher.missing(besides: running, except: days, in: $0)
      }
    }
    try matcher.checkResumed()
    try writeBatch { _ in }
    (report.rows, report.differing) = (matcher.counts, matcher.differing)
    guard let run = writer.run else { return report }
    try writer.finish()
    let range = range
    report.rows.overlaps = try store.verified { $0.overlappingEntries(of: run, in: range) }
    return report
  }

  private mutating func writeBatch(_ acknowledged: (UInt64) -> Void) throws(Importer.Failure) {
    guard !batch.isEmpty else { return }
    try wait(acknowledged)
    if writer.run == nil {
      let runs = try writer.begin()
      if runs != matcher.runs { try matchAgain() }
      guard !batch.isEmpty else { return }
    }
    writer.write(batch)
    batch.removeAll(keepingCapacity: true)
  }

  /// Reads the ids again after another process has imported rows of the source, and removes the
  /// rows of the batch that it imported.
  private mutating func matchAgain() throws(Importer.Failure) {
    let (old, scope, run) = (matcher, scope, writer.run)
    matcher = try store.verified { RowMatcher(scope, run, in: $0) }
    batch = matcher.recount(batch, after: old)
  }
}

/// The writer of the rows of one import, which writes a batch while the next one is read.
struct BatchWriter: ~Copyable {
  private let scope: ImportScope
  private let store: Store<TimeTracker>
  /// The import, once it has begun.
  private(set) var run: ImportRunID?
  /// The number of rows of the import that are in the log or being written.
  private var rowCount: Int64
  private let thread = WorkerThread(name: "retrace-import")
  private var current: BatchWrite?

  init(
    _ scope: ImportScope, _ open: (id: ImportRunID, rows: Int64)?, into store: Store<TimeTracker>
  ) {
    self.scope = scope
    self.store = store
    (run, rowCount) = (open?.id, open?.rows ?? 0)
  }

  /// Begins the import.
  ///
  /// - Returns: The finished imports of the source.
  mutating func begin() throws(Importer.Failure) -> [ImportRunID] {
    let command = ImportCommand.begin(
      source: scope.system, file: scope.file, digest: scope.digest)
    let performed = try perform(command)
    let domain = performed.receipt.state.domain
    let open = domain.externalSources.rival(of: ExternalSource(name: scope.system))
      .flatMap { domain.openImport(of: $0) }
    guard let open, open.run.rows == rowCount else {
      // Another process is performing the same import.
      throw .command(
        .refused(
          .importRun(.outOfOrder(expected: open?.run.rows ?? 0)),
          after: performed.receipt.sequence))
    }
    run = open.id
    return domain.finishedImports(of: open.run.source)
  }

  /// Starts writing a batch on the other thread.
  ///
  /// - Precondition: The import has begun, and no other batch is being written.
  mutating func write(_ rows: [ImportedRow]) {
    guard let run else { preconditionFailure("an import writes rows after it has begun") }
    let (store, command) = (store, ImportCommand.rows(run, ImportedRows(from: rowCount, rows)))
    let write = BatchWrite()
    thread.submit {
      do throws(CommandError<TimeTracker>) {
        let performed = try store.performBlocking(.importRun(command), from: .importing)
        write.finish(.success(performed.receipt.sequence))
      } catch {
        write.finish(.failure(error))
      }
    }
    current = write
    rowCount += Int64(rows.count)
  }

  /// Waits until the last batch is durable, and returns its sequence; `nil` if it was returned
  /// before.
  mutating func wait() throws(Importer.Failure) -> UInt64? {
    guard let write = current else { return nil }
    current = nil
    do throws(CommandError<TimeTracker>) {
      return try write.result().get()
    } catch {
      throw .command(error)
    }
  }

  /// Makes the import visible.
  mutating func finish() throws(Importer.Failure) {
    _ = try wait()
    if let run { _ = try perform(.finish(run)) }
  }

  private func perform(
    _ command: ImportCommand
  ) throws(Importer.Failure) -> Performed<TimeTracker> {
    do throws(CommandError<TimeTracker>) {
      return try store.performBlocking(.importRun(command), from: .importing)
    } catch {
      throw .command(error)
    }
  }
}

/// A batch that another thread writes.
private final class BatchWrite: Sendable {
  private let outcome = Lock<Result<UInt64, CommandError<TimeTracker>>?>(nil)
  private let finished = Semaphore()

  func finish(_ result: Result<UInt64, CommandError<TimeTracker>>) {
    outcome.withLock { $0 = result }
    finished.signal()
  }

  /// Waits for the result.
  ///
  /// It can be called once.
  func result() -> Result<UInt64, CommandError<TimeTracker>> {
    finished.wait()
    guard let result = outcome.withLock({ $0 }) else {
      preconditionFailure("a batch has a result when it is finished")
    }
    return result
  }
}

extension Store<TimeTracker> {
  /// Calls `body` with the entities of the latest state, and verifies the pages that it read.
  ///
  /// Without that, an entry on an unreadable page would be imported twice.
  fileprivate func verified<Result>(
    _ body: (DomainState) -> Result
  ) throws(Importer.Failure) -> Result {
    do throws(StoreError) {
      return try read { body($0.domain) }
    } catch {
      throw .command(.store(error))
    }
  }
}

extension ImportReport {
  /// Counts the running entries and the rejected rows of a piece of the file.
  mutating func note(_ rows: ReadRows) {
    running += rows.running.count
    rejected.add(rows.rejections)
    notes += rows.notes
  }

  /// Counts the repeated times and the currency of a row of an entry of the import, and notes its
  /// user.
  mutating func note(_ row: ReadRows.Row) {
    users.insert(row.row.user)
    repeated.add(row.repeated)
    if let currency = row.currency { rated[row.row.user, default: [:]][currency, default: 0] += 1 }
  }
}
