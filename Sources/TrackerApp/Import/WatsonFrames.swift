import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking
import TrackerFormats

/// The frames of Watson, as rows of an import.
///
/// Projects stay projects and tags stay tags. The id of a row is that of the frame, which Watson
/// never changes. A running frame is in another file of Watson.
enum WatsonFrames {
  /// Reads the file `frames` of Watson.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - user: The user of the rows.
  ///   - zone: The zone that the rows are recorded with.
  /// - Complexity: O(bytes).
  /// - Throws: The failure if the text is no array of frames.
  static func read(
    _ bytes: [UInt8], user: Name, zone: ZoneRules
  ) throws(JSONList.Failure) -> RowList {
    var list = RowList(fields: [.start, .end, .project, .tags])
    for (index, element) in try JSONList.read(bytes, of: "frames").enumerated() {
      // Start, stop, project, id, tags and the time of the last change.
      guard let frame = element.value.arrayValue, frame.count >= 5,
        let project = frame[2].stringValue, let id = frame[3].stringValue, !id.isEmpty,
        let tags = frame[4].arrayValue?.compactMap(\.stringValue)
      else { throw JSONList.Failure(why: "element \(index + 1) is no frame") }
      list.append { (_) throws(ImportRejection) in
        func moment(_ column: String, _ value: JSONValue) throws(ImportRejection) -> Moment {
          guard let seconds = value.integerValue, seconds.magnitude < 1 << 40,
            TimeEntry.moments.contains(Moment(microseconds: seconds * 1_000_000))
          else {
            throw ImportRejection(
              line: element.line, column: column, value: String(value.text().prefix(200)),
              reason: .dateFormat("of seconds since 1970"))
          }
          return Moment(microseconds: seconds * 1_000_000)
        }
        let (start, end) = (try moment("start", frame[0]), try moment("stop", frame[1]))
        var row = ImportedRow(
          id: id, user: user, description: "", start: start, end: end,
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
    return list
  }
}
