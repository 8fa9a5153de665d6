public import CivilTime

/// A reader of one format of files whose entries can be imported.
///
/// A format is a folder with a type that conforms, and a line in ``ImportSources``. A reader is
/// pure: the importer reads the file and passes its bytes in pieces.
///
/// ```swift
/// struct MinutesSource: WholeFileSource {
///   static let format = ImportFormat(
///     name: "minutes", summary: "minutes for a list of minutes", fileKind: "list of minutes",
///     advice: "Give a file such as minutes.txt.", bytesMax: 1 << 20)
///   let fields: Set<ImportField> = [.start, .end]
///   let options: ImportOptions
///   var bytes: [UInt8] = []
///
///   init(_ options: ImportOptions) { self.options = options }
///
///   func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) { … }
/// }
/// ```
public protocol ImportSource: Sendable {
  /// The description of the format.
  static var format: ImportFormat { get }
  /// The fields that the file has. Other fields are not compared with known entries.
  var fields: Set<ImportField> { get }
  /// Whether each row has the rate of its entry, or has none because the entry has none; `false` by
  /// default.
  var hasRates: Bool { get }

  /// The options with which the file has to be read again from its beginning; `nil` if there are no
  /// others, as is the default.
  ///
  /// A reader that finds out how a file is written sets them, appends no rows, and ignores the rest
  /// of the file. With them, a new reader does not set any.
  var settled: ImportOptions? { get }

  /// Prepares to read one file from its beginning.
  init(_ options: ImportOptions)

  /// Returns what the beginning of a file says about its format.
  ///
  /// By default, CSV is recognized by the header of a known program, and other formats are not.
  ///
  /// - Parameter beginning: The first bytes, without a byte-order mark.
  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition

  /// Reads the next piece of the file, and appends the rows that end in it.
  ///
  /// - Complexity: O(bytes of the piece).
  /// - Throws: The reason why the file cannot be read. The reader must not be used after an error.
  mutating func read(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure)

  /// Skips the next piece of the file, whose rows are not needed.
  ///
  /// Reads the piece by default.
  mutating func skip(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure)

  /// Ends the file, and appends the remaining rows.
  ///
  /// - Throws: As ``read(_:into:)``.
  mutating func finish(into rows: inout ReadRows) throws(ImportFailure)
}

extension ImportSource {
  /// Returns `false`.
  public var hasRates: Bool { false }

  /// Returns `nil`.
  public var settled: ImportOptions? { nil }

  /// Returns ``FormatRecognition/certain`` if the beginning is the header of a known program whose
  /// CSV is of this format, and else ``FormatRecognition/other``, so that the format has to be
  /// named.
  public static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    guard format.hasColumns, let header = CSVHeader(recognizing: Array(beginning)),
      header.program != nil, header.formatName == format.name
    else { return .other }
    return .certain
  }

  /// Reads the piece.
  public mutating func skip(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    try read(piece, into: &rows)
  }
}

/// A reader of files that are read as a whole.
public protocol WholeFileSource: ImportSource {
  /// The bytes so far.
  var bytes: [UInt8] { get set }

  /// Reads the whole file, which is UTF-8 and has no byte-order mark.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: The reason why the file is not of the format.
  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure)
}

extension WholeFileSource {
  /// Keeps the piece.
  public mutating func read(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    bytes += piece
  }

  /// Reads the file without its byte-order mark.
  ///
  /// - Throws: ``ImportFailure/encoding(_:)`` if the file is not UTF-8.
  public mutating func finish(into rows: inout ReadRows) throws(ImportFailure) {
    let mark = CSVParser.mark
    let file = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    bytes = []
    guard (try? UTF8Span(validating: file.span)) != nil else { throw .encoding(.windows1252) }
    try read(file: file, into: &rows)
  }
}

/// The reason why a file cannot be read in a format.
public enum ImportFailure: Error, Hashable, Sendable {
  /// The file has no header.
  case empty
  /// The file is not of the format, for a reason in words.
  case notFile(String)
  /// A row is invalid, and the format takes a file with all its rows or not at all.
  case row(RowRejection)
  /// The file has another encoding than UTF-8.
  case encoding(TextEncoding)
  /// All dates of the file can be read with the day or the month first, such as the given one.
  case ambiguousDate(String, dayFirst: CivilDate, monthFirst: CivilDate)
  /// The header lacks columns. With the associated separator, if any, it would have them.
  case columns(ColumnMapping.Failure, separator: UInt8?)
}
