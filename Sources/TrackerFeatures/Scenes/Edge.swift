import Retrace
import RetraceFilter
import TimeTracking

/// The values that only the edge, the code around the pure part, has when a key is pressed.
struct Edge: Sendable {
  /// The rules of the zone of shown and typed times.
  var rules: ZoneRules
  /// The moment at which the key was pressed.
  var now: Moment
  /// The filters that the user has saved.
  var saved = SavedFilters([])

  /// The zone as entries record it now.
  var zone: RecordedZone { rules.recorded(at: now) }
}
