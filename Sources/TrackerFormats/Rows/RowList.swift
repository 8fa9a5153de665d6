package import CivilTime
import RetraceState
package import TimeTracking

/// The rows of a file that is read as a whole.
package struct RowList: Sendable {
  /// A row, and how many of its times clocks show twice.
  package typealias Row = (row: ImportedRow, repeated: RepeatedTimes)

  /// The rows, or why an element of the file is none.
  package private(set) var rows: [Result<Row, ImportRejection>] = []
  /// The ids of the elements that have no end, and are no rows.
  package var running: [String] = []
  /// The fields that the file gives.
  package let fields: Set<ImportMapping.Field>
  /// Whether each row gives the rate of its entry, or says that it has none.
  package var hasRates = false
  /// The currencies of the rates of rows, by the ids of the rows, as far as the file says them.
  package var currencies: [String: String] = [:]

  /// Makes a list without rows.
  package init(fields: Set<ImportMapping.Field>) { self.fields = fields }

  /// Appends a row, or the reason for which there is none.
  ///
  /// - Parameters:
  ///   - day: The day on which the entry begins, or one beside it, if it is known.
  ///   - row: Returns the row; counts its times that clocks show twice.
  package mutating func append(
    on day: CivilDate? = nil, _ row: (inout RepeatedTimes) throws(ImportRejection) -> ImportedRow
  ) {
    do throws(ImportRejection) {
      var repeated = RepeatedTimes()
      let row = try row(&repeated)
      rows.append(.success((row, repeated)))
    } catch {
      var rejection = error
      rejection.day = rejection.day ?? day
      rows.append(.failure(rejection))
    }
  }
}

extension ImportedRow {
  /// Returns the row if the domain accepts it.
  ///
  /// - Parameters:
  ///   - line: The line of the file.
  ///   - shown: Returns the name that the file has for a field, and the value.
  /// - Throws: ``ImportRejection`` for the first field that the domain refuses.
  package func checked(
    line: Int, _ shown: (ImportMapping.Field) -> (column: String?, value: String)
  ) throws(ImportRejection) -> ImportedRow {
    func check(
      _ isFine: Bool, _ field: ImportMapping.Field, _ reason: ImportRejection.Reason
    ) throws(ImportRejection) {
      guard !isFine else { return }
      let (column, value) = shown(field)
      throw ImportRejection(
        line: line, column: column, value: String(value.prefix(200)), reason: reason)
    }
    try check(start <= end, .end, .negativeDuration)
    try check(end.elapsed(since: start) <= TimeEntry.durationMax, .end, .durationTooLong)
    let isInRange = TimeEntry.moments.contains(start) && TimeEntry.moments.contains(end)
    try check(isInRange, .start, .yearOutOfRange(DateFormat.years))
    let bytes = annotations.reduce(description.utf8.count) { $0 + $1.utf8.count }
    let textTooLong = ImportRejection.Reason.textTooLong(limit: TimeEntry.textBytesMax)
    try check(bytes <= TimeEntry.textBytesMax, .description, textTooLong)
    let nameTooLong = ImportRejection.Reason.textTooLong(limit: Name.bytesMax)
    try check(id?.utf8.count ?? 0 <= Name.bytesMax, .id, nameTooLong)
    try check(project?.text.utf8.count ?? 0 <= Name.bytesMax, .project, nameTooLong)
    let limit = TimeEntry.listMax
    try check(tags.count <= limit, .tags, .tooManyTags(limit: limit))
    try check(tags.allSatisfy { $0.text.utf8.count <= Name.bytesMax }, .tags, nameTooLong)
    return self
  }
}
