public import CivilTime
public import RetraceState
import TrackerDomain

/// What an input is interpreted by beside the frame: the time zone of the machine, and the moment.
public struct Edge: Sendable {
  /// The rules of the zone in which typed times are meant.
  public var rules: ZoneRules
  /// When the key was pressed.
  public var now: Moment

  /// Makes the edge of a key.
  public init(rules: ZoneRules, now: Moment) {
    self.rules = rules
    self.now = now
  }

  /// The zone as entries record it now.
  var zone: RecordedZone { rules.recorded(at: now) }
}
