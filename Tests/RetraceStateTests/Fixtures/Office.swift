import RetraceArchitecture
import RetraceAvro
import RetraceState

/// A state of each kind of part: a scalar, a nested part, a table.
struct Office: RecordedState {
  var title = ""
  var staff: Staff = Staff()
  var rooms: EntityTable<ItemID, Item> = EntityTable()
}

/// A nested part with a table before a scalar.
struct Staff: RecordedState {
  var items: EntityTable<ItemID, Item> = EntityTable()
  var count: Int64 = 0
}
