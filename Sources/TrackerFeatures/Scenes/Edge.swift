import CivilTime
import RetraceState
import TimeTracking

/// What an input is interpreted by beside the frame: the time zone of the frame, and the moment.
struct Edge: Sendable {
  /// The rules of the zone in which times are shown, and in which typed ones are meant.
  var rules: ZoneRules
  /// When the key was pressed.
  var now: Moment

  /// The zone as entries record it now.
  var zone: RecordedZone { rules.recorded(at: now) }
}
