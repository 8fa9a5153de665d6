import RetraceArchitecture
public import RetraceSystem
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
    case file(SystemError)
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

  private let file: OpenFile
  private let size: Int
  /// Whether the file can be read again from its beginning.
  private let isRegular: Bool
  private let makeMapping: (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  private var parser = CSVParser()
  private var position = 0
  private var isAtEnd = false
  private var mapping: ImportMapping?
  private var rows: [ImportedEntry] = []
  private var rejected: [ImportRejection] = []
  private var moreRejected = 0

  /// Opens a file, once: it may be a pipe.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mapping: Makes the mapping once the header is known.
  /// - Throws: ``Failure/file(_:)``.
  public init(
    path: String,
    mapping: @escaping (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) throws(Failure) {
    let file = try Self.open(path)
    let info: FileInfo
    do throws(SystemError) { info = try file.info() } catch { throw .file(error) }
    // A directory is opened and cannot be read.
    guard !info.isDirectory else {
      throw .file(SystemError(.isADirectory, during: .open, path: path))
    }
    self.init(file, info, makeMapping: mapping)
  }

  private init(
    _ file: consuming OpenFile, _ info: FileInfo,
    makeMapping: @escaping (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) {
    self.file = file
    (size, isRegular) = (info.sizeBytes, info.isRegular)
    self.makeMapping = makeMapping
  }

  private static func open(_ path: String) throws(Failure) -> OpenFile {
    do throws(SystemError) {
      return try OpenFile.open(path, [.read])
    } catch {
      throw .file(error)
    }
  }

  /// Reads the header without writing anything.
  ///
  /// - Throws: ``Failure`` when the file cannot be read or the columns do not fit.
  public mutating func readHeader() throws(Failure) {
    while mapping == nil, !isAtEnd { try readChunk() }
    guard mapping != nil else { throw .empty }
  }

  /// Reads the whole file without writing anything.
  ///
  /// The rows of a pipe, which can be read only once, are kept in memory.
  ///
  /// - Throws: ``Failure/rejected(_:more:)`` if any row is not understood.
  public mutating func check() throws(Failure) {
    try readHeader()
    while !isAtEnd {
      if isRegular { rows.removeAll(keepingCapacity: true) }
      try readChunk()
    }
    if !rejected.isEmpty { throw .rejected(rejected, more: moreRejected) }
    guard isRegular else { return }
    (parser, position, isAtEnd, mapping, rows) = (CSVParser(), 0, false, nil, [])
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
    try readHeader()
    while true {
      for rows in takeBatches() {
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
      if isAtEnd { break }
      try readChunk()
      progress(position, max(size, position))
    }
    let planner = planning.planner
    return Summary(
      created: planner.created, skipped: planner.skipped, overlaps: planner.overlaps,
      rejected: rejected, moreRejected: moreRejected, zeroDurations: planner.zeroDurations)
  }

  /// Takes the rows that fill batches; at the end of the file all that are left.
  private mutating func takeBatches() -> [[ImportedEntry]] {
    let count = isAtEnd ? rows.count : rows.count / Self.batchSize * Self.batchSize
    let batches = stride(from: 0, to: count, by: Self.batchSize).map { start in
      Array(rows[start..<min(start + Self.batchSize, count)])
    }
    rows.removeFirst(count)
    return batches
  }

  /// Reads some rows, and notes the end of the file.
  private mutating func readChunk() throws(Failure) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes =
        isRegular
        ? try file.read(at: position, count: Self.chunkSize) : try file.readNext(Self.chunkSize)
    } catch {
      throw .file(error)
    }
    position += bytes.count
    var parser = CSVParser()
    swap(&parser, &self.parser)
    if bytes.isEmpty {
      isAtEnd = true
      try parser.finish { record throws(Failure) in try take(record) }
    } else {
      try parser.feed(bytes.span) { record throws(Failure) in try take(record) }
    }
    self.parser = parser
  }

  private mutating func take(_ record: CSVRecord) throws(Failure) {
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
  }
}
