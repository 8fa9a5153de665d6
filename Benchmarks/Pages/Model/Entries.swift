import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The number of an entry.
struct EntryID: EntityID { var value: Int64 }

/// A time entry of about 35 encoded bytes, as in the figures that the targets come from.
struct Entry: TableEntity {
  /// Milliseconds.
  var start: Int64
  /// Seconds.
  var duration: Int64?
  var project: Int64?
  var description: String
  var tags: [Int64]
  var isBillable: Bool

  var sortKey: Int64 { start }
}

typealias Entries = EntityTable<EntryID, Entry>
