import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking

/// A reader of the file `frames` of Watson.
///
/// Projects stay projects and tags stay tags. The id of a row is the id of the frame, which Watson
/// never changes. A running frame is in another file of Watson.
struct WatsonSource: WholeFileSource {
  static let format = ImportFormat(
    name: "watson", summary: "watson for the file frames of Watson",
    help: """
      watson: the file is `frames`. Projects are projects, tags are tags, and frames are known by \
      their ids. The running frame is in another file.
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
      // A frame is an array: start, stop, project, id, tags, and the time of the last change.
      // Watson reads frames without the last two, and takes null for no tags.
      guard let frame = element.value.arrayValue, frame.count >= 4,
        let project = frame[2].stringValue, let id = frame[3].stringValue, !id.isEmpty,
        let tags = Self.tags(of: frame)
      else { throw .notFile("element \(index + 1) is no frame") }
      rows.append { (_) throws(RowRejection) in
        func moment(_ column: String, _ value: JSONValue) throws(RowRejection) -> Moment {
          guard let seconds = Self.seconds(value), seconds.magnitude < 1 << 40,
            TimeEntry.moments.contains(Moment(microseconds: seconds * 1_000_000))
          else {
            throw RowRejection(
              line: element.line, column: column, value: String(value.text().prefix(200)),
              reason: .dateFormat("of seconds since 1970"))
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

  /// Returns whole seconds; Watson cuts fractions.
  private static func seconds(_ value: JSONValue) -> Int64? {
    guard case .double(let seconds) = value else { return value.integerValue }
    return Int64(exactly: seconds.rounded(.down))
  }

  private static func tags(of frame: [JSONValue]) -> [String]? {
    guard frame.count > 4, frame[4] != .null else { return [] }
    return frame[4].arrayValue?.compactMap(\.stringValue)
  }
}
