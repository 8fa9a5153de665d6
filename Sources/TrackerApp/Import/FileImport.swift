public import CivilTime
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
public import RetraceSystem
public import TimeTracking
import TrackerFeatures
public import TrackerFormats

/// Imports the rows of a CSV file, or of a file of another program, as one change.
///
/// Nothing is visible before the last row is in the log. A run that ends early is completed by the
/// next one of the same file.
public struct FileImport: ~Copyable {
  /// The counts of an import.
  public struct Summary: Sendable {
    /// The rows that became entries, and those passed over.
    public var rows = RowImport.Summary()
    /// The rows that differ from their entries, as many as are kept.
    public var differing: [DifferingRow] = []
    /// The times of the entries that clocks show twice.
    public var repeated = RepeatedTimes()
    /// The rows that were not understood, at most ``FileImport/rejectionsMax``.
    public var rejected: [ImportRejection] = []
    /// The number of rows that were not understood and are not listed.
    public var moreRejected = 0
    /// The new rows whose rates are in another currency than the file says.
    public var relabeled: [RelabeledRates] = []
    /// The numbers of new rows with a rate, by their users and by the currency in the file.
    fileprivate var rated: [Name: [String: Int]] = [:]
    /// The entries of another program that have no end, and were left out.
    public var running = 0
    /// The import of the new rows; `nil` if there are none.
    public var run: ImportRunID?
    /// The entries of the source that are not in the file any more, though it has rows of their
    /// users and covers their days; `nil` if a row was not understood, which may be theirs.
    ///
    /// If the day of that row is known, only the entries near it are left out.
    public var missing: [TimeEntryID]?
    /// The days of the rows that were not understood; `nil` if one of them is not known.
    fileprivate var rejectedDays: Set<CivilDate>? = []

    /// The number of rows that were not understood.
    public var rejectedCount: Int { rejected.count + moreRejected }

    /// Counts a row that was not understood.
    mutating func note(_ rejection: ImportRejection) {
      if let day = rejection.day { rejectedDays?.insert(day) } else { rejectedDays = nil }
      if rejected.count < FileImport.rejectionsMax {
        rejected.append(rejection)
      } else {
        moreRejected += 1
      }
    }
  }

  /// A program whose files are read.
  public enum Program: String, CaseIterable, Sendable {
    /// The output of `timew export`.
    case timewarrior
    /// A file of klog.
    case klog
    /// The file `frames` of Watson.
    case watson
    /// The output of `track log --json`.
    case track
  }

  /// The reason for which an import did not come to its end.
  public enum Failure: Error {
    /// The file could not be read.
    case file(SystemError)
    /// The file has no header.
    case empty
    /// The file is not one of the program, for a reason in words.
    case notFile(of: Program, String)
    /// The columns do not fit the header; they fit it with another separator, if there is one.
    case mapping(ImportMapping.Failure, separator: UInt8?)
    /// Rows are not understood: any of them in a strict import, else all. Nothing was written.
    case rejected([ImportRejection], more: Int)
    /// The rows could not be imported; what was acknowledged stays, invisible.
    case rows(RowImport.Failure)
  }

  /// The most rejections and differing rows that are kept; a file of nothing else must not fill
  /// the memory.
  public static var rejectionsMax: Int { 10_000 }

  /// The source of the rows.
  private enum Content {
    case csv(ImportMapping, separator: UInt8)
    case list(RowList)
  }

  private typealias Row = RowList.Row

  private let file: ImportFile
  private let content: Content

  private init(_ file: consuming ImportFile, _ content: Content) {
    self.file = file
    self.content = content
  }

  /// Opens and reads a file of another program; writes nothing.
  ///
  /// - Parameters:
  ///   - path: The file, which may be a pipe; `-` means standard input.
  ///   - program: The program.
  ///   - user: The user of the entries, if the file does not say it.
  ///   - zone: The zone that the entries are recorded with, if the file does not say it.
  /// - Complexity: O(bytes of the file), also in memory.
  /// - Throws: ``Failure`` if the file cannot be read, or is none of the program.
  public static func open(
    _ path: String, of program: Program, user: Name, zone: ZoneRules
  ) throws(Failure) -> FileImport {
    let file = try file(path)
    guard let bytes = try bytes(of: file) else {
      throw .notFile(of: program, "it has more than \(JSONList.bytesMax) bytes")
    }
    do throws(JSONList.Failure) {
      return FileImport(file, .list(try list(bytes, of: program, user: user, zone: zone)))
    } catch {
      throw .notFile(of: program, error.why)
    }
  }

