import Retrace
public import RetraceRecording
import RetraceStorage
public import RetraceSystem
public import TimeTracking
public import TrackerFeatures
public import TrackerFormats

/// An importer of the rows of a file as one change.
///
/// No entry is visible before the last row is in the log. The next run with the same file completes
/// an interrupted run.
public struct Importer: ~Copyable {
  /// The reason why an import failed.
  public enum Failure: Error {
    /// The file could not be read.
    case file(SystemError)
    /// A file of a directory, which has a name in it, could not be read.
    indirect case part(String, Failure)
    /// The file is not one of the format.
    case format(ImportFormat, ImportFailure)
    /// Rows were rejected: at least one in a strict import, or else all. Nothing was written.
    case rejected(RejectedRows)
    /// An interrupted import of the file has created other entries, because its options differed.
    case differs(file: String)
    /// A row would be in a closed period.
    ///
    /// Nothing was written. `rows` is the number of rows that an interrupted run has in the log.
    case closed(ImportedRow, ClosingRefusal, rows: Int64)
    /// A command was refused, or the store failed. Acknowledged rows stay in the log, invisible.
    case command(CommandError<TimeTracker>)
  }

  /// The number of rows in one commit.
  ///
  /// The number is so large that the two disk flushes of a commit take a small part of the time,
  /// and so small that a batch fits into one crash note.
  public static var batchSize: Int { 1_000 }

  private let file: FileReader
  private let digest: Digest
  private let source: any ImportSource.Type
  private let options: ImportOptions
  /// The rows of a file that is read as a whole; `nil` for a file that is read in pieces.
  private let whole: ReadRows?

  /// Opens a file and checks all of it.
  ///
  /// Writes nothing.
  ///
  /// A record without an end is an error, because it may contain all rows after it.
  ///
  /// - Parameters:
  ///   - path: The file, which may be a pipe; `-` means standard input.
  ///   - source: The reader of the format.
  ///   - options: The values that the file lacks, given by the user.
  ///   - isStrict: Whether one rejected row fails the import. Otherwise, one accepted row is
  ///     enough.
  /// - Complexity: O(bytes of the file); also in memory, if the format reads files as a whole.
  /// - Throws: ``Failure`` if the file cannot be read, or too many rows are rejected.
  public static func open(
    _ path: String, as source: any ImportSource.Type, _ options: ImportOptions,
    isStrict: Bool = false
  ) throws(Failure) -> Importer {
    try open(ImportFile.open(path), as: source, options, isStrict: isStrict)
  }

  /// Checks all of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - source: The reader of the format.
  ///   - options: As in ``open(_:as:_:isStrict:)``.
  ///   - owner: The user of the rows, if the import is for another one than usual. The file is then
  ///     another one than without it, unless its rows have users.
  ///   - isStrict: As in ``open(_:as:_:isStrict:)``.
  /// - Complexity: As ``open(_:as:_:isStrict:)``.
  /// - Throws: As ``open(_:as:_:isStrict:)``.
  public static func open(
    _ file: consuming ImportFile, as source: any ImportSource.Type, _ options: ImportOptions,
    owner: Name? = nil, isStrict: Bool = false
  ) throws(Failure) -> Importer {
    let file = file.reader
    let bytesMax = source.format.bytesMax
    if let bytesMax, file.sizeBytes > bytesMax {
      throw .format(source.format, .notFile("it has more than \(bytesMax) bytes"))
    }
    let options = try settled(options, by: file, as: source)
    var (reader, hasher) = (source.init(options), SHA256Hasher())
    var (rows, rejected) = (ReadRows(), RejectedRows())
    var isUnderstood = false
    func note() throws(Failure) {
      isUnderstood = isUnderstood || !rows.rows.isEmpty
      if let last = rows.rejections.last, last.reason == .malformed(.unclosedQuote) {
        rejected = RejectedRows()
        rejected.add([last])
        throw .rejected(rejected)
      }
      rejected.add(rows.rejections)
      if bytesMax == nil { rows.removeAll() }
    }
    try ImportFile.forEachChunk(of: file) { (chunk) throws(Failure) in
      hasher.update(chunk.span)
      let skips = bytesMax == nil && isUnderstood && !isStrict
      do throws(ImportFailure) {
        try skips ? reader.skip(chunk, into: &rows) : reader.read(chunk, into: &rows)
      } catch {
        throw .format(source.format, error)
      }
      try note()
    }
    do throws(ImportFailure) {
      try reader.finish(into: &rows)
    } catch {
      throw .format(source.format, error)
    }
    file.place(&rows.rejections)
    try note()
    guard rejected.count == 0 || isUnderstood && !isStrict else { throw .rejected(rejected) }
    if let owner, !hasUsers(source.format, options) { hasher.update(Array(owner.key.utf8).span) }
    return Importer(
      file: file, digest: hasher.digest(), source: source, options: options,
      whole: bytesMax == nil ? nil : rows)
  }

