import Retrace
import RetraceRecording
import RetraceStorage
import RetraceSystem
import TimeTracking
import TrackerFeatures
import TrackerFormats

/// What an import is of, and what it does with its rows.
struct ImportScope {
  /// The system that the file comes from; ids of rows are compared only within one system.
  var system: Name
  /// The name of the file.
  var file: String
  /// The SHA-256 of the file, by which an interrupted import is found again.
  var digest: Digest
  /// The fields that the file gives; others are not compared with known entries.
  var fields: Set<ImportField>
  /// Whether the file says the rates of entries; others get the present ones.
  var hasRates: Bool
  /// The most rows that differ from their entries and are kept.
  var differingMax: Int
  /// Whether entries are looked for that are not in the file any more.
  var findsMissing: Bool
}

/// One run of an import: matches rows with the entries of a store, and writes the new ones batch by
/// batch.
struct ImportSession: ~Copyable {
  private let scope: ImportScope
  private let store: Store<TimeTracker>
  private var matcher: RowMatcher
  private var writer: BatchWriter
  private var batch: [ImportedRow] = []
  private var report = ImportReport()
  /// The ids of the elements of the file that have no end.
  private var running: [String] = []
  /// The time that has all entries of the import so far.
  private var range: Range<Moment>?

  /// The counts of the rows so far.
  var counts: RowCounts { matcher.counts }

  /// Reads what the store has of the source; writes nothing.
  ///
  /// - Complexity: O(entries) if the source is known.
  init(_ scope: ImportScope, into store: Store<TimeTracker>) throws(Importer.Failure) {
    self.scope = scope
    self.store = store
    matcher = try store.verified { RowMatcher(scope, in: $0) }
    writer = BatchWriter(scope, matcher.open, into: store)
  }

  /// Adds the rows of a piece of the file; writes each full batch.
  ///
  /// - Parameters:
  ///   - rows: The rows; they get the names that entities have.
  ///   - acknowledged: Called with the sequence once a batch is durable.
  mutating func add(
    _ rows: inout ReadRows, _ acknowledged: (UInt64) -> Void
  ) throws(Importer.Failure) {
    let store = store
    running += rows.running
    report.note(rows)
    for index in rows.rows.indices {
      let count = matcher.counts.entries
      let isNew = try matcher.add(&rows.rows[index].row) { (row, id) throws(Importer.Failure) in
        try store.verified { ComparedRow(row, beside: id, in: $0) }
      }
      if matcher.counts.entries > count { note(rows.rows[index]) }
      guard isNew else { continue }
      batch.append(rows.rows[index].row)
      if batch.count == Importer.batchSize { try writeBatch(acknowledged) }
    }
  }

  /// Notes a row that becomes an entry, or became one in an earlier run.
  private mutating func note(_ row: ReadRows.Row) {
    report.note(row)
    let (start, end) = (row.row.start, row.row.end)
    range = min(range?.lowerBound ?? start, start)..<max(range?.upperBound ?? end, end)
  }

  /// Waits until every full batch is durable.
  mutating func wait(_ acknowledged: (UInt64) -> Void) throws(Importer.Failure) {
    if let sequence = try writer.wait() { acknowledged(sequence) }
  }

  /// Writes the rows that are left, and makes the import visible; without new rows, nothing is
  /// written.
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

  /// Reads the ids again, because another process has imported rows of the source since; skips rows
  /// of the batch that it imported.
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
  /// The number of rows that the import has in the log, with those that are being written.
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
      // Another process has begun the same import at this moment.
      throw .command(
        .refused(
          .importRun(.outOfOrder(expected: open?.run.rows ?? 0)),
          after: performed.receipt.sequence))
    }
    run = open.id
    return domain.finishedImports(of: open.run.source)
  }

  /// Begins to write a batch.
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

  /// Waits until the last batch is durable; returns its sequence, if it was not returned before.
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

  /// Waits for the result, which is taken once.
  func result() -> Result<UInt64, CommandError<TimeTracker>> {
    finished.wait()
    guard let result = outcome.withLock({ $0 }) else {
      preconditionFailure("a batch has a result when it is finished")
    }
    return result
  }
}

extension Store<TimeTracker> {
  /// Calls `body` with the entities of the latest state, and verifies what it read: an entry on a
  /// page that cannot be read would be imported twice.
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
  /// Counts the elements of a file that are no rows.
  mutating func note(_ rows: ReadRows) {
    running += rows.running.count
    rejected.add(rows.rejections)
  }

  /// Counts a row that becomes an entry, or became one in an earlier run.
  mutating func note(_ row: ReadRows.Row) {
    repeated.add(row.repeated)
    if let currency = row.currency { rated[row.row.user, default: [:]][currency, default: 0] += 1 }
  }
}
