/// A reader of the CSV of one program, whose header names its columns.
protocol ProgramSource: ImportSource {
  /// The program.
  static var program: CSVProgram { get }
  /// The reader of the file.
  var csv: CSVSource { get set }

  init(csv: CSVSource)
}

extension ProgramSource {
  init(_ options: ImportOptions) {
    var options = options
    options.program = Self.program
    self.init(csv: CSVSource(options))
  }

  var fields: Set<ImportField> { csv.fields }

  var settled: ImportOptions? { csv.settled }

  mutating func read(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    try csv.read(piece, into: &rows)
  }

  mutating func skip(_ piece: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    try csv.skip(piece, into: &rows)
  }

  mutating func finish(into rows: inout ReadRows) throws(ImportFailure) {
    try csv.finish(into: &rows)
  }
}
