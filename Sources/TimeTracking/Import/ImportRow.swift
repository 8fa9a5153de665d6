import CivilTime
import RetraceArchitecture
import RetraceState

extension ImportMapping {
  /// The longest name, description or id in UTF-8 bytes.
  public static var longestText: Int { 64 << 10 }

  /// Reads a row.
  ///
  /// Of a start that clocks show twice, the earlier moment is used; of such an end, the earlier one
  /// that is not before the start.
  ///
  /// - Throws: ``ImportRejection`` for the first value that cannot be read.
  /// - Complexity: O(bytes of the row).
  public func entry(_ record: CSVRecord) throws(ImportRejection) -> ImportedEntry {
    if let problem = record.problem {
      throw row(record, .malformed(problem))
    }
    guard record.count == columnCount else {
      throw row(record, .fieldCount(expected: columnCount, found: record.count))
    }
    let start = try moment(.start, of: record)
    var user: String?
    if columns[.user] != nil {
      user = try value(.user, of: record)
      if user?.isEmpty == true { throw reject(.user, of: record, .emptyName) }
    }
    return ImportedEntry(
      line: record.line,
      user: user,
      project: try value(.project, of: record).nonEmpty,
      tags: try value(.tags, of: record).split(separator: ",").map(trimmed).filter { !$0.isEmpty },
      text: try value(.description, of: record),
      start: start,
      duration: try duration(of: record, from: start),
      zoneID: zone.id,
      offsetSeconds: zone.offset(at: start),
      isBillable: try billable(of: record),
      externalID: try value(.id, of: record).nonEmpty)
  }

  /// The values of a field's columns, trimmed and joined with a blank; empty without a column.
  private func value(
    _ field: Field, of record: CSVRecord
  ) throws(ImportRejection) -> String {
    guard let indexes = columns[field] else { return "" }
    var joined = ""
    for index in indexes {
      guard let text = record.text(index) else { throw reject(field, of: record, .notUTF8) }
      let part = trimmed(text[...])
      if part.isEmpty { continue }
      joined += joined.isEmpty ? part : " " + part
    }
    if joined.utf8.count > Self.longestText {
      throw reject(field, of: record, .textTooLong(limit: Self.longestText))
    }
    return joined
  }

  /// The earliest moment of a local time that is not before another moment, if there is one.
  private func moment(
    _ field: Field, of record: CSVRecord, notBefore start: Moment? = nil
  ) throws(ImportRejection) -> Moment {
    let text = try value(field, of: record)
    let local: LocalTime
    do {
      local = try dateFormat.parse(text)
    } catch .mismatch {
      throw reject(field, of: record, .dateFormat(dateFormat.pattern))
    } catch .noSuchTime {
      throw reject(field, of: record, .noSuchTime)
    } catch {
      throw reject(field, of: record, .yearOutOfRange(DateFormat.years))
    }
    switch zone.resolve(local) {
    case .existing(let moment, _): return moment
    case .skipped: throw reject(field, of: record, .skippedByZone(zone.id))
    case .ambiguous(let earlier, let later, _):
      guard let start, earlier < start else { return earlier }
      return later
    }
  }

  /// The duration, or the time up to the end where there is none.
  private func duration(
    of record: CSVRecord, from start: Moment
  ) throws(ImportRejection) -> ElapsedTime {
    let text = try value(.duration, of: record)
    if columns[.end] != nil && text.isEmpty {
      let end = try moment(.end, of: record, notBefore: start)
      guard end >= start else { throw reject(.end, of: record, .negativeDuration) }
      return end.elapsed(since: start)
    }
    do {
      return try durationFormat.parse(text)
    } catch .mismatch {
      throw reject(.duration, of: record, .durationFormat(durationFormat))
    } catch .negative {
      throw reject(.duration, of: record, .negativeDuration)
    } catch {
      throw reject(.duration, of: record, .durationTooLong)
    }
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

  private func row(_ record: CSVRecord, _ reason: ImportRejection.Reason) -> ImportRejection {
    let shown = (0..<min(record.count, 32)).map { record.shown($0) }.joined(separator: ",")
    return ImportRejection(
      line: record.line, column: nil, value: String(shown.prefix(200)), reason: reason)
  }
}

/// A text without the blanks and tabs around it.
func trimmed(_ text: Substring) -> String {
  let bytes = text.utf8
  guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
  return String(Substring(bytes[first...last]))
}

extension String {
  /// The text, or `nil` when it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }
}