  /// Returns the options with those that the file itself shows.
  ///
  /// - Complexity: O(bytes) up to the first date that shows how dates are written; O(1) if the
  ///   options are complete.
  private static func settled(
    _ options: ImportOptions, by file: borrowing FileReader, as source: any ImportSource.Type
  ) throws(Failure) -> ImportOptions {
    guard source.format.hasColumns, options.columns.isEmpty || options.dateFormat == nil else {
      return options
    }
    var (reader, rows, position) = (source.init(options), ReadRows(), 0)
    while reader.settled == nil {
      let chunk: [UInt8]
      do throws(SystemError) { chunk = try file.chunk(at: position) } catch { throw .file(error) }
      position += chunk.count
      do throws(ImportFailure) {
        try chunk.isEmpty ? reader.finish(into: &rows) : reader.read(chunk, into: &rows)
      } catch {
        throw .format(source.format, error)
      }
      if chunk.isEmpty { break }
    }
    return reader.settled ?? options
  }

  /// Whether the file says whose its rows are.
  public var hasUsers: Bool { Self.hasUsers(source.format, options) }

  private static func hasUsers(_ format: ImportFormat, _ options: ImportOptions) -> Bool {
    // A file with zones is one of track, which has users, too.
    format.hasZones || options.columns.contains { $0.field == .user }
  }

  /// Whether rows have ids from a column.
  public var hasIDs: Bool { options.columns.contains { $0.field == .id } }
}

