import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking

/// A reader of the JSON that `timew export` writes.
///
/// Tags stay tags, and the annotation is the description. The id of a row consists of the start of
/// the interval and the user. The ids of timewarrior cannot be used, because it renumbers
/// intervals. Each user has at most one interval with a start.
struct TimewarriorSource: WholeFileSource {
  static let format = ImportFormat(
    name: "timewarrior", summary: "timewarrior for what `timew export` writes",
    help: """
      With --format timewarrior, tags are tags, the annotation is the description, and a running \
      interval is left out. An interval is imported once for each --user, whatever file it comes in.
      """,
    fileKind: "export of timewarrior", advice: "Make one with `timew export`.",
    system: "timewarrior")

  let fields: Set<ImportField> = [.end, .tags, .description]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  private static let dateFormat = try? DateFormat("yyyyMMdd'T'HHmmss'Z'")
  private static var pattern: String { "yyyyMMddTHHmmssZ" }

  init(_ options: ImportOptions) { self.options = options }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    let user = options.user
    for (index, element) in try JSONList.read(bytes, of: "intervals").enumerated() {
      let interval = element.value
      guard let start = interval["start"]?.stringValue else {
        throw .notFile("interval \(index + 1) has no start")
      }
      guard let end = interval["end"]?.stringValue else {
        rows.running.append(Self.id(of: start, user))
        continue
      }
      rows.append(on: (try? Self.dateFormat?.parse(start))?.date) { (_) throws(RowRejection) in
        try Self.row(interval, from: start, to: end, line: element.line, user, options.zone)
      }
    }
  }

  private static func id(of start: String, _ user: Name) -> String { "\(start) \(user.key)" }

  private static func row(
    _ interval: JSONValue, from start: String, to end: String, line: Int, _ user: Name,
    _ zone: ZoneRules
  ) throws(RowRejection) -> ImportedRow {
    func moment(_ column: String, _ text: String) throws(RowRejection) -> Moment {
      guard let local = try? dateFormat?.parse(text) else {
        throw RowRejection(
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
