import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking
import TrackerFormats

/// The intervals of an export of timewarrior, as rows of an import.
///
/// Tags stay tags, and the annotation is the description. The id of a row is the start of the
/// interval, because timewarrior numbers intervals anew and never has two with the same start.
struct TimewarriorExport: Sendable {
  /// The reason for which a text is no export.
  struct Failure: Error {
    /// The reason in words.
    let why: String
  }

  /// The largest export that is read, in bytes.
  private static var bytesMax: Int { 256 << 20 }
  private static var pattern: String { "yyyyMMddTHHmmssZ" }

  /// The rows, or why an interval is none; their user is that of the import.
  private(set) var rows: [Result<ImportedRow, ImportRejection>] = []
  /// The number of intervals without an end.
  private(set) var running = 0

  /// Reads the JSON that `timew export` writes.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - zone: The zone that the rows are recorded with.
  /// - Complexity: O(bytes).
  /// - Throws: ``Failure`` if the text is no array of intervals.
  init(_ bytes: [UInt8], zone: ZoneRules) throws(Failure) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes.span, sizeLimit: Self.bytesMax)
    } catch {
      throw Failure(why: "\(error)")
    }
    guard let intervals = json.arrayValue else {
      throw Failure(why: "it is no array of intervals")
    }
    for (index, interval) in intervals.enumerated() {
      guard let start = interval["start"]?.stringValue else {
        throw Failure(why: "interval \(index + 1) has no start")
      }
      guard let end = interval["end"]?.stringValue else {
        running += 1
        continue
      }
      // Timewarrior writes an interval a line, after a line with a bracket.
      let line = index + 2
      rows.append(
        Result { () throws(ImportRejection) in
          try Self.row(interval, from: start, to: end, line: line, zone)
        })
    }
  }

  private static func row(
    _ interval: JSONValue, from start: String, to end: String, line: Int, _ zone: ZoneRules
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
    var row = ImportedRow(
      id: start, user: Name("-"), description: annotation, start: first, end: last,
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
    let bytes = Array(text.utf8)
    guard bytes.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<16))"
    guard bytes[8] == UInt8(ascii: "T"), let moment = Moment(timestamp: "\(date)T\(time)"),
      TimeEntry.moments.contains(moment)
    else { return nil }
    return moment
  }
}
