public import CivilTime
public import RetraceAvro
public import RetraceState

/// The time zone in which an entry was recorded: its id and the offset at that time.
public struct RecordedZone: Recordable, Hashable {
  /// The id of the zone in the tz database, such as `Europe/Berlin`.
  public var id: String
  /// The offset from UTC in seconds, positive east of Greenwich.
  public var offsetSeconds: Int32

  /// Creates a recorded zone.
  public init(id: String, offsetSeconds: Int32) {
    self.id = id
    self.offsetSeconds = offsetSeconds
  }

  /// Coordinated universal time.
  public static var utc: RecordedZone { RecordedZone(id: "UTC", offsetSeconds: 0) }
}

extension ZoneRules {
  /// Returns the zone as an entry records it at a moment.
  public func recorded(at moment: Moment) -> RecordedZone {
    RecordedZone(id: id, offsetSeconds: offset(at: moment))
  }
}