  /// Returns the program that wrote a file; `nil` if its text has a row for none of them.
  ///
  /// - Complexity: O(bytes of the file), also in memory.
  /// - Throws: ``Failure`` if the file cannot be read.
  public static func program(of path: String, zone: ZoneRules) throws(Failure) -> Program? {
    guard let bytes = try bytes(of: file(path)) else { return nil }
    return Program.allCases.first { program in
      let list = try? list(bytes, of: program, user: Name("-"), zone: zone)
      return list?.rows.contains { (try? $0.get()) != nil } == true
    }
  }

  /// Returns the bytes of a file; `nil` if there are too many to read it as a whole.
  private static func bytes(of file: borrowing ImportFile) throws(Failure) -> [UInt8]? {
    guard file.sizeBytes <= JSONList.bytesMax else { return nil }
    var bytes: [UInt8] = []
    while true {
      do throws(SystemError) {
        let chunk = try file.chunk(at: bytes.count)
        if chunk.isEmpty { return bytes }
        bytes += chunk
      } catch {
        throw .file(error)
      }
    }
  }

  private static func list(
    _ bytes: [UInt8], of program: Program, user: Name, zone: ZoneRules
  ) throws(JSONList.Failure) -> RowList {
    switch program {
    case .timewarrior: try TimewarriorExport.read(bytes, user: user, zone: zone)
    case .klog: try klog(bytes, user: user, zone: zone)
    case .watson: try WatsonFrames.read(bytes, user: user, zone: zone)
    case .track: try TrackLog.read(bytes)
    }
  }

  private static func klog(
    _ bytes: [UInt8], user: Name, zone: ZoneRules
  ) throws(JSONList.Failure) -> RowList {
    guard let span = try? UTF8Span(validating: bytes.span) else {
      throw JSONList.Failure(why: "it is not UTF-8")
    }
    return KlogFile.read(String(copying: span), user: user, zone: zone)
  }

  /// Opens a file, and reads its header; writes nothing.
  ///
  /// - Parameters:
  ///   - path: The file, which may be a pipe; `-` means standard input.
  ///   - separator: The byte between two fields.
  ///   - mapping: Makes the mapping from the header.
  /// - Throws: ``Failure`` if the file cannot be read or the columns do not fit.
  public static func open(
    _ path: String, separator: UInt8 = UInt8(ascii: ","),
    mapping: (CSVRecord) throws(ImportMapping.Failure) -> ImportMapping
  ) throws(Failure) -> FileImport {
    let file = try file(path)
    guard let header = try header(of: file, separator: separator) else { throw .empty }
    let found: ImportMapping
    do throws(ImportMapping.Failure) {
      found = try mapping(header)
    } catch {
      for other in ",;\t".utf8 where other != separator {
        guard let header = try Self.header(of: file, separator: other) else { continue }
        if (try? mapping(header)) != nil { throw .mapping(error, separator: other) }
      }
      throw .mapping(error, separator: nil)
    }
    return FileImport(file, .csv(found, separator: separator))
  }

  private static func header(
    of file: borrowing ImportFile, separator: UInt8
  ) throws(Failure) -> CSVRecord? {
    var header: CSVRecord?
    try forEachRecord(of: file, separator: separator, until: { header != nil }) { record in
      header = header ?? record
    }
    return header
  }

  private static func file(_ path: String) throws(Failure) -> ImportFile {
    do throws(SystemError) { return try ImportFile.open(path) } catch { throw .file(error) }
  }

  /// Reads all rows; writes nothing.
  ///
  /// A record whose end was not found is an error too, because the rows after it are not known.
  ///
  /// - Parameter isStrict: Whether every row has to be understood, rather than one.
  /// - Complexity: O(bytes of the file).
  /// - Throws: ``Failure/rejected(_:more:)`` if too few rows are understood.
  public func check(isStrict: Bool) throws(Failure) {
    var summary = Summary()
    var isUnderstood = false
    try forEachRow(
      of: Name("-"), where: { isStrict || !isUnderstood || $0.problem == .unclosedQuote }
    ) { (read) throws(Failure) in
      do throws(ImportRejection) {
        _ = try read.get()
        isUnderstood = true
      } catch {
        if error.reason == .malformed(.unclosedQuote) { throw .rejected([error], more: 0) }
        summary.note(error)
      }
    }
    guard summary.rejectedCount > 0, isStrict || !isUnderstood else { return }
    throw .rejected(summary.rejected, more: summary.moreRejected)
  }