extension Importer {
  /// Imports the file.
  ///
  /// The rows of a batch are read and matched while the batch before is written. If there is a
  /// closed period, all rows are read and checked before the first one is written.
  ///
  /// - Parameters:
  ///   - tracker: The tracker; its session stays open.
  ///   - system: The system that the file comes from. Ids are compared within it.
  ///   - name: The name of the file.
  ///   - differingMax: The maximum number of kept rows that differ from their entries.
  ///   - findsMissing: Whether the import looks for entries that are missing in the file.
  ///   - acknowledged: Called with the sequence of each batch of rows when it is durable.
  ///   - progress: Called with the amount that was read, and the total amount: bytes, or rows of a
  ///     file that is read as a whole.
  /// - Complexity: O(bytes of the file, and entries that are in the log).
  /// - Throws: ``Failure``.
  public consuming func run(
    into tracker: TrackerStore, system: Name, name: String,
    differingMax: Int = RejectedRows.keptMax, findsMissing: Bool = false,
    acknowledged: (UInt64) -> Void = { _ in }, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(Failure) -> ImportReport {
    let store = tracker.store
    let scope = scope(system, name, differingMax, findsMissing)
    if !tracker.domain.closings.isEmpty {
      let domain = tracker.domain
      var matcher = RowMatcher(scope, in: domain)
      try match(&matcher, in: domain)
    }
    var session = try ImportSession(scope, into: store)
    try forEachPiece(progress: progress) { (rows) throws(Failure) in
      try session.add(&rows, acknowledged)
    }
    try session.wait(acknowledged)
    let sequence = store.sequence
    var report = try session.finish()
    report.findRelabeled(in: tracker.domain)
    if report.rows.entries > 0 { report.run = tracker.domain.activeImport(of: digest) }
    if store.sequence > sequence { acknowledged(store.sequence) }
    return report
  }

  /// Returns the report that an import of the file would have.
  ///
  /// Writes nothing.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - system: The system that the file comes from.
  ///   - name: The name of the file.
  ///   - differingMax: The maximum number of kept rows that differ from their entries.
  ///   - findsMissing: Whether the import looks for entries that are missing in the file.
  /// - Complexity: O(bytes of the file, and entries that are in the log).
  /// - Throws: ``Failure`` as the import would.
  public borrowing func preview(
    in domain: DomainState, system: Name, name: String,
    differingMax: Int = RejectedRows.keptMax, findsMissing: Bool = false
  ) throws(Failure) -> ImportReport {
    var matcher = RowMatcher(scope(system, name, differingMax, findsMissing), in: domain)
    var report = ImportReport()
    var running: [String] = []
    try match(&matcher, in: domain) { rows in
      running += rows.running
      report.note(rows)
    } entry: { row in
      report.note(row)
      report.planned.append(PlannedTimes(of: row.row.user, from: row.row.start, to: row.row.end))
    }
    (report.rows, report.differing) = (matcher.counts, matcher.differing)
    report.rows.overlaps = domain.overlappingEntries(planned: report.planned)
    report.findRelabeled(in: domain)
    if let days = report.rejected.days, findsMissing {
      report.missing = matcher.missing(besides: running, except: days, in: domain)
    }
    try matcher.check(in: domain)
    return report
  }

  /// Matches the rows of the file with the entries, and checks the rows of new entries.
  ///
  /// - Parameters:
  ///   - matcher: The matcher, which counts the rows.
  ///   - domain: The entities.
  ///   - piece: Called with the rows of each piece of the file, before they are matched.
  ///   - entry: Called with each row of an entry of the import.
  /// - Throws: ``Failure/closed(_:_:rows:)`` for the first row in a closed period.
  private borrowing func match(
    _ matcher: inout RowMatcher, in domain: DomainState, piece: (ReadRows) -> Void = { _ in },
    entry: (ReadRows.Row) -> Void = { _ in }
  ) throws(Failure) {
    try forEachPiece { (rows) throws(Failure) in
      piece(rows)
      try matcher.number(&rows.rows) { ComparedRow($0, beside: $1, in: domain) }
      for index in rows.rows.indices {
        let count = matcher.counts.entries
        _ = try matcher.add(&rows.rows[index]) { ComparedRow($0, beside: $1, in: domain) }
        guard matcher.counts.entries > count else { continue }
        let row = rows.rows[index]
        if let (id, closing) = domain.closing(touchedBy: row.row) {
          throw .closed(
            row.row, .closed(id, closing, entry: nil), rows: matcher.open?.rows ?? 0)
        }
        entry(row)
      }
    }
  }

  private borrowing func scope(
    _ system: Name, _ name: String, _ differingMax: Int, _ findsMissing: Bool
  ) -> ImportScope {
    let reader = source.init(options)
    var fields = reader.fields
    if !options.projectTags.isEmpty { fields.insert(.project) }
    return ImportScope(
      system: system, file: name, digest: digest, fields: fields, hasRates: reader.hasRates,
      differingMax: differingMax, findsMissing: findsMissing, identity: identity())
  }

  private borrowing func identity() -> RowIdentity {
    let format = source.format
    if format.hasColumns {
      return hasIDs ? .columnIDs : .digests
    }
    return format.system == nil && !format.needsSystem ? .sharedIDs : .ids
  }

  /// Calls `body` with the rows of each piece of the file.
  private borrowing func forEachPiece(
    progress: (Int, Int) -> Void = { _, _ in }, _ body: (inout ReadRows) throws(Failure) -> Void
  ) throws(Failure) {
    if var rows = whole {
      prepare(&rows)
      try body(&rows)
      return progress(rows.rows.count, rows.rows.count)
    }
    var (reader, rows, position) = (source.init(options), ReadRows(), 0)
    try ImportFile.forEachChunk(of: file) { (chunk) throws(Failure) in
      do throws(ImportFailure) {
        try reader.read(chunk, into: &rows)
      } catch {
        throw .format(source.format, error)
      }
      prepare(&rows)
      try body(&rows)
      rows.removeAll()
      position += chunk.count
      progress(position, file.sizeBytes)
    }
    do throws(ImportFailure) {
      try reader.finish(into: &rows)
    } catch {
      throw .format(source.format, error)
    }
    prepare(&rows)
    try body(&rows)
  }

  /// Gives rows the projects that their tags name, and the user of the options if all rows are of
  /// that user.
  private borrowing func prepare(_ rows: inout ReadRows) {
    guard options.takesAllRows || !options.projectTags.isEmpty else { return }
    for index in rows.rows.indices {
      if options.takesAllRows { rows.rows[index].row.user = options.user }
      if !options.projectTags.isEmpty { options.projectTags.apply(to: &rows.rows[index].row) }
    }
  }
}
