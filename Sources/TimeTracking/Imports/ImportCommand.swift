import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A command about imports.
public enum ImportCommand: Recordable, Equatable {
  /// Begin the import of a file of a source, or continue the unfinished import of the same file.
  case begin(source: Name, file: String, digest: Digest)
  /// Import rows of the file.
  case rows(ImportRunID, ImportedRows)
  /// Finish an import, which makes its entries visible.
  case finish(ImportRunID)
  /// Cancel an unfinished import.
  case cancel(ImportRunID)
}

/// A refusal of a command about imports.
public enum ImportRefusal: Recordable, Hashable, Error {
  /// The source cannot be created.
  case entity(EntityRefusal)  // recorded: record
  /// A row cannot be recorded; rows are counted from 0.
  case row(Int64, EntityRefusal)
  /// The name of the file is longer than ``ImportRun/fileBytesMax``.
  case fileNameTooLong
  /// There is no such import.
  case unknownRun(ImportRunID)
  /// Another import is unfinished: of another file of the source, or of the same file from another
  /// source.
  case anotherRuns(ImportRunID)
  /// The file is imported already.
  case alreadyImported(ImportRunID)
  /// The import is finished or cancelled.
  case ended(ImportRunID)
  /// The rows are not the next ones.
  case outOfOrder(expected: Int64)
  /// The command was read from a log, which does not contain the rows.
  case rowsMissing
}

/// Rows of a file to import.
///
/// The log contains only the range of the rows, because the facts contain their values. So a
/// command that was read from a log cannot be decided again.
public struct ImportedRows {
  /// The number of the first row, counted from 0.
  public let first: Int64
  /// The number of rows.
  public let count: Int64
  /// The rows; `nil` if the command was read from a log.
  public let rows: [ImportedRow]?

  /// Creates the rows that begin with a number.
  public init(from first: Int64, _ rows: [ImportedRow]) {
    self.first = first
    count = Int64(rows.count)
    self.rows = rows
  }
}

extension ImportedRows: Equatable {
  /// Returns whether the ranges are equal.
  public static func == (left: ImportedRows, right: ImportedRows) -> Bool {
    left.first == right.first && left.count == right.count
  }
}

extension ImportedRows: Recordable {
  /// `ImportedRows`.
  public static var recordedName: String { "ImportedRows" }

  /// Returns a record of the range.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("first", composer.schema(of: Int64.self)),
          Schema.Field("count", composer.schema(of: Int64.self)),
        ])
    }
  }

  /// Writes the range.
  public func encode(into writer: inout AvroWriter) {
    first.encode(into: &writer)
    count.encode(into: &writer)
  }

  /// Reads the range.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    first = try reader.read()
    count = try reader.read()
    rows = nil
  }
}

/// A row of a file, as an entry.
public struct ImportedRow: Hashable, Sendable {
  /// The id in the source, if it has one.
  public var id: String?
  /// The user.
  public var user: Name
  /// The description of the work.
  public var description: String
  /// The client of the project.
  public var client: Name?
  /// The project.
  public var project: Name?
  /// The task of the project.
  public var task: Name?
  /// The tags.
  public var tags: [Name]
  /// The start.
  public var start: Moment
  /// The end.
  public var end: Moment
  /// The zone in which its times are given.
  public var zone: RecordedZone
  /// Whether it is billable.
  public var isBillable: Bool
  /// The hourly rate, in hundredths of the currency.
  public var rate: Int64?
  /// The annotations.
  public var annotations: [String] = []

  /// Creates a row without client, project, tags, rate and annotations.
  public init(
    id: String? = nil, user: Name, description: String, start: Moment, end: Moment,
    zone: RecordedZone
  ) {
    self.id = id
    self.user = user
    self.description = description
    self.start = start
    self.end = end
    self.zone = zone
    tags = []
    isBillable = false
  }
}
