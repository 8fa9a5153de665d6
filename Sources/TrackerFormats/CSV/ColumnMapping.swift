import CivilTime

/// The mapping from the columns of a file to the fields of an entry, with the formats of values.
public struct ColumnMapping: Sendable {
  /// The reason why a file does not have the requested columns.
  public enum Failure: Error, Hashable, Sendable {
    /// The header has no column of that name, but has the available ones.
    case unknownColumn(String, available: [String])
    /// The header has two columns of that name.
    case ambiguousColumn(String)
    /// A required field has no column.
    case missingField(ImportField)
    /// A field of a project has a column, but the project has none.
    case projectMissing(for: ImportField)
    /// The header itself is malformed.
    case malformedHeader(String)
  }

  let options: ImportOptions
  let dateFormat: DateFormat
  /// The number of columns.
  let columnCount: Int
  /// The columns of each field, by ``ImportField/number``.
  private let columns: [[Int]]
  /// The names of the columns of each field, joined by plus signs.
  let names: [ImportField: String]
  /// Whether start and end share a column, which then has the date of both.
  let sharesDate: Bool
  /// The columns of the end that are not shared with the start.
  let endColumns: [Int]
  /// Whether a hyphen stands for an empty value.
  let hasHyphens: Bool
  /// Whether an apostrophe was put before some texts, even if the user has named the columns.
  let hasMarks: Bool
  /// The names of the columns that a known program wrote and that are not imported.
  let otherColumns: [String]

  /// Finds the columns in the header of a file.
  ///
  /// - Parameters:
  ///   - options: The columns and the formats of values.
  ///   - header: The first record of the file.
  /// - Throws: ``Failure`` if a column is missing, or if a required field has none.
  public init(_ options: ImportOptions, header: CSVRecord) throws(Failure) {
    if let problem = header.problem {
      throw .malformedHeader(RowRejection.Reason.malformed(problem).description)
    }
    let available = (0..<header.count).map { Self.trimmed(header.shown($0)) }
    var indexes: [ImportField: [Int]] = [:]
    var names: [ImportField: String] = [:]
    for (field, column) in options.columns {
      let column = Self.trimmed(column)
      let matches = available.indices.filter { available[$0] == column }
      guard let index = matches.first else { throw .unknownColumn(column, available: available) }
      guard matches.count == 1 else { throw .ambiguousColumn(column) }
      indexes[field, default: []].append(index)
      names[field] = names[field].map { "\($0)+\(column)" } ?? column
    }
    guard indexes[.start] != nil else { throw .missingField(.start) }
    guard indexes[.duration] != nil || indexes[.end] != nil else { throw .missingField(.duration) }
    // Without a project the rows would lose these values.
    for field in [ImportField.client, .task] where indexes[field] != nil && indexes[.project] == nil
    {
      throw .projectMissing(for: field)
    }
    columns = ImportField.allCases.map { indexes[$0] ?? [] }
    sharesDate = !Set(indexes[.start] ?? []).isDisjoint(with: indexes[.end] ?? [])
    endColumns = (indexes[.end] ?? []).filter { indexes[.start]?.contains($0) != true }
    self.names = names
    self.options = options
    dateFormat = options.dateFormat ?? .dayFirst
    columnCount = header.count
    let isKnown = options.program != nil
    var used = Set(indexes.values.joined())
    if options.program == .exactTrack {
      used.formUnion(
        available.indices.filter { available[$0].lowercased() == CSVHeader.exactColumn.name })
    }
    otherColumns =
      isKnown ? available.indices.filter { !used.contains($0) }.map { available[$0] } : []
    hasMarks = CSVHeader(header, separator: options.separator)?.program == .track
    hasHyphens =
      options.program == .toggl && available.contains { $0.lowercased() == "stop time" }
  }

  /// Returns a name of a column without blanks around it.
  private static func trimmed(_ name: String) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let scalars = name.unicodeScalars.drop(while: isBlank)
    let end = scalars.lastIndex { !isBlank($0) }
    return end.map { String(scalars[...$0]) } ?? ""
  }

  /// Returns the columns of a field; none if the file does not give it.
  func columns(of field: ImportField) -> [Int] { columns[field.number] }
}

extension ImportField {
  /// The position among all fields.
  ///
  /// A switch is faster than a search, which would be needed for each value of a file.
  fileprivate var number: Int {
    switch self {
    case .start: 0
    case .end: 1
    case .duration: 2
    case .user: 3
    case .client: 4
    case .project: 5
    case .task: 6
    case .tags: 7
    case .description: 8
    case .billable: 9
    case .id: 10
    }
  }
}

extension ColumnMapping.Failure: CustomStringConvertible {
  /// The reason in words for the user.
  public var description: String {
    switch self {
    case .unknownColumn(let name, let available):
      "the header has no column \"\(name)\", but "
        + available.map { "\"\($0)\"" }.joined(separator: ", ")
    case .ambiguousColumn(let name): "the header has two columns \(name)"
    case .missingField(.duration): "no column is named for the duration, nor for the end"
    case .missingField(let field): "no column is named for the \(field.rawValue)"
    case .projectMissing(let field):
      "a \(field.rawValue) belongs to a project, and no column is named for the project"
    case .malformedHeader(let problem): "the header is malformed: \(problem)"
    }
  }
}
