import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking

/// A reader of the file `frames` of Watson, and of what `watson log --json` prints.
///
/// Projects stay projects and tags stay tags. The id of a row is the id of the frame, which Watson
/// never changes. A running frame is in another file of Watson.
struct WatsonSource: WholeFileSource {
  static let format = ImportFormat(
    name: "watson", summary: "watson for the file frames of Watson, or its log as JSON",
    help: """
      watson: the file is `frames`, or the output of `watson log --json`. Projects are projects, \
      tags are tags, and frames are known by their ids. The running frame is left out. What \
      `watson log --csv` prints has the beginnings of the ids: with --source watson and --column \
      id=id, its frames are the same. But Watson 2.1.0 with arrow 1.4.0 prints the times of the \
      other half of the year an hour off, so take the JSON.
      """,
    fileKind: "list of frames", advice: "Give the file ~/.config/watson/frames.",
    system: "watson")

  let fields: Set<ImportField> = [.start, .end, .project, .tags]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  init(_ options: ImportOptions) { self.options = options }

  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    JSONList.recognizes(beginning)
  }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    let zone = options.zone
    for (index, element) in try JSONList.read(bytes, of: "frames").enumerated() {
      let frame = Self.frame(element.value)
      if frame.count >= 4, frame[3] == .string("current"), element.value.arrayValue == nil {
        rows.running.append("current")
        continue
      }
      guard frame.count >= 4,
        let project = frame[2].stringValue, let id = frame[3].stringValue, !id.isEmpty,
        let tags = Self.tags(of: frame)
      else { throw JSONList.failure(of: element, index, "element \(index + 1) is no frame") }
      rows.append { (_) throws(RowRejection) in
        func moment(_ column: String, _ value: JSONValue) throws(RowRejection) -> Moment {
          guard let seconds = Self.seconds(value), seconds.magnitude < 1 << 40,
            TimeEntry.moments.contains(Moment(microseconds: seconds * 1_000_000))
          else {
            throw RowRejection(
              line: element.line, column: column, value: String(value.text().prefix(200)),
              reason: .dateFormat("of seconds since 1970, or of RFC 3339"))
          }
          return Moment(microseconds: seconds * 1_000_000)
        }
        let (start, end) = (try moment("start", frame[0]), try moment("stop", frame[1]))
        var row = ImportedRow(
          id: id, user: options.user, description: "", start: start, end: end,
          zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: start)))
        let name = Name(project)
        row.project = name.isEmpty ? nil : name
        row.tags = tags.map { Name($0) }.filter { !$0.isEmpty }
        return try row.checked(line: element.line) { field in
          switch field {
          case .end: ("stop", frame[1].text())
          case .project: ("project", project)
          case .tags: ("tags", tags.joined(separator: ", "))
          default: ("id", id)
          }
        }
      }
    }
  }

  /// Returns the values of a frame in the order in which Watson keeps them: start, stop, project,
  /// id, tags, and the time of the last change.
  ///
  /// Watson reads frames without the last two, and takes null for no tags. Its log has names.
  private static func frame(_ value: JSONValue) -> [JSONValue] {
    if let values = value.arrayValue { return values }
    let values = ["start", "stop", "project", "id"].compactMap { value[$0] }
    return values + (values.count == 4 ? [value["tags"] ?? .null] : [])
  }

  /// Returns whole seconds since 1970; Watson cuts fractions.
  private static func seconds(_ value: JSONValue) -> Int64? {
    if let text = value.stringValue {
      return Moment(timestamp: text).map { $0.wholeSecond.microseconds / 1_000_000 }
    }
    guard case .double(let seconds) = value else { return value.integerValue }
    return Int64(exactly: seconds.rounded(.down))
  }

  private static func tags(of frame: [JSONValue]) -> [String]? {
    guard frame.count > 4, frame[4] != .null else { return [] }
    return frame[4].arrayValue?.compactMap(\.stringValue)
  }
}
