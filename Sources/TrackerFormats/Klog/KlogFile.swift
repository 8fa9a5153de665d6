package import CivilTime
import RetraceState
package import TimeTracking

/// A file of klog, as rows of an import.
///
/// A range is an entry. Durations without times follow the last range of their day one after the
/// other, or begin in a gap between ranges, or at 0:00. A duration below zero, such as a break, is
/// taken off the end of other entries of its record. The id of a row is what klog tells entries of
/// a user apart by: the start of a range, or which duration of its day it is.
package enum KlogFile {
  /// Reads the text of a file; a range without an end is counted as running.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - user: The user of the rows.
  ///   - zone: The zone in which the times are meant.
  /// - Complexity: O(bytes).
  package static func read(_ text: String, user: Name, zone: ZoneRules) -> RowList {
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let entries = KlogRecords(hasMark ? String(text.unicodeScalars.dropFirst()) : text).entries
    var list = RowList(fields: [.start, .end, .description, .tags])
    var places = KlogPlaces(entries.compactMap { try? $0.get() }, user: user, zone: zone)
    for read in entries {
      let entry = try? read.get()
      if case .open(let start)? = entry?.span {
        list.running.append(places.id(ofRangeFrom: start))
        continue
      }
      list.append(on: entry?.date) { (repeated) throws(ImportRejection) in
        try places.row(of: read.get(), repeated: &repeated)
      }
    }
    return list
  }
}
