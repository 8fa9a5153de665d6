import CivilTime
import RetraceAvro
import RetraceState
import TimeTracking

/// A reader of the JSON that `track log --json` prints.
///
/// The id of a row is the id of the entry. The log lacks deleted entries, ids in other systems, and
/// the settings of projects, users and workspaces. The imported entries are in no workspace, so
/// their rates have the currency of their user's workspace.
struct TrackLogSource: WholeFileSource {
  static let format = ImportFormat(
    name: "track", summary: "track for what `track log --json` prints",
    help: """
      track: the file is the output of `track log :all --json`. The entries come with their users, \
      zones, rates and annotations. Running and deleted ones, rates of projects, users and \
      workspaces, and ids in other systems are left out. The entries are in no workspace: their \
      amounts are in the currency of their user's workspace, and a note counts those that were in \
      another one. --update gives entries the rates of their rows, too. The CSV of `track log` has \
      neither annotations nor zones.
      """,
    fileKind: "log of track", advice: "Make one with `track log :all --json`.",
    needsSystem: true, hasZones: true)

  let fields = ImportField.compared
  var hasRates: Bool { true }
  var bytes: [UInt8] = []

  init(_ options: ImportOptions) {}

  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    JSONList.recognizes(beginning)
  }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    for (index, element) in try JSONList.read(bytes, of: "entries").enumerated() {
      let entry = element.value
      if entry["end"] == .null, entry["running"] == .bool(true) {
        if let id = entry["id"]?.integerValue { rows.running.append("\(id)") }
        continue
      }
      guard let read = Self.row(entry), let id = read.id else {
        throw JSONList.failure(of: element, index, "element \(index + 1) is no entry")
      }
      let row: ImportedRow
      do throws(RowRejection) {
        row = try read.checked(line: element.line) { field in
          let name = field.rawValue
          return ("\(name) of entry \(id)", entry[name]?.stringValue ?? "")
        }
      } catch {
        throw .row(error)
      }
      let currency = row.rate == nil ? nil : entry["currency"]?.stringValue
      rows.append(currency: currency) { (_) in row }
    }
  }

  /// Returns the row of an entry; `nil` if the element is no entry.
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
      let end = moment("end"),
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
    return isNamed && hasProject && row.rate ?? 0 >= 0 ? row : nil
  }
}
