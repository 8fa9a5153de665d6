/// A reader of comma-separated values, whose columns the user has named.
struct CSVSource: ImportSource {
  static let format = ImportFormat(
    name: "csv", summary: "csv, which is the default", fileKind: "file of CSV",
    advice: "Give a file with a line of names of columns.", hasColumns: true, bytesMax: nil)

  private let options: ImportOptions
  private var parser: CSVParser
  private var mapping: ColumnMapping?
  /// The bytes so far, until the header is parsed.
  private var beginning: [UInt8] = []

  init(_ options: ImportOptions) {
    self.options = options
    parser = CSVParser(separator: options.separator)
  }

  /// The compared fields that have a column, and the end, which may come from a duration.
  var fields: Set<ImportField> {
    Set(options.columns.map(\.field)).union([.end]).intersection(ImportField.compared)
  }

  mutating func read(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    if mapping == nil { beginning += piece }
    let options = options
    var mapping = mapping
    do throws(ColumnMapping.Failure) {
      try parser.feed(piece) { (record) throws(ColumnMapping.Failure) in
        try Self.add(record, &mapping, options, to: &rows)
      }
    } catch {
      throw .columns(error, separator: otherSeparator)
    }
    self.mapping = mapping
    if mapping != nil { beginning = [] }
  }

  mutating func skip(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    guard mapping != nil else { return try read(piece, into: &rows) }
    parser.feed(piece) { _ in }
  }

  mutating func finish(into rows: inout ReadRows) throws(ImportFailure) {
    let options = options
    do throws(ColumnMapping.Failure) {
      try parser.finish { (record) throws(ColumnMapping.Failure) in
        try Self.add(record, &mapping, options, to: &rows)
      }
    } catch {
      throw .columns(error, separator: otherSeparator)
    }
    guard mapping != nil else { throw .empty }
  }

  /// Creates the mapping from the first record, and appends rows of the others.
  private static func add(
    _ record: CSVRecord, _ mapping: inout ColumnMapping?, _ options: ImportOptions,
    to rows: inout ReadRows
  ) throws(ColumnMapping.Failure) {
    guard let known = mapping else {
      mapping = try ColumnMapping(options, header: record)
      return
    }
    rows.append { (repeated) throws(RowRejection) in
      try known.row(record, repeated: &repeated)
    }
  }

  /// Another separator with which the header has all columns, if there is one.
  private var otherSeparator: UInt8? {
    for other in ",;\t".utf8 where other != options.separator {
      var (parser, header) = (CSVParser(separator: other), CSVRecord?.none)
      parser.feed(beginning) { header = header ?? $0 }
      parser.finish { header = header ?? $0 }
      if let header, (try? ColumnMapping(options, header: header)) != nil { return other }
    }
    return nil
  }
}
