import CivilTime
import RetraceState
import TimeTracking

/// A reader of files of klog.
///
/// A range becomes an entry. Durations without times follow each other after the last range of
/// their day, in a gap between ranges, or from 0:00. A negative duration, such as a break, shortens
/// other entries of its record. The id of a row consists of the user and what distinguishes entries
/// in klog: the start of a range, or the number of a duration on its day.
struct KlogSource: WholeFileSource {
  static let format = ImportFormat(
    name: "klog", summary: "klog for a file of klog",
    help: """
      klog: times are meant in the zone. Tags of a record are tags of all its entries, and tags at \
      the ends of a summary are left out of the description. The summary of a record is the \
      description of its entries without one, and a note of the others. Durations without times \
      begin one after the other where the last range of their day ends, or in a gap, or at 0:00; a \
      note says so. Where the clocks were changed within a range, its entry has the time that \
      passed, and a note has the difference from klog. A duration below zero is taken off the end \
      of the nearest longer entry of its record, or off several; a note has its line. If its \
      record is shorter, it is rejected. A range without an end is left out; `track start 9:00` \
      goes on with it. Targets such as (8h!) are left out. A range is known again by its start, \
      and a duration by its date, length and text. In a file that was renamed, an entry is known \
      if nothing of it was changed.
      """,
    fileKind: "file of klog", advice: "Give a file such as times.klg.")

  let fields: Set<ImportField> = [.start, .end, .description, .tags]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  init(_ options: ImportOptions) { self.options = options }

  /// A file of klog begins with a date, which is not indented.
  static func recognizes(_ beginning: ArraySlice<UInt8>) -> FormatRecognition {
    let lines = beginning.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let first = lines.lazy.map { String(decoding: $0, as: UTF8.self) }
      .first { !$0.unicodeScalars.allSatisfy(\.isKlogBlank) }
    return first.map(KlogRecords.isHeadline) == true ? .certain : .other
  }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    let records = KlogRecords(String(decoding: bytes, as: UTF8.self))
    let entries = records.entries
    if records.targets > 0 {
      let what = records.targets == 1 ? "1 record has" : "\(records.targets) records have"
      rows.notes.append(
        "\(what) a target such as (8h!), which is left out; `track goals` sets targets")
    }
    var places = KlogPlaces(
      entries.compactMap { try? $0.get() }, user: options.user, zone: options.zone)
    for read in entries {
      let entry = try? read.get()
      let sharedID = entry.map { places.sharedID(of: $0) }
      if case .open? = entry?.span, let sharedID {
        rows.appendRunning(sharedID)
        continue
      }
      rows.append(on: entry?.date, sharing: sharedID) { (repeated) throws(RowRejection) in
        try places.row(of: read.get(), repeated: &repeated)
      }
    }
    rows.notes += places.notes
  }
}
