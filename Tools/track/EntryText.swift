import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceState
import TimeTracking

/// An entry in the output of a command.
struct EntryText {
  let report: EntryReport

  /// The entry on one line.
  ///
  /// It has the id, the local start as recorded, the elapsed time, whether the entry is running,
  /// the description, the project, the tags, whether the entry is billable, and the user.
  var line: String {
    var text = "#\(report.id.value)  \(report.localStart)  \(report.elapsed.clock)"
    text += report.isRunning ? "  running  " : "           "
    text += report.description.isEmpty ? "(no description)" : report.description
    if let project = report.project { text += "  @\(project)" }
    for tag in report.tags { text += "  #\(tag)" }
    if report.isBillable { text += "  billable" }
    return text + "  \(report.user)"
  }

  var json: JSONValue {
    [
      "id": .integer(report.id.value), "user": .string(report.user),
      "description": .string(report.description),
      "project": report.project.map { .string($0) } ?? .null,
      "tags": .array(report.tags.map { .string($0) }),
      "start": .string(report.start.timestamp), "zone": .string(report.zone.id),
      "utcOffset": .integer(Int64(report.zone.offsetSeconds)),
      "seconds": .integer(report.elapsed.seconds), "running": .bool(report.isRunning),
      "billable": .bool(report.isBillable),
      "externalID": report.externalID.map { .string($0) } ?? .null,
    ]
  }
}
