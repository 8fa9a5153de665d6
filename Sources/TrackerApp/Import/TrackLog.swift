import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking
import TrackerFormats

/// The entries that `track log --json` prints, as rows of an import.
///
/// The id of a row is that of the entry. What the log does not have stays behind: deleted entries,
/// ids in other systems, and the settings of projects, users and workspaces. The entries come into
/// no workspace, so their rates have the currency of their user.
enum TrackLog {
  /// Reads the JSON that `track log --json` prints.
  ///
  /// - Parameter bytes: The text.
  /// - Complexity: O(bytes).
  /// - Throws: The failure if the text is no list of entries that the domain accepts.
  static func read(_ bytes: [UInt8]) throws(JSONList.Failure) -> RowList {
    var list = RowList(fields: DifferingRow.allFields)
    list.hasRates = true
    for (index, element) in try JSONList.read(bytes, of: "entries").enumerated() {
      let entry = element.value
      if entry["end"] == .null, entry["running"] == .bool(true) {
        if let id = entry["id"]?.integerValue { list.running.append("\(id)") }
        continue
      }
      guard let row = row(entry) else {
        throw JSONList.Failure(why: "element \(index + 1) is no entry")
      }
      if row.rate != nil, let id = row.id { list.currencies[id] = entry["currency"]?.stringValue }
      list.append { (_) in row }
    }
    return list
  }

  /// Returns the row of an entry; `nil` for one that the domain does not accept.
  private static func row(_ entry: JSONValue) -> ImportedRow? {
    func name(_ key: String) -> Name? { entry[key]?.stringValue.map { Name($0) } }
    func moment(_ key: String) -> Moment? {
      entry[key]?.stringValue.flatMap { Moment(timestamp: $0) }
    }
    func texts(_ key: String) -> [String]? {
      guard let values = entry[key]?.arrayValue else { return nil }
      let texts = values.compactMap(\.stringValue)
      return texts.count == values.count && texts.count <= TimeEntry.listMax ? texts : nil
    }
    guard let id = entry["id"]?.integerValue, let user = name("user"), !user.isEmpty,
      let description = entry["description"]?.stringValue, let start = moment("start"),
      let end = moment("end"), start <= end, end.elapsed(since: start) <= TimeEntry.durationMax,
      let zone = entry["zone"]?.stringValue, zone.utf8.count <= Name.bytesMax,
      let offset = entry["utcOffset"]?.integerValue.flatMap({ Int32(exactly: $0) }),
      let tags = texts("tags"), let annotations = texts("annotations"),
      case .bool(let isBillable)? = entry["billable"], entry["deleted"] == .bool(false)
    else { return nil }
    var row = ImportedRow(
      id: "\(id)", user: user, description: description, start: start, end: end,
      zone: RecordedZone(id: zone, offsetSeconds: offset))
    (row.client, row.project, row.task) = (name("client"), name("project"), name("task"))
    (row.tags, row.annotations) = (tags.map { Name($0) }, annotations)
    (row.isBillable, row.rate) = (isBillable, entry["rate"]?.integerValue)
    let names = [row.user] + [row.client, row.project, row.task].compactMap { $0 } + row.tags
    let isNamed = names.allSatisfy { !$0.isEmpty && $0.text.utf8.count <= Name.bytesMax }
    let hasProject = row.project != nil || (row.client == nil && row.task == nil)
    let bytes = annotations.reduce(description.utf8.count) { $0 + $1.utf8.count }
    guard isNamed, hasProject, bytes <= TimeEntry.textBytesMax, row.rate ?? 0 >= 0 else {
      return nil
    }
    return row
  }
}
