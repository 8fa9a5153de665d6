import CivilTime

/// A reader of comma-separated values, whose columns the user has named or a known program wrote.
struct CSVSource: ImportSource {
  static let format = ImportFormat(
    name: "csv", summary: "csv, the default with --column", fileKind: "file of CSV",
    advice: "Give a file with a line of names of columns.", hasColumns: true, bytesMax: nil)

  private var options: ImportOptions
  private(set) var settled: ImportOptions?
  private var parser = CSVParser()
  private var mapping: ColumnMapping?
  private var reader = CSVRecordReader()
  /// The bytes so far, until the header is parsed.
  private var beginning: [UInt8] = []

  init(_ options: ImportOptions) { self.options = options }

  /// The compared fields that have a column, and the end, which may come from a duration.
  var fields: Set<ImportField> {
    Set(options.columns.map(\.field)).union([.end]).intersection(ImportField.compared)
  }

  mutating func read(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    guard settled == nil else { return }
    guard mapping == nil else { return try parse(piece, into: &rows) }
    beginning = beginning.isEmpty ? piece : beginning + piece
    try open(isWhole: false, into: &rows)
  }

  mutating func skip(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    guard mapping != nil, reader.survey == nil else { return try read(piece, into: &rows) }
    var reader = CSVRecordReader()
    swap(&reader, &self.reader)
    try parser.feed(piece) { (record) throws(ImportFailure) in try reader.check(record) }
    swap(&reader, &self.reader)
  }

  mutating func finish(into rows: inout ReadRows) throws(ImportFailure) {
    guard settled == nil else { return }
    if mapping == nil { try open(isWhole: true, into: &rows) }
    guard settled == nil, let mapping else { return }
    var reader = self.reader
    try parser.finish { (record) throws(ImportFailure) in
      try reader.add(record, mapping, to: &rows)
    }
    self.reader = reader
    if let survey = reader.survey { settle(try survey.end()) }
    rows.notes += reader.notes(on: mapping)
  }

  /// Reads the beginning, if it has the whole header.
  ///
  /// A file that says itself which columns it has, or how its dates are written, is read again with
  /// these options.
  private mutating func open(
    isWhole: Bool, into rows: inout ReadRows
  ) throws(ImportFailure) {
    let opening = CSVOpening(beginning)
    let separator = opening.separator ?? options.separator
    let isEnd = isWhole || beginning.count > CSVParser.longestRecord
    guard let record = opening.header(separatedBy: separator, isWhole: isEnd) else {
      if isEnd { throw .empty }
      return
    }
    guard record.isUTF8 else { throw .encoding(.windows1252) }
    options.separator = separator
    let isKnown = try recognizeColumns(opening, isWhole: isEnd)
    guard let header = opening.header(separatedBy: options.separator, isWhole: isEnd) else {
      throw .empty
    }
    do throws(ColumnMapping.Failure) {
      mapping = try ColumnMapping(options, header: header)
    } catch {
      throw .columns(error, separator: otherSeparator(opening))
    }
    if options.dateFormat == nil {
      reader.survey = DateSurvey()
    } else if isKnown {
      settled = options
      return
    }
    parser = CSVParser(separator: options.separator, line: opening.line)
    beginning = []
    try parse(opening.body, into: &rows)
  }

  /// Takes the columns of a known header, if the user names none, and returns whether it did.
  private mutating func recognizeColumns(
    _ opening: CSVOpening, isWhole: Bool
  ) throws(ImportFailure) -> Bool {
    guard options.columns.isEmpty else { return false }
    let wanted = options.program
    let headers = ([options.separator] + opening.separators).compactMap { separator in
      opening.header(separatedBy: separator, isWhole: isWhole)
        .flatMap { CSVHeader($0, separator: separator) }
    }
    let known = headers.first { $0.program != nil && $0.program == wanted ?? $0.program }
    guard let known else {
      if wanted != nil { throw .notFile("its header has other columns") }
      return false
    }
    (options.program, options.separator) = (known.program, known.separator)
    options.columns = known.columns
    return true
  }

  private mutating func parse(
    _ piece: [UInt8], into rows: inout ReadRows
  ) throws(ImportFailure) {
    guard let mapping else { return }
    // The reader is moved out, so that appending to it copies nothing.
    var reader = CSVRecordReader()
    swap(&reader, &self.reader)
    try parser.feed(piece) { (record) throws(ImportFailure) in
      try reader.add(record, mapping, to: &rows)
    }
    swap(&reader, &self.reader)
    if let format = self.reader.survey?.format { settle(format) }
  }

  private mutating func settle(_ format: DateFormat) {
    options.dateFormat = format
    settled = options
  }

  /// Another separator with which the header has all columns, if there is one.
  private func otherSeparator(_ opening: CSVOpening) -> UInt8? {
    opening.separators.first { other in
      guard other != options.separator,
        let header = opening.header(separatedBy: other, isWhole: true)
      else { return false }
      return (try? ColumnMapping(options, header: header)) != nil
    }
  }
}

/// A reader of the records of a file of CSV.
private struct CSVRecordReader {
  /// The search for the order of day and month; `nil` if it is known.
  var survey: DateSurvey?
  private var isAfterHeader = false
  /// Whether a record had characters of UTF-8 other than ASCII.
  private var hasUTF8 = false
  private var placed = PlacedDurations()
  /// The number of records without a value, such as `,,,`, which spreadsheets write.
  private var blankCount = 0

  init() {}

  /// Appends the row of a record, or notes its dates.
  mutating func add(
    _ record: CSVRecord, _ mapping: ColumnMapping, to rows: inout ReadRows
  ) throws(ImportFailure) {
    guard isAfterHeader else {
      isAfterHeader = true
      return
    }
    try check(record)
    guard !mapping.isBlank(record) else {
      blankCount += 1
      return
    }
    if survey != nil {
      for text in mapping.dates(of: record) { survey?.note(text) }
    } else if mapping.isRunning(record) {
      rows.running.append(mapping.id(of: record) ?? "line \(record.line)")
    } else {
      let (placedCount, rowCount) = (placed.count, rows.rows.count)
      rows.append { (repeated) throws(RowRejection) in
        try mapping.row(record, repeated: &repeated, placed: &placed)
      }
      if placed.count > placedCount, rows.rows.count > rowCount {
        rows.rows[rowCount].placedDay = placed.lastDay
      }
    }
  }

  /// Refuses a file whose first characters beyond ASCII are not UTF-8.
  ///
  /// In a file with some in UTF-8, others are mistakes in single rows.
  mutating func check(_ record: CSVRecord) throws(ImportFailure) {
    guard !record.isASCII, !hasUTF8 else { return }
    guard record.isUTF8 else { throw .encoding(.windows1252) }
    hasUTF8 = true
  }

  /// Returns notes on what the rows lack.
  func notes(on mapping: ColumnMapping) -> [String] {
    var notes: [String] = []
    let others = mapping.otherColumns
    if !others.isEmpty {
      notes.append("columns that are not imported: \(others.joined(separator: ", "))")
    }
    if blankCount > 0 {
      notes.append(
        blankCount == 1
          ? "1 row has no values, and was skipped"
          : "\(blankCount) rows have no values, and were skipped")
    }
    if placed.count > 0 {
      let rows = placed.count == 1 ? "row has" : "rows have"
      notes.append(
        "\(placed.count) \(rows) no time of day: the entries of a day follow one another from its "
          + "beginning")
    }
    return notes
  }
}
