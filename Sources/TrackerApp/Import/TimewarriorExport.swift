import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking
import TrackerFormats

/// The intervals of an export of timewarrior, as rows of an import.
///
/// Tags stay tags, and the annotation is the description. The id of a row is the start of the
/// interval with the user, because timewarrior numbers intervals anew, and each user has at most
/// one interval with a start.
struct TimewarriorExport: Sendable {
  private static let format = try? DateFormat("yyyyMMdd'T'HHmmss'Z'")
  private static var pattern: String { "yyyyMMddTHHmmssZ" }

  /// The rows, or why an interval is none.
  private(set) var rows: [Result<ImportedRow, ImportRejection>] = []
  /// The number of intervals without an end.
  private(set) var running = 0

  /// Reads the JSON that `timew export` writes.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - user: The user of the rows.
  ///   - zone: The zone that the rows are recorded with.
  /// - Complexity: O(bytes).
  /// - Throws: The failure if the text is no array of intervals.
  init(_ bytes: [UInt8], user: Name, zone: ZoneRules) throws(JSONList.Failure) {
    for (index, interval) in try JSONList.read(bytes, of: "intervals").enumerated() {
      guard let start = interval["start"]?.stringValue else {
        throw JSONList.Failure(why: "interval \(index + 1) has no start")
      }
      guard let end = interval["end"]?.stringValue else {
        running += 1
        continue
      }
      // Timewarrior writes an interval a line, after a line with a bracket.
      let line = index + 2
      rows.append(
        Result { () throws(ImportRejection) in
          try Self.row(interval, from: start, to: end, line: line, user, zone)
        })
    }
  }

  private static func row(
    _ interval: JSONValue, from start: String, to end: String, line: Int, _ user: Name,
    _ zone: ZoneRules
  ) throws(ImportRejection) -> ImportedRow {
    func rejection(
      _ column: String, _ value: String, _ reason: ImportRejection.Reason
    ) -> ImportRejection {
      ImportRejection(line: line, column: column, value: String(value.prefix(200)), reason: reason)
    }
    guard let first = moment(start) else {
      throw rejection("start", start, .dateFormat(pattern))
    }
    guard let last = moment(end) else { throw rejection("end", end, .dateFormat(pattern)) }
    guard first <= last else { throw rejection("end", end, .negativeDuration) }
    guard last.elapsed(since: first) <= TimeEntry.durationMax else {
      throw rejection("end", end, .durationTooLong)
    }
    let annotation = interval["annotation"]?.stringValue ?? ""
    guard annotation.utf8.count <= TimeEntry.textBytesMax else {
      throw rejection("annotation", annotation, .textTooLong(limit: TimeEntry.textBytesMax))
    }
    let id = "\(start) \(user.key)"
    guard id.utf8.count <= Name.bytesMax else {
      throw rejection("start", id, .textTooLong(limit: Name.bytesMax))
    }
    var row = ImportedRow(
      id: id, user: user, description: annotation, start: first, end: last,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: first)))
    let tags = (interval["tags"]?.arrayValue ?? []).compactMap(\.stringValue)
    row.tags = tags.map { Name($0) }.filter { !$0.isEmpty }
    guard row.tags.count <= TimeEntry.listMax else {
      throw rejection("tags", tags[0], .tooManyTags(limit: TimeEntry.listMax))
    }
    if let long = row.tags.first(where: { $0.text.utf8.count > Name.bytesMax }) {
      throw rejection("tags", long.text, .textTooLong(limit: Name.bytesMax))
    }
    return row
  }

  /// Returns the moment of a text such as `20261117T190000Z`; `nil` for another text.
  private static func moment(_ text: String) -> Moment? {
    guard let local = try? format?.parse(text) else { return nil }
    return Moment(microseconds: Int64(local.secondsSince1970) * 1_000_000)
  }
}
