import RetraceArchitecture
public import RetracePlatform
public import RetraceStorage
import RetraceRecording
public import TimeTracking

/// Imports a file of closed entries, batch by batch.
///
/// Each batch is planned on the state inside the write transaction, so that ids are right and what
/// is known already is skipped; once a batch is acknowledged it is durable. A run that ends early
/// is completed by the next one where rows have ids.
public struct Importer: ~Copyable {
  /// What an import came to.
  public struct Summary: Sendable {
    /// The entries created.
    public var created = 0
    /// The rows skipped because their ids are known.
    public var skipped = 0
    /// The created entries that overlap another of the same user.
    public var overlaps = 0
    /// The rows that were not understood.
    public var rejected: [ImportRejection] = []
    /// The rows that were not understood beyond those listed in ``rejected``.
    public var moreRejected = 0
    /// The created entries with a duration of zero.
    public var zeroDurations = 0
  }

  /// Why an import did not come to its end.
  public enum Failure: Error {
    /// The file could not be read.
    case file(PlatformError)
    /// The file has no header.
    case empty
    /// The columns named do not fit the header.
    case mapping(ImportMapping.Failure)
    /// A strict import met rows that are not understood; nothing was written.
    case rejected([ImportRejection], more: Int)
    /// The store failed.
    case store(StoreError)
  }

  /// How many rows are committed together.
  ///
  /// Large enough that the two disk flushes of a commit vanish among its rows, small enough that a
  /// batch that ends the program fits into one record.
  public static var batchSize: Int { 1_000 }
  /// How many rejections are kept one by one; a file of nothing else must not fill the memory.
  public static var rejectionsMax: Int { 10_000 }
  private static var chunkSize: Int { 1 << 16 }

  private let path: String
  private let makeMapping: (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  private var mapping: ImportMapping?
  private var rows: [ImportedEntry] = []
  private var rejected: [ImportRejection] = []
  private var moreRejected = 0

  /// Prepares an import.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mapping: Makes the mapping once the header is known.
  public init(
    path: String,
    mapping: @escaping (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) {
    self.path = path
    makeMapping = mapping
  }

  /// Reads the whole file without writing anything.
  ///
  /// - Throws: ``Failure/rejected(_:more:)`` if any row is not understood.
  public consuming func check() throws(Failure) {
    try read(progress: { _, _ in }) { importer throws(Failure) in
      importer.rows.removeAll(keepingCapacity: true)
    }
    if !rejected.isEmpty { throw .rejected(rejected, more: moreRejected) }
  }

  /// Imports the file.
  ///
  /// - Parameters:
  ///   - tracker: The tracker; its session stays open.
  ///   - defaultUser: The user of rows that name none.
  ///   - acknowledged: Called with the sequence once a batch is durable.
  ///   - progress: Called with the bytes read and the size of the file.
  /// - Complexity: O(bytes of the file + entries known before).
  /// - Throws: ``Failure``; what was acknowledged stays.
  public consuming func run(
    on tracker: Tracker, defaultUser: String, acknowledged: (UInt64) -> Void = { _ in },
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(Failure) -> Summary {
    let planning = Planning(ImportPlanner(defaultUser: defaultUser))
    try read(progress: progress) { importer throws(Failure) in
      let rows = importer.rows
      importer.rows.removeAll(keepingCapacity: true)
      do throws(TransactionError<Never>) {
        let receipt = try tracker.store.transactBlocking { state, _ in
          planning.plan(rows, in: copy state)
        }
        if let last = receipt.sequences.last { acknowledged(last) }
      } catch {
        switch error {
        case .store(let failure): throw .store(failure)
        }
      }
    }
    let planner = planning.planner
    return Summary(
      created: planner.created, skipped: planner.skipped, overlaps: planner.overlaps,
      rejected: rejected, moreRejected: moreRejected, zeroDurations: planner.zeroDurations)
  }

  private mutating func read(
    progress: (Int, Int) -> Void, _ full: (inout Importer) throws(Failure) -> Void
  ) throws(Failure) {
    var parser = CSVParser()
    do {
      let file = try OpenFile.open(path, [.read])
      let size = try file.size
      var position = 0
      while true {
        let bytes = try file.readNext(Self.chunkSize)
        if bytes.isEmpty { break }
        position += bytes.count
        try parser.feed(bytes.span) { record throws(Failure) in try take(record, full) }
        progress(position, max(size, position))
      }
    } catch let error as PlatformError {
      throw .file(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw .empty
    }
    try parser.finish { record throws(Failure) in try take(record, full) }
    guard mapping != nil else { throw .empty }
    if !rows.isEmpty { try full(&self) }
  }

  private mutating func take(
    _ record: CSVRecord, _ full: (inout Importer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let mapping else {
      do throws(ImportMapping.Failure) {
        mapping = try makeMapping(record)
      } catch {
        throw .mapping(error)
      }
      return
    }
    do throws(ImportRejection) {
      rows.append(try mapping.entry(record))
    } catch {
      if rejected.count < Self.rejectionsMax { rejected.append(error) } else { moreRejected += 1 }
      return
    }
    if rows.count == Self.batchSize { try full(&self) }
  }
}

extension Importer {
  /// Reads the header of a file without writing anything.
  ///
  /// - Throws: ``Failure`` when the file cannot be read or the columns do not fit.
  public static func checkHeader(
    path: String, mapping: @escaping (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) throws(Failure) {
    var header: CSVRecord?
    var parser = CSVParser()
    do throws(PlatformError) {
      let file = try OpenFile.open(path, [.read])
      while header == nil {
        let bytes = try file.readNext(chunkSize)
        if bytes.isEmpty { break }
        parser.feed(bytes.span) { record in header = header ?? record }
      }
    } catch {
      throw .file(error)
    }
    if header == nil { parser.finish { record in header = header ?? record } }
    guard let header else { throw .empty }
    do throws(ImportMapping.Failure) { _ = try mapping(header) } catch { throw .mapping(error) }
  }
}
