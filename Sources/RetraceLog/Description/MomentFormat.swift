package import CivilTime
package import RetraceAvro
package import RetraceState

/// How instants and durations are written in the texts of records and in the values of differences.
package enum MomentFormat: Sendable {
  /// RFC 3339 with a fraction only if it is needed, for the comparison of builds; durations are
  /// their microseconds.
  case shortest
  /// RFC 3339 with six digits of a second, for programs that compare texts; durations are their
  /// microseconds.
  case sortable
  /// RFC 3339 with a fraction only if it is needed, and durations as texts, for people.
  case readable
  /// The local time in a zone, in whole seconds, and durations as texts, for people.
  case local(ZoneRules)

  /// Returns the JSON of an instant or a duration; `nil` for another value.
  ///
  /// - Parameters:
  ///   - type: The name of a logical type or of a record.
  ///   - value: The value.
  package func json(_ type: String, _ value: AvroValue) -> JSONValue? {
    guard case .long(let microseconds) = value else { return nil }
    switch (type, self) {
    case ("timestamp-micros", .shortest), ("timestamp-micros", .readable):
      return .string(Moment(microseconds: microseconds).timestamp)
    case ("timestamp-micros", .sortable):
      return .string(Moment(microseconds: microseconds).sortableTimestamp)
    case ("timestamp-micros", .local(let zone)):
      return .string("\(zone.local(at: Moment(microseconds: microseconds)))")
    case (ElapsedTime.recordedName, .readable), (ElapsedTime.recordedName, .local):
      return .string(ElapsedTime(microseconds: microseconds).exactText)
    default: return nil
    }
  }
}

extension ElapsedTime {
  /// The duration for people, without rounding: `8 s`, `0.25 s`, and from a minute on `0:01:05`.
  package var exactText: String {
    func padded(_ number: UInt64, _ digits: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    let all = microseconds.magnitude
    let (seconds, rest) = all.quotientAndRemainder(dividingBy: 1_000_000)
    var fraction = rest == 0 ? "" : ".\(padded(rest, 6))"
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let sign = microseconds < 0 ? "-" : ""
    guard seconds >= 60 else { return "\(sign)\(seconds)\(fraction) s" }
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    return "\(sign)\(minutes / 60):\(padded(minutes % 60, 2)):\(padded(second, 2))\(fraction)"
  }
}

extension JSONValue {
  /// The value for people, with durations, `{"microseconds": 8000000}`, as texts.
  package var withDurationTexts: JSONValue {
    switch self {
    case .object(let members):
      if members.count == 1, members[0].name == "microseconds",
        case .integer(let microseconds) = members[0].value
      {
        return .string(ElapsedTime(microseconds: microseconds).exactText)
      }
      return .object(members.map { Member($0.name, $0.value.withDurationTexts) })
    case .array(let items): return .array(items.map { $0.withDurationTexts })
    default: return self
    }
  }
}
