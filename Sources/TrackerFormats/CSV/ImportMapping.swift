public import CivilTime

/// Which column of a file gives which field of a time entry, and how values are written.
public struct ImportMapping: Sendable {
  /// A field that an import can fill.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    /// When it began; required.
    case start
    /// When it ended; where there is a duration, both have to agree.
    case end
    /// How long it took.
    case duration
    /// The name of the user.
    case user
    /// The name of the client of the project.
    case client
    /// The name of the project.
    case project
    /// The name of the task of the project.
    case task
    /// The names of tags, separated by commas.
    case tags
    /// What was done.
    case description
    /// Yes or no.
    case billable
    /// The id by which a second import of the same row is noticed.
    case id
  }

  /// Why a file cannot be read with the columns that were asked for.
  public enum Failure: Error, Hashable, Sendable {
    /// The header has no column of that name; the names it has follow.
    case unknownColumn(String, available: [String])
    /// The header has two columns of that name.
    case ambiguousColumn(String)
    /// A field that is needed has no column.
    case missingField(Field)
    /// A field of a project has a column, and the project has none.
    case projectMissing(for: Field)
    /// The header itself is malformed.
    case malformedHeader(String)
  }

  /// How dates and times are written; `nil` for RFC 3339, which has an offset from UTC.
  public var dateFormat: DateFormat?
  /// How durations are written.
  public var durationFormat: DurationFormat
  /// The zone in which the local times of the file are meant.
  public var zone: ZoneRules
  /// The number of columns.
  public let columnCount: Int
  let columns: [Field: [Int]]
  /// The fields that the file gives; a duration gives the end.
  public var fields: Set<Field> { Set(columns.keys).union([.end]) }
  let names: [Field: String]

  /// Finds the columns in the header of a file.
  ///
  /// - Parameters:
  ///   - columns: Fields with names of columns; a field given twice joins its columns with a blank.
  ///   - header: The first record of the file.
  ///   - dateFormat: How dates and times are written; `nil` for RFC 3339.
  ///   - durationFormat: How durations are written.
  ///   - zone: The zone in which the local times of the file are meant.
  /// - Throws: ``Failure`` when a column is not there or a needed field has none.
  public init(
    columns: [(field: Field, column: String)], header: CSVRecord, dateFormat: DateFormat?,
    durationFormat: DurationFormat, zone: ZoneRules
  ) throws(Failure) {
    if let problem = header.problem {
      throw .malformedHeader(ImportRejection.Reason.malformed(problem).description)
    }
    let available = (0..<header.count).map { header.shown($0) }
    var indexes: [Field: [Int]] = [:]
    var names: [Field: String] = [:]
    for (field, column) in columns {
      let matches = available.indices.filter { available[$0] == column }
      guard let index = matches.first else { throw .unknownColumn(column, available: available) }
      guard matches.count == 1 else { throw .ambiguousColumn(column) }
      indexes[field, default: []].append(index)
      names[field] = names[field].map { "\($0)+\(column)" } ?? column
    }
    guard indexes[.start] != nil else { throw .missingField(.start) }
    guard indexes[.duration] != nil || indexes[.end] != nil else { throw .missingField(.duration) }
    // Without a project the rows would lose these values.
    for field in [Field.client, .task] where indexes[field] != nil && indexes[.project] == nil {
      throw .projectMissing(for: field)
    }
    self.columns = indexes
    self.names = names
    self.dateFormat = dateFormat
    self.durationFormat = durationFormat
    self.zone = zone
    columnCount = header.count
  }
}

extension ImportMapping.Failure: CustomStringConvertible {
  /// The reason in words for a person.
  public var description: String {
    switch self {
    case .unknownColumn(let name, let available):
      "the header has no column \"\(name)\", but "
        + available.map { "\"\($0)\"" }.joined(separator: ", ")
    case .ambiguousColumn(let name): "the header has two columns \(name)"
    case .missingField(.duration): "no column is named for the duration, nor for the end"
    case .missingField(let field): "no column is named for the \(field.rawValue)"
    case .projectMissing(let field):
      "a \(field.rawValue) is that of a project, and no column is named for the project"
    case .malformedHeader(let problem): "the header is malformed: \(problem)"
    }
  }
}