  /// Imports the file.
  ///
  /// - Parameters:
  ///   - tracker: The tracker; its session stays open.
  ///   - source: The system that the file comes from; ids are compared with those of it.
  ///   - name: The name of the file.
  ///   - defaultUser: The user of a CSV file without a column for users.
  ///   - differingMax: The most rows that differ from their entries and are kept.
  ///   - findsMissing: Whether entries are looked for that are not in the file any more.
  ///   - acknowledged: Called with the sequence once a batch of rows is durable.
  ///   - progress: Called with the bytes read so far and the size of the file.
  /// - Complexity: O(bytes of the file, and entries that are in the log).
  /// - Throws: ``Failure``.
  public consuming func run(
    into tracker: TrackerStore, source: Name, name: String, defaultUser: Name,
    differingMax: Int = FileImport.rejectionsMax, findsMissing: Bool = false,
    acknowledged: (UInt64) -> Void = { _ in }, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(Failure) -> Summary {
    let digest = try digest()
    var rows: RowImport
    do throws(RowImport.Failure) {
      rows = try RowImport(
        into: tracker.store, source: source, file: name, digest: digest, fields: fields,
        hasRates: hasRates, differingMax: differingMax)
    } catch {
      throw .rows(error)
    }
    let user = Name(defaultUser.text, in: tracker.domain.users)
    var summary = try addRows(of: user, progress: progress) {
      (row) throws(RowImport.Failure) in
      let count = rows.summary.entries
      if let sequence = try rows.add(row) { acknowledged(sequence) }
      return rows.summary.entries > count
    }
    summary.differing = rows.differing
    let sequence = tracker.store.sequence
    do throws(RowImport.Failure) {
      if findsMissing, let days = summary.rejectedDays {
        summary.missing = try rows.missing(besides: running, except: days)
      }
      summary.rows = try rows.finish()
    } catch {
      throw .rows(error)
    }
    summary.findRelabeled(in: tracker.domain)
    if summary.rows.entries > 0 { summary.run = tracker.domain.activeImport(of: digest) }
    if tracker.store.sequence > sequence { acknowledged(tracker.store.sequence) }
    return summary
  }

  /// Returns the counts that an import of the file would have; writes nothing.
  ///
  /// Overlaps are not counted, because the entries do not exist.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - source: The system that the file comes from.
  ///   - name: The name of the file.
  ///   - defaultUser: The user of a CSV file without a column for users.
  ///   - differingMax: The most rows that differ from their entries and are kept.
  ///   - findsMissing: Whether entries are looked for that are not in the file any more.
  /// - Complexity: O(bytes of the file, and entries that are in the log).
  /// - Throws: ``Failure`` as the import would.
  public borrowing func preview(
    in domain: DomainState, source: Name, name: String, defaultUser: Name,
    differingMax: Int = FileImport.rejectionsMax, findsMissing: Bool = false
  ) throws(Failure) -> Summary {
    var rows = KnownRows(
      of: source, in: name, try digest(), fields, hasRates: hasRates, differingMax, in: domain)
    let user = Name(defaultUser.text, in: domain.users)
    var summary = try addRows(of: user) { (row) throws(RowImport.Failure) in
      let count = rows.summary.entries
      var row = row
      _ = try rows.add(&row) { ComparedRow($0, beside: $1, in: domain) }
      return rows.summary.entries > count
    }
    (summary.rows, summary.differing) = (rows.summary, rows.differing)
    summary.findRelabeled(in: domain)
    if findsMissing, let days = summary.rejectedDays {
      summary.missing = rows.missing(besides: running, except: days, in: domain)
    }
    do throws(RowImport.Failure) { try rows.check(in: domain) } catch { throw .rows(error) }
    return summary
  }

  private borrowing func digest() throws(Failure) -> Digest {
    do throws(SystemError) { return try file.digest() } catch { throw .file(error) }
  }

  /// Adds all rows that are understood.
  ///
  /// - Parameters:
  ///   - defaultUser: The user of a CSV file without a column for users.
  ///   - progress: Called with how much is done, and how much there is.
  ///   - add: Adds a row; returns whether it becomes an entry, or became one in an earlier run.
  /// - Returns: All counts but those of the rows.
  /// - Throws: ``Failure/rejected(_:more:)`` if no row is understood.
  private borrowing func addRows(
    of defaultUser: Name, progress: (Int, Int) -> Void = { _, _ in },
    _ add: (ImportedRow) throws(RowImport.Failure) -> Bool
  ) throws(Failure) -> Summary {
    var summary = Summary()
    summary.running = running.count
    let currencies = list?.currencies ?? [:]
    var isUnderstood = false
    try forEachRow(of: defaultUser, progress: progress) { (read) throws(Failure) in
      let (row, repeated): Row
      do throws(ImportRejection) {
        (row, repeated) = try read.get()
      } catch {
        return summary.note(error)
      }
      isUnderstood = true
      do throws(RowImport.Failure) {
        guard try add(row) else { return }
        summary.repeated.add(repeated)
        if let currency = row.id.flatMap({ currencies[$0] }) {
          summary.rated[row.user, default: [:]][currency, default: 0] += 1
        }
      } catch {
        throw .rows(error)
      }
    }
    guard isUnderstood || summary.rejectedCount == 0 else {
      throw .rejected(summary.rejected, more: summary.moreRejected)
    }
    return summary
  }

  /// The list of another program; `nil` for CSV.
  private var list: RowList? {
    switch content {
    case .csv: nil
    case .list(let list): list
    }
  }

  /// The ids of the entries that are left out because they run.
  private var running: [String] { list?.running ?? [] }

  /// Whether the file says the rates of entries.
  private var hasRates: Bool { list?.hasRates ?? false }

  /// The fields in which rows are compared with known entries.
  private var fields: Set<ImportMapping.Field> {
    switch content {
    case .csv(let mapping, _): DifferingRow.allFields.intersection(mapping.fields)
    case .list(let list): list.fields
    }
  }

  /// Calls `body` with each row, or with why it is none.
  ///
  /// - Parameters:
  ///   - defaultUser: The user of a CSV file without a column for users.
  ///   - isWanted: Returns whether a record of CSV is read.
  ///   - progress: Called with how much is done, and how much there is.
  private borrowing func forEachRow(
    of defaultUser: Name, where isWanted: (CSVRecord) -> Bool = { _ in true },
    progress: (Int, Int) -> Void = { _, _ in },
    _ body: (Result<Row, ImportRejection>) throws(Failure) -> Void
  ) throws(Failure) {
    switch content {
    case .csv(let mapping, let separator):
      try forEachRecord(separator: separator, progress: progress) { (record) throws(Failure) in
        guard isWanted(record) else { return }
        var repeated = RepeatedTimes()
        let row: ImportedRow
        do throws(ImportRejection) {
          row = try mapping.row(record, defaultUser: defaultUser, repeated: &repeated)
        } catch {
          return try body(.failure(error))
        }
        try body(.success((row, repeated)))
      }
    case .list(let list):
      for (index, row) in list.rows.enumerated() {
        try body(row)
        progress(index + 1, list.rows.count)
      }
    }
  }

  /// Calls `body` with the records after the header.
  private borrowing func forEachRecord(
    separator: UInt8, progress: (Int, Int) -> Void,
    _ body: (CSVRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var isHeader = true
    try Self.forEachRecord(of: file, separator: separator, progress: progress) {
      (record) throws(Failure) in
      if !isHeader { try body(record) }
      isHeader = false
    }
  }

  private static func forEachRecord(
    of file: borrowing ImportFile, separator: UInt8, until isEnough: () -> Bool = { false },
    progress: (Int, Int) -> Void = { _, _ in },
    _ body: (CSVRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var parser = CSVParser(separator: separator)
    var position = 0
    while !isEnough() {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try file.chunk(at: position)
      } catch {
        throw .file(error)
      }
      if bytes.isEmpty { return try parser.finish(body) }
      position += bytes.count
      try parser.feed(bytes.span, body)
      progress(position, file.sizeBytes)
    }
  }
}

/// New rows of a user whose rates are in another currency than the file says.
public struct RelabeledRates: Sendable {
  /// The user.
  public let user: Name
  /// The number of rows.
  public let count: Int
  /// The currency that the file says.
  public let currency: String
  /// The currency of the entries, which is that of the workspace of the user; `nil` without one.
  public let present: String?
}

extension FileImport.Summary {
  /// Finds the rates that are in another currency, because imported entries are in no workspace.
  fileprivate mutating func findRelabeled(in domain: DomainState) {
    for (user, counts) in rated.sorted(by: { $0.key.key < $1.key.key }) {
      let workspace = domain.user(named: Name(user.text, in: domain.users))
        .flatMap { domain.users.read($0) { $0.workspace } ?? nil }
      let present = workspace.flatMap { domain.workspaces.read($0) { $0.currency } }
      for (currency, count) in counts.sorted(by: { $0.key < $1.key }) where currency != present {
        relabeled.append(
          RelabeledRates(user: user, count: count, currency: currency, present: present))
      }
    }
  }
}
