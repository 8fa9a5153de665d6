import CivilTime
import RetraceState
public import TimeTracking

/// The numbers of times that clocks show twice, by the moment that was used of the two.
public struct RepeatedTimes: Hashable, Sendable {
  /// The times of which the earlier moment was used.
  public var earlier = 0
  /// The times of which the later moment was used.
  public var later = 0

  /// Makes the numbers of no times.
  public init() {}

  /// Adds other times.
  public mutating func add(_ other: RepeatedTimes) {
    earlier += other.earlier
    later += other.later
  }
}

extension ImportMapping {
  /// Returns the entry in a record, as ``row(_:defaultUser:repeated:)`` does, and counts nothing.
  public func row(
    _ record: CSVRecord, defaultUser: Name
  ) throws(ImportRejection) -> ImportedRow {
    var repeated = RepeatedTimes()
    return try row(record, defaultUser: defaultUser, repeated: &repeated)
  }

  /// Returns the entry in a record of the file.
  ///
  /// Of a start that clocks show twice, the earlier moment is used; of such an end, the earlier one
  /// that is not before the start. An end before the start that has the date of the start, because
  /// both have a column in common, is on the next day, if it is at most
  /// `TimeEntry.usualDurationMax` after the start. What the domain cannot record is rejected here,
  /// so that it refuses no row.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - defaultUser: The user of a file without a column for users.
  ///   - repeated: Counts the times of the record that clocks show twice.
  /// - Throws: ``ImportRejection`` for the first value that cannot be read.
  /// - Complexity: O(bytes of the record).
  public func row(
    _ record: CSVRecord, defaultUser: Name, repeated: inout RepeatedTimes
  ) throws(ImportRejection) -> ImportedRow {
    if let problem = record.problem {
      throw reject(record, .malformed(problem))
    }
    guard record.count == columnCount else {
      throw reject(record, .fieldCount(expected: columnCount, found: record.count))
    }
    let start = try moment(.start, of: record, repeated: &repeated)
    let end = start.adding(try duration(of: record, from: start, repeated: &repeated))
    var user = defaultUser
    if columns[.user] != nil {
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

  /// Returns the name in a field; `nil` if it is empty.
  private func name(_ field: Field, of record: CSVRecord) throws(ImportRejection) -> Name? {
    guard columns[field] != nil else { return nil }
    let name = Name(try value(field, of: record, bytesMax: TimeEntry.textBytesMax))
    guard name.text.utf8.count <= Name.bytesMax else {
      throw reject(field, of: record, .textTooLong(limit: Name.bytesMax))
    }
    return name.isEmpty ? nil : name
  }

  private func tags(of record: CSVRecord) throws(ImportRejection) -> [Name] {
    guard columns[.tags] != nil else { return [] }
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

  /// The values of a field's columns, trimmed and joined with a blank; empty without a column.
  private func value(
    _ field: Field, of record: CSVRecord, bytesMax: Int = 200
  ) throws(ImportRejection) -> String {
    guard let indexes = columns[field] else { return "" }
    var joined = ""
    for index in indexes {
      guard let text = record.text(index) else { throw reject(field, of: record, .notUTF8) }
      let part = trimmed(text[...])
      if part.isEmpty { continue }
      joined += joined.isEmpty ? part : " " + part
    }
    if joined.utf8.count > bytesMax {
      throw reject(field, of: record, .textTooLong(limit: bytesMax))
    }
    return joined
  }

  /// The earliest moment of a local time that is not before another moment, if there is one.
  private func moment(
    _ field: Field, of record: CSVRecord, notBefore start: Moment? = nil,
    repeated: inout RepeatedTimes
  ) throws(ImportRejection) -> Moment {
    let text = try value(field, of: record)
    guard let dateFormat else {
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
      // A longer entry is rather one with wrong times.
      if before > 0, 86_400 - before <= TimeEntry.usualDurationMax.seconds {
        local = LocalTime(secondsSince1970: local.secondsSince1970 + 86_400)
      }
    }
    guard let moment = zone.moment(of: local, notBefore: start, repeated: &repeated) else {
      throw reject(field, of: record, .skippedByZone(zone.id))
    }
    return moment
  }

  /// Whether the end has a column of the start, which then has the date of both.
  private var sharesDate: Bool {
    !Set(columns[.start] ?? []).isDisjoint(with: columns[.end] ?? [])
  }

  /// The duration, or the time up to the end where there is none.
  private func duration(
    of record: CSVRecord, from start: Moment, repeated: inout RepeatedTimes
  ) throws(ImportRejection) -> ElapsedTime {
    let text = try value(.duration, of: record)
    if columns[.end] != nil && text.isEmpty {
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
      duration = try durationFormat.parse(withPoint(text))
    } catch .mismatch {
      throw reject(.duration, of: record, .durationFormat(durationFormat))
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
  /// They may differ by less than a minute, and by half of the last digit of a number of hours.
  private func check(
    _ duration: ElapsedTime, written text: String, of record: CSVRecord
  ) throws(ImportRejection) {
    guard columns[.end] != nil else { return }
    let starts = try moments(.start, of: record)
    var ends = try moments(.end, of: record)
    // An end that has the date of the start may be on the next day.
    if sharesDate { ends += ends.map { $0.adding(.seconds(86_400)) } }
    let times = starts.flatMap { start in
      ends.map { ElapsedTime(microseconds: $0.microseconds - start.microseconds) }
    }
    var tolerance: Int64 = 59_999_999
    if durationFormat == .hours {
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

  /// Returns the moments that a time of a record can mean; none if it cannot be read.
  private func moments(
    _ field: Field, of record: CSVRecord
  ) throws(ImportRejection) -> [Moment] {
    let text = try value(field, of: record)
    guard let dateFormat else { return Moment(timestamp: text).map { [$0] } ?? [] }
    guard let local = try? dateFormat.parse(text) else { return [] }
    return zone.moments(forLocal: local)
  }

  /// Returns a number with a point in place of its only comma, unless the comma may separate
  /// thousands.
  private func withPoint(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard durationFormat != .clock, parts.count == 2, !text.contains("."),
      parts[1].utf8.count != 3 || durationFormat == .hours
    else { return text }
    return "\(parts[0]).\(parts[1])"
  }

  private func billable(of record: CSVRecord) throws(ImportRejection) -> Bool {
    switch try value(.billable, of: record).lowercased() {
    case "yes", "true", "1", "y": true
    case "", "no", "false", "0", "n": false
    default: throw reject(.billable, of: record, .notYesOrNo)
    }
  }

  private func reject(
    _ field: Field, of record: CSVRecord, _ reason: ImportRejection.Reason
  ) -> ImportRejection {
    let shown = (columns[field] ?? []).map { record.shown($0) }.joined(separator: " ")
    return ImportRejection(
      line: record.line, column: names[field], value: String(shown.prefix(200)), reason: reason)
  }

  private func reject(_ record: CSVRecord, _ reason: ImportRejection.Reason) -> ImportRejection {
    let shown = (0..<min(record.count, 32)).map { record.shown($0) }.joined(separator: ",")
    return ImportRejection(
      line: record.line, column: nil, value: String(shown.prefix(200)), reason: reason)
  }
}

extension ZoneRules {
  /// Returns the moment of a local time in a file, of two the earlier one that is not before a
  /// start; `nil` if clocks jumped over it.
  ///
  /// - Parameters:
  ///   - local: The local time.
  ///   - start: The start, if it is an end.
  ///   - repeated: Counts a time that clocks show twice.
  func moment(
    of local: LocalTime, notBefore start: Moment?, repeated: inout RepeatedTimes
  ) -> Moment? {
    switch resolve(local) {
    case .existing(let moment, _): return moment
    case .skipped: return nil
    case .ambiguous(let earlier, let later, _):
      guard let start, earlier < start else {
        repeated.earlier += 1
        return earlier
      }
      repeated.later += 1
      return later
    }
  }
}

/// Returns a text without the blanks and tabs around it.
func trimmed(_ text: Substring) -> String {
  let bytes = text.utf8
  guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  return String(Substring(bytes[first...last]))
}

extension String {
  /// The text; `nil` if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
