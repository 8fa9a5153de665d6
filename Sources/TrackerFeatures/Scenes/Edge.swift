import Retrace
import TimeTracking

/// The context of an input beside the frame: the time zone of the frame, and the moment.
struct Edge: Sendable {
  /// The rules of the zone of shown and typed times.
  var rules: ZoneRules
  /// The moment at which the key was pressed.
  var now: Moment

  /// The zone as entries record it now.
  var zone: RecordedZone { rules.recorded(at: now) }
}
