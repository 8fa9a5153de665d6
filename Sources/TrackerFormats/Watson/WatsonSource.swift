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
      With --format watson, projects are projects, tags are tags, and frames are known by their \
      ids. The running frame is in another file.
      """,
    fileKind: "list of frames", advice: "Give the file ~/.config/watson/frames.",
    system: "watson")

  let fields: Set<ImportField> = [.start, .end, .project, .tags]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  init(_ options: ImportOptions) { self.options = options }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    let zone = options.zone
    for (index, element) in try JSONList.read(bytes, of: "frames").enumerated() {
      // A frame is an array: start, stop, project, id, tags, and the time of the last change.
      guard let frame = element.value.arrayValue, frame.count >= 5,
        let project = frame[2].stringValue, let id = frame[3].stringValue, !id.isEmpty,
        let tags = frame[4].arrayValue?.compactMap(\.stringValue)
      else { throw .notFile("element \(index + 1) is no frame") }
      rows.append { (_) throws(RowRejection) in
        func moment(_ column: String, _ value: JSONValue) throws(RowRejection) -> Moment {
          guard let seconds = value.integerValue, seconds.magnitude < 1 << 40,
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
}
