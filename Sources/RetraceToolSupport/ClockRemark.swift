package import Retrace
package import RetraceStorage
import RetraceSystem

extension RecordClocks.Remark {
  /// The remark for programs, with instants in UTC.
  package var text: String { text(\.timestamp) }

  /// The remark for people, with instants by the clocks of their zone.
  package var localText: String { text(\.localTimestamp) }

  private func text(_ timestamp: (Moment) -> String) -> String {
    var parts: [String] = []
    switch fixed {
    case .unknown: parts.append("fixed clock, real time unknown")
    case .realTime(let moment): parts.append("fixed clock, recorded at \(timestamp(moment))")
    case nil: break
    }
    if let earlierThan { parts.append("earlier than record \(earlierThan)") }
    return parts.joined(separator: "; ")
  }

  /// The time of the machine, if an option gave the moment and the time is known.
  package var realTime: Moment? {
    if case .realTime(let moment)? = fixed { moment } else { nil }
  }
}

extension RecordClocks.Remark? {
  /// The remark as members of a record's JSON object, which are the same without a remark.
  package var members: [JSONValue.Member] {
    [
      .init("isClockFixed", .bool(self?.fixed != nil)),
      .init("realTime", self?.realTime.map { .string($0.sortableTimestamp) } ?? .null),
      .init("earlierThan", self?.earlierThan.map { .integer(Int64(clamping: $0)) } ?? .null),
    ]
  }
}

extension Moment {
  /// The instant by the clocks of the process's zone as RFC 3339, such as
  /// `2026-03-02T10:00:00+01:00`; as ``timestamp`` where the zone has the time of UTC.
  package var localTimestamp: String {
    let second = microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    let offset = WallClock.localOffset(at: second)
    // RFC 3339 has no seconds in an offset, as zones had them before 1972.
    guard offset != 0, offset % 60 == 0 else { return timestamp }
    let minutes = abs(offset) / 60
    return "\(adding(.seconds(Int64(offset))).timestamp.dropLast())\(offset < 0 ? "-" : "+")"
      + "\(padded(minutes / 60, to: 2)):\(padded(minutes % 60, to: 2))"
  }

  /// Returns the local timestamp, followed by a remark in parentheses if there is one.
  package func localTimestamp(with remark: RecordClocks.Remark?) -> String {
    localTimestamp + (remark.map { " (\($0.localText))" } ?? "")
  }
}

extension Envelope {
  /// Returns the sequence, the moment, the remark on it, and the session, as members of the
  /// record's JSON object.
  package func members(with remark: RecordClocks.Remark?) -> [JSONValue.Member] {
    [
      .init("sequence", .integer(Int64(clamping: sequence))),
      .init("moment", .string(moment.sortableTimestamp)),
    ] + remark.members + [.init("session", .integer(Int64(clamping: session)))]
  }
}

extension RecordClocks.Past {
  /// A note about a record that is left out because the clock was set back, if there is one.
  package var note: String? {
    exception.map {
      "note: record \($0) is left out. Its time is not later than the one given, but it follows "
        + "record \(last + 1), whose time is: the clock was set back."
    }
  }
}
