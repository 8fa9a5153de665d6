import Retrace
import RetraceStorage
import RetraceToolSupport

/// A row of the timeline: a record, or records that typed one text.
struct TimelineRow: Sendable {
  /// The sequence of the first record.
  var first: UInt64
  /// The sequence of the last record.
  var last: UInt64
  /// The records; `nil` for records that cannot be read.
  var record: RecordDescription?
  /// Why the records cannot be read.
  var problem: String = ""
  /// The local time of the first record; `nil` for records that cannot be read.
  var local: LocalTime?
  /// The microseconds since the record before; `nil` for the first record.
  var elapsed: Int64?

  /// Returns whether a record is in the row.
  func contains(_ sequence: UInt64) -> Bool { first <= sequence && sequence <= last }

  /// Returns what the row says.
  ///
  /// - Parameters:
  ///   - name: Returns the name for an id; see `RecordDescription.summary(naming:at:)`.
  ///   - zone: The time zone of moments; a moment on the day of the row has no date.
  func summary(
    naming name: (_ type: String, _ id: Int64) -> String?, in zone: ZoneRules
  ) -> RecordSummary {
    let summary = record?.summary(naming: name) { moment in
      let time = zone.local(at: moment)
      return time.date == local?.date ? time.clockWithSeconds : "\(time)"
    }
    return summary ?? RecordSummary(text: problem, mark: .failed)
  }

  /// A remark on the time since the record before, such as `+2 h`; `nil` for a short time.
  var gap: String? {
    if record?.clock?.earlierThan != nil { return "clock set back" }
    guard let elapsed else { return nil }
    let minutes = elapsed / 60_000_000
    switch minutes {
    case ..<10: return nil
    case ..<120: return "+\(minutes) min"
    case ..<2_880: return "+\(minutes / 60) h"
    default: return "+\(minutes / 1_440) d"
    }
  }
}
