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
enum TimewarriorExport {
  private static let format = try? DateFormat("yyyyMMdd'T'HHmmss'Z'")
  private static var pattern: String { "yyyyMMddTHHmmssZ" }

  /// Reads the JSON that `timew export` writes.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - user: The user of the rows.
  ///   - zone: The zone that the rows are recorded with.
  /// - Complexity: O(bytes).
  /// - Throws: The failure if the text is no array of intervals.
  static func read(
    _ bytes: [UInt8], user: Name, zone: ZoneRules
  ) throws(JSONList.Failure) -> RowList {
    var list = RowList(fields: [.end, .tags, .description])
    for (index, element) in try JSONList.read(bytes, of: "intervals").enumerated() {
      let interval = element.value
      guard let start = interval["start"]?.stringValue else {
        throw JSONList.Failure(why: "interval \(index + 1) has no start")
      }
      guard let end = interval["end"]?.stringValue else {
        list.running.append(id(of: start, user))
        continue
      }
      list.append(on: (try? format?.parse(start))?.date) { (_) throws(ImportRejection) in
        try row(interval, from: start, to: end, line: element.line, user, zone)
      }
    }
    return list
  }

  private static func id(of start: String, _ user: Name) -> String { "\(start) \(user.key)" }

  private static func row(
    _ interval: JSONValue, from start: String, to end: String, line: Int, _ user: Name,
    _ zone: ZoneRules
  ) throws(ImportRejection) -> ImportedRow {
    func moment(_ column: String, _ text: String) throws(ImportRejection) -> Moment {
      guard let local = try? format?.parse(text) else {
        throw ImportRejection(
          line: line, column: column, value: String(text.prefix(200)),
          reason: .dateFormat(pattern))
      }
      return Moment(microseconds: Int64(local.secondsSince1970) * 1_000_000)
    }
    let (first, last) = (try moment("start", start), try moment("end", end))
    let annotation = interval["annotation"]?.stringValue ?? ""
    var row = ImportedRow(
      id: id(of: start, user), user: user, description: annotation, start: first, end: last,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: first)))
    let tags = (interval["tags"]?.arrayValue ?? []).compactMap(\.stringValue)
    row.tags = tags.map { Name($0) }.filter { !$0.isEmpty }
    return try row.checked(line: line) { field in
      switch field {
      case .end: ("end", end)
      case .description: ("annotation", annotation)
      case .tags: ("tags", tags.joined(separator: ", "))
      default: ("start", start)
      }
    }
  }
}
