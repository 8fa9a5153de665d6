import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking

/// A reader of the JSON that `timew export` writes, and of timewarrior's data files.
///
/// Tags stay tags, and the annotation is the description. The id of a row consists of the start of
/// the interval and the user, and of a number if several intervals have the start: timewarrior
/// keeps intervals of no length, and the next one begins at the same second. The ids of timewarrior
/// cannot be used, because it renumbers intervals.
struct TimewarriorSource: WholeFileSource {
  static let format = ImportFormat(
    name: "timewarrior", summary: "timewarrior for what `timew export` writes, or its data files",
    help: """
      timewarrior: the file is the output of `timew export`, a data file such as 2026-03.data, or \
      the directory of these, such as ~/.local/share/timewarrior/data or ~/.timewarrior/data. Tags \
      are tags, the annotation is the description, and a running interval is left out. An \
      interval is imported once for each --user, whatever file it comes in. Intervals of no length \
      are kept.
      """,
    fileKind: "export of timewarrior", advice: "Make one with `timew export`.",
    system: "timewarrior")

  let fields: Set<ImportField> = [.end, .tags, .description]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  private static let dateFormat = try? DateFormat("yyyyMMdd'T'HHmmss'Z'")
  private static var pattern: String { "yyyyMMddTHHmmssZ" }

  init(_ options: ImportOptions) { self.options = options }

  /// The beginning of the line that timewarrior prints before an export after it has counted the
  /// tags anew.
  private static let notice = Array("Tags database does not exist.".utf8)

  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    let isCertain = TimewarriorData.isData(beginning) || beginning.starts(with: notice)
    return isCertain ? .certain : JSONList.recognizes(beginning)
  }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    let intervals =
      if TimewarriorData.isData(bytes[...]) {
        TimewarriorData.intervals(in: bytes, rejecting: &rows)
      } else {
        try Self.intervals(inExport: bytes, rejecting: &rows)
      }
    for interval in intervals {
      let shared = SharedID(interval.start, of: options.user)
      let day = (try? Self.dateFormat?.parse(interval.start))?.date
      if interval.end == nil, day != nil {
        rows.appendRunning(shared)
        continue
      }
      rows.append(on: day, sharing: shared) { (_) throws(RowRejection) in
        try Self.row(interval, options.user, options.zone)
      }
    }
  }

  /// Returns the intervals of an export, and rejects those that timewarrior could not read.
  private static func intervals(
    inExport bytes: [UInt8], rejecting rows: inout ReadRows
  ) throws(ImportFailure) -> [TimewarriorRow] {
    var bytes = bytes
    if bytes.starts(with: notice) {
      // Blanks keep the numbers of the lines.
      for index in bytes.indices.prefix(while: { bytes[$0] != 0x0a }) { bytes[index] = 0x20 }
    }
    var intervals: [TimewarriorRow] = []
    for (index, element) in try JSONList.read(bytes, of: "intervals").enumerated() {
      if element.value == .object([]) {
        rows.rejections.append(
          RowRejection(line: element.line, column: nil, value: "{}", reason: .emptyInterval))
        continue
      }
      guard let start = element.value["start"]?.stringValue else {
        throw JSONList.failure(of: element, index, "interval \(index + 1) has no start")
      }
      // Logs of other trackers have a start, too.
      guard element.value["user"] == nil else {
        let why = "element \(index + 1) has a user, unlike an interval"
        throw JSONList.failure(of: element, index, why)
      }
      intervals.append(
        TimewarriorRow(
          line: element.line, start: start, end: element.value["end"]?.stringValue,
          tags: (element.value["tags"]?.arrayValue ?? []).compactMap(\.stringValue),
          annotation: element.value["annotation"]?.stringValue ?? ""))
    }
    return intervals
  }

  private static func row(
    _ interval: TimewarriorRow, _ user: Name, _ zone: ZoneRules
  ) throws(RowRejection) -> ImportedRow {
    func moment(_ column: String, _ text: String) throws(RowRejection) -> Moment {
      guard let local = try? dateFormat?.parse(text) else {
        throw RowRejection(
          line: interval.line, column: column, value: String(text.prefix(200)),
          reason: .dateFormat(pattern))
      }
      return Moment(microseconds: local.secondsSince1970 * 1_000_000)
    }
    let end = interval.end ?? ""
    let (first, last) = (try moment("start", interval.start), try moment("end", end))
    var row = ImportedRow(
      user: user, description: interval.annotation, start: first, end: last,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: first)))
    row.tags = interval.tags.map { Name($0) }.filter { !$0.isEmpty }
    return try row.checked(line: interval.line) { field in
      switch field {
      case .end: ("end", end)
      case .description: ("annotation", interval.annotation)
      case .tags: ("tags", interval.tags.joined(separator: ", "))
      default: ("start", interval.start)
      }
    }
  }
}

extension RowRejection.Reason {
  /// The interval has no times, because timewarrior could not read them.
  fileprivate static var emptyInterval: Self {
    .other("an interval whose times timewarrior cannot read")
  }
}

/// An interval of timewarrior, as a file has it.
struct TimewarriorRow {
  /// The line of the file, counted from 1.
  var line: Int
  var start: String
  /// The end; `nil` while the interval runs.
  var end: String?
  var tags: [String] = []
  var annotation = ""
}
