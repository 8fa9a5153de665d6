import CivilTime
import RetraceAvro
import RetraceState
public import TimeTracking

extension ColumnMapping {
  /// Returns the entry in a record of the file.
  ///
  /// - If clocks show the start twice, it is the first moment with which the end and the duration
  ///   agree. An end that clocks show twice is the first moment that is not before the start.
  /// - If start and end share a column of the date, an end before the start is on the next day,
  ///   provided that it is then at most `TimeEntry.usualDurationMax` after the start.
  /// - A duration with a day and no time of day begins where the one before it ends.
  /// - Missing last fields are empty.
  /// - Values that the domain would refuse are rejected here.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - repeated: Counts the times of the record that clocks show twice.
  ///   - placed: The durations so far that have no time of day.
  /// - Throws: ``RowRejection`` for the first value that cannot be read.
  /// - Complexity: O(bytes of the record).
  public func row(
    _ record: CSVRecord, repeated: inout RepeatedTimes, placed: inout PlacedDurations
  ) throws(RowRejection) -> ImportedRow {
    if let problem = record.problem {
      throw reject(record, .malformed(problem))
    }
    guard record.count <= columnCount || isEmpty(columnCount..<record.count, of: record) else {
      throw reject(record, .fieldCount(expected: columnCount, found: record.count))
    }
    var user = options.user
    if has(.user) {
      guard let name = try name(.user, of: record) else {
        throw reject(.user, of: record, .emptyName)
      }
      user = name
    }
    let times = try times(of: record, user, repeated: &repeated, placed: &placed)
    do throws(RowRejection) {
      return try row(record, user, times)
    } catch {
      var rejection = error
      rejection.time = times.end.elapsed(since: times.start)
      throw rejection
    }
  }

  /// Returns the entry in a record whose user and times are known.
  private func row(
    _ record: CSVRecord, _ user: Name, _ times: Times
  ) throws(RowRejection) -> ImportedRow {
    var row = ImportedRow(
      id: try value(.id, of: record, bytesMax: Name.bytesMax).nonEmpty, user: user,
      description: try value(.description, of: record, bytesMax: TimeEntry.textBytesMax),
      start: times.start, end: times.end,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: times.start)))
    row.client = try name(.client, of: record)
    row.project = try name(.project, of: record)
    row.task = try name(.task, of: record)
    if row.task != nil, row.project == nil { throw reject(.task, of: record, .taskWithoutProject) }
    row.tags = try tags(of: record)
    row.isBillable = try billable(of: record)
    if times.isPlaced { row.annotate("A duration without a time of day in the file.") }
    return row
  }

  /// Returns whether the entry of a record has not ended: it has a start, no end and no duration.
  ///
  /// A known program also writes a duration of zero.
  func isRunning(_ record: CSVRecord) -> Bool {
    guard has(.end), record.problem == nil, isEmpty(endColumns, of: record),
      (try? time(.start, of: record)) != nil
    else { return false }
    guard has(.duration) else { return true }
    guard let text = try? value(.duration, of: record) else { return false }
    let isKnown = options.program != nil
    return text.isEmpty || isKnown && (try? duration(text, of: record)) == .zero
  }

  /// Returns whether a record has no value in any column.
  func isBlank(_ record: CSVRecord) -> Bool {
    record.problem == nil && isEmpty(0..<record.count, of: record)
  }

  /// Returns the id of a record; `nil` if it has none.
  func id(of record: CSVRecord) -> String? { (try? value(.id, of: record))?.nonEmpty }

  /// Returns the texts of the dates of a record.
  func dates(of record: CSVRecord) -> [String] {
    [ImportField.start, .end].compactMap { field in
      (try? value(field, of: record))?.nonEmpty
    }
  }

  /// Returns whether a record has no value in any of the columns.
  private func isEmpty(_ columns: some Collection<Int>, of record: CSVRecord) -> Bool {
    columns.allSatisfy { record.trimmedText($0).map { cleaned($0).isEmpty } ?? false }
  }

  func has(_ field: ImportField) -> Bool { !columns(of: field).isEmpty }

  /// Returns the name in a field; `nil` if it is empty.
  private func name(_ field: ImportField, of record: CSVRecord) throws(RowRejection) -> Name? {
    guard has(field) else { return nil }
    let name = Name(try value(field, of: record, bytesMax: TimeEntry.textBytesMax))
    guard name.text.utf8.count <= Name.bytesMax else {
      throw reject(field, of: record, .textTooLong(limit: Name.bytesMax))
    }
    return name.isEmpty ? nil : name
  }

  private func tags(of record: CSVRecord) throws(RowRejection) -> [Name] {
    guard has(.tags) else { return [] }
    let text = try value(.tags, of: record, bytesMax: TimeEntry.textBytesMax)
    let names = TagCell.names(in: text).map { Name($0) }.filter { !$0.isEmpty }
    guard names.count <= TimeEntry.listMax else {
      throw reject(.tags, of: record, .tooManyTags(limit: TimeEntry.listMax))
    }
    guard names.allSatisfy({ $0.text.utf8.count <= Name.bytesMax }) else {
      throw reject(.tags, of: record, .textTooLong(limit: Name.bytesMax))
    }
    return names
  }

  /// Returns the values of a field's columns, trimmed and joined by spaces; empty without a column.
  func value(
    _ field: ImportField, of record: CSVRecord, bytesMax: Int = 200
  ) throws(RowRejection) -> String {
    var joined = ""
    for index in columns(of: field) {
      guard var part = record.trimmedText(index) else { throw reject(field, of: record, .notUTF8) }
      part = cleaned(part)
      if joined.utf8.isEmpty {
        joined = part
      } else if !part.utf8.isEmpty {
        joined += " " + part
      }
    }
    if joined.utf8.count > bytesMax {
      throw reject(field, of: record, .textTooLong(limit: bytesMax))
    }
    return joined
  }

  /// Returns a value without what a known program adds to it.
  private func cleaned(_ text: String) -> String {
    let bytes = text.utf8
    if hasHyphens, bytes.count == 1, bytes.first == UInt8(ascii: "-") { return "" }
    return hasMarks ? SpreadsheetText.unmarked(text) : text
  }

  private func billable(of record: CSVRecord) throws(RowRejection) -> Bool {
    guard has(.billable) else { return false }
    return switch try value(.billable, of: record).lowercased() {
    case "yes", "true", "1", "y": true
    case "", "no", "false", "0", "n": false
    default: throw reject(.billable, of: record, .notYesOrNo)
    }
  }

  func reject(
    _ field: ImportField, of record: CSVRecord, _ reason: RowRejection.Reason,
    time: ElapsedTime? = nil
  ) -> RowRejection {
    let shown = columns(of: field).map { record.shown($0) }.joined(separator: " ")
    return RowRejection(
      line: record.line, column: names[field], value: String(shown.prefix(200)), reason: reason,
      time: time)
  }

  private func reject(_ record: CSVRecord, _ reason: RowRejection.Reason) -> RowRejection {
    let shown = (0..<min(record.count, 32)).map { record.shown($0) }.joined(separator: ",")
    return RowRejection(
      line: record.line, column: nil, value: String(shown.prefix(200)), reason: reason)
  }
}

extension String {
  /// The text, or `nil` if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
