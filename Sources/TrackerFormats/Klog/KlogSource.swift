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
      With --format klog, times are meant in the zone. Tags are tags. Tags of a record are tags \
      of all its entries, and tags at the ends of a summary are left out of the description. The \
      summary of a record is the description of its entries without one, and a note of the \
      others. Durations without times begin one after the other where the last range of their day \
      ends, or in a gap if the day has too little time left, or at 0:00; a note says so. \
      A duration below zero, such as a break, is taken off the end of the nearest longer entry of \
      its record, first of the entries before it, or off several; a note has its line. A range \
      without an end is left out; `track start 9:00` goes on with it. A range is known again by \
      its start and the user, and a duration by its date, its place among the durations of the day \
      and the user. Give a file that was renamed its old name with --source.
      """,
    fileKind: "file of klog", advice: "Give a file such as times.klg.")

  let fields: Set<ImportField> = [.start, .end, .description, .tags]
  var bytes: [UInt8] = []
  private let options: ImportOptions

  init(_ options: ImportOptions) { self.options = options }

  func read(file bytes: [UInt8], into rows: inout ReadRows) throws(ImportFailure) {
    guard let span = try? UTF8Span(validating: bytes.span) else {
      throw .notFile("it is not UTF-8")
    }
    let text = String(copying: span)
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let entries = KlogRecords(hasMark ? String(text.unicodeScalars.dropFirst()) : text).entries
    var places = KlogPlaces(
      entries.compactMap { try? $0.get() }, user: options.user, zone: options.zone)
    for read in entries {
      let entry = try? read.get()
      if case .open(let start)? = entry?.span {
        rows.running.append(places.id(ofRangeFrom: start))
        continue
      }
      rows.append(on: entry?.date) { (repeated) throws(RowRejection) in
        try places.row(of: read.get(), repeated: &repeated)
      }
    }
  }
}
