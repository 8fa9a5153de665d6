package import Retrace

/// How instants are written in the texts of records and in the values of differences.
package enum MomentFormat: Sendable {
  /// RFC 3339 with a fraction only if it is needed, for people and for the comparison of builds.
  case shortest
  /// RFC 3339 with six digits of a second, for programs that compare texts.
  case sortable
  /// The local time in a zone, in whole seconds, for people.
  case local(ZoneRules)

  /// Returns the JSON of an instant; `nil` for a value of another logical type.
  package func json(_ logical: String, _ value: AvroValue) -> JSONValue? {
    guard logical == "timestamp-micros", case .long(let microseconds) = value else { return nil }
    let moment = Moment(microseconds: microseconds)
    return switch self {
    case .shortest: .string(moment.timestamp)
    case .sortable: .string(moment.sortableTimestamp)
    case .local(let zone): .string("\(zone.local(at: moment))")
    }
  }
}
