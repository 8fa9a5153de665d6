import CivilTime
import RetraceState
public import TimeTracking

extension ColumnMapping {
  /// Returns the entry in a record of the file.
  ///
  /// - If clocks show a time twice, a start is the earlier moment, and an end is the first moment
  ///   that is not before the start.
  /// - If start and end share a column of the date, an end before the start is on the next day,
  ///   provided that it is then at most `TimeEntry.usualDurationMax` after the start.
  /// - Values that the domain would refuse are rejected here.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - repeated: Counts the times of the record that clocks show twice.
  /// - Throws: ``RowRejection`` for the first value that cannot be read.
  /// - Complexity: O(bytes of the record).
  public func row(
    _ record: CSVRecord, repeated: inout RepeatedTimes
  ) throws(RowRejection) -> ImportedRow {
    if let problem = record.problem {
      throw reject(record, .malformed(problem))
    }
    guard record.count == columnCount else {
      throw reject(record, .fieldCount(expected: columnCount, found: record.count))
    }
    let start = try moment(.start, of: record, repeated: &repeated)
    let end = start.adding(try duration(of: record, from: start, repeated: &repeated))
    var user = options.user
    if has(.user) {
      guard let name = try name(.user, of: record) else {
        throw reject(.user, of: record, .emptyName)
      }
      user = name
    }
    var row = ImportedRow(
      id: try value(.id, of: record, bytesMax: Name.bytesMax).nonEmpty, user: user,
      description: try value(.description, of: record, bytesMax: TimeEntry.textBytesMax),
      start: start, end: end,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: start)))
    row.client = try name(.client, of: record)
    row.project = try name(.project, of: record)
    row.task = try name(.task, of: record)
    if row.task != nil, row.project == nil { throw reject(.task, of: record, .taskWithoutProject) }
    row.tags = try tags(of: record)
    row.isBillable = try billable(of: record)
    return row
  }

  private var zone: ZoneRules { options.zone }

  private func has(_ field: ImportField) -> Bool { !columns(of: field).isEmpty }

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
    let names = text.split(separator: ",").map { Name(String($0)) }.filter { !$0.isEmpty }
    guard names.count <= TimeEntry.listMax else {
      throw reject(.tags, of: record, .tooManyTags(limit: TimeEntry.listMax))
    }
    guard names.allSatisfy({ $0.text.utf8.count <= Name.bytesMax }) else {
      throw reject(.tags, of: record, .textTooLong(limit: Name.bytesMax))
    }
    return names
  }

  /// Returns the values of a field's columns, trimmed and joined by spaces; empty without a column.
  private func value(
    _ field: ImportField, of record: CSVRecord, bytesMax: Int = 200
  ) throws(RowRejection) -> String {
    var joined = ""
    for index in columns(of: field) {
      guard let part = record.trimmedText(index) else { throw reject(field, of: record, .notUTF8) }
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

  /// Returns the moment of a time in a field, for an end the first one that is not before the
  /// start.
  private func moment(
    _ field: ImportField, of record: CSVRecord, notBefore start: Moment? = nil,
    repeated: inout RepeatedTimes
  ) throws(RowRejection) -> Moment {
    let text = try value(field, of: record)
    guard let dateFormat = options.dateFormat else {
      guard let moment = Moment(timestamp: text) else {
        let pattern = "of RFC 3339, such as 2026-03-01T09:00:00+01:00"
        throw reject(field, of: record, .dateFormat(pattern))
      }
      guard TimeEntry.moments.contains(moment) else {
        throw reject(field, of: record, .yearOutOfRange(DateFormat.years))
      }
      return moment
    }
    var local: LocalTime
    do {
      local = try dateFormat.parse(text)
    } catch .mismatch {
      throw reject(field, of: record, .dateFormat(dateFormat.pattern))
    } catch .noSuchTime {
      throw reject(field, of: record, .noSuchTime)
    } catch {
      throw reject(field, of: record, .yearOutOfRange(DateFormat.years))
    }
    if let start, sharesDate, !zone.moments(forLocal: local).contains(where: { $0 >= start }) {
      let before = zone.local(at: start).secondsSince1970 - local.secondsSince1970
      // If the entry would be longer than usual, the times are more likely wrong.
      if before > 0, 86_400 - before <= TimeEntry.usualDurationMax.seconds {
        local = LocalTime(secondsSince1970: local.secondsSince1970 + 86_400)
      }
    }
    guard let moment = zone.moment(of: local, notBefore: start, repeated: &repeated) else {
      throw reject(field, of: record, .skippedByZone(zone.id))
    }
    return moment
  }

  /// Returns the duration in the record or, without one, the time from the start to the end.
  private func duration(
    of record: CSVRecord, from start: Moment, repeated: inout RepeatedTimes
  ) throws(RowRejection) -> ElapsedTime {
    let text = try value(.duration, of: record)
    if has(.end) && text.isEmpty {
      let end = try moment(.end, of: record, notBefore: start, repeated: &repeated)
      guard end >= start else { throw reject(.end, of: record, .negativeDuration) }
      let duration = end.elapsed(since: start)
      guard duration <= TimeEntry.durationMax else {
        throw reject(.end, of: record, .durationTooLong)
      }
      return duration
    }
    let duration: ElapsedTime
    do throws(DurationFormat.ParseError) {
      duration = try options.durationFormat.parse(withPoint(text))
    } catch .mismatch {
      throw reject(.duration, of: record, .durationFormat(options.durationFormat))
    } catch .negative {
      throw reject(.duration, of: record, .negativeDuration)
    } catch {
      throw reject(.duration, of: record, .durationTooLong)
    }
    guard duration <= TimeEntry.durationMax else {
      throw reject(.duration, of: record, .durationTooLong)
    }
    try check(duration, written: text, of: record)
    return duration
  }

  /// Checks that a duration is the time from the start to the end, if the record has all three.
  ///
  /// The two may differ by less than a minute, or by half a unit of the last digit if the duration
  /// is a number of hours.
  private func check(
    _ duration: ElapsedTime, written text: String, of record: CSVRecord
  ) throws(RowRejection) {
    guard has(.end) else { return }
    let starts = try moments(.start, of: record)
    var ends = try moments(.end, of: record)
    // An end that shares the date of the start may be on the next day.
    if sharesDate { ends += ends.map { $0.adding(.seconds(86_400)) } }
    let times = starts.flatMap { start in
      ends.map { ElapsedTime(microseconds: $0.microseconds - start.microseconds) }
    }
    var tolerance: Int64 = 59_999_999
    if options.durationFormat == .hours {
      let decimals = text.utf8.split(whereSeparator: { ",.".utf8.contains($0) }).dropFirst().first
      var half: Int64 = 1_800_000_000
      for _ in decimals ?? Substring().utf8 { half /= 10 }
      tolerance = max(tolerance, half)
    }
    let isSame = times.contains { time in
      (time.microseconds - duration.microseconds).magnitude <= tolerance
    }
    guard let time = times.first, !isSame else { return }
    throw reject(.duration, of: record, .otherDuration(time))
  }

  /// Returns the moments that a time in a field can mean; none if it cannot be parsed.
  private func moments(
    _ field: ImportField, of record: CSVRecord
  ) throws(RowRejection) -> [Moment] {
    let text = try value(field, of: record)
    guard let dateFormat = options.dateFormat else {
      return Moment(timestamp: text).map { [$0] } ?? []
    }
    guard let local = try? dateFormat.parse(text) else { return [] }
    return zone.moments(forLocal: local)
  }

  /// Returns a number with a decimal point instead of a decimal comma.
  ///
  /// A comma that may separate thousands is kept.
  private func withPoint(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ",")) else { return text }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard options.durationFormat != .clock, parts.count == 2, !text.contains("."),
      parts[1].utf8.count != 3 || options.durationFormat == .hours
    else { return text }
    return "\(parts[0]).\(parts[1])"
  }

  private func billable(of record: CSVRecord) throws(RowRejection) -> Bool {
    guard has(.billable) else { return false }
    return switch try value(.billable, of: record).lowercased() {
    case "yes", "true", "1", "y": true
    case "", "no", "false", "0", "n": false
    default: throw reject(.billable, of: record, .notYesOrNo)
    }
  }

  private func reject(
    _ field: ImportField, of record: CSVRecord, _ reason: RowRejection.Reason
  ) -> RowRejection {
    let shown = columns(of: field).map { record.shown($0) }.joined(separator: " ")
    return RowRejection(
      line: record.line, column: names[field], value: String(shown.prefix(200)), reason: reason)
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
