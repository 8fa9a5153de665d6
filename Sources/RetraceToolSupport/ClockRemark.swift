package import Retrace
package import RetraceStorage

extension RecordClocks.Remark {
  /// The remark as text, which every listing of records has.
  package var text: String {
    var parts: [String] = []
    switch fixed {
    case .unknown: parts.append("fixed clock, real time unknown")
    case .realTime(let moment): parts.append("fixed clock, recorded at \(moment.timestamp)")
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
  /// Returns the timestamp, followed by a remark in parentheses if there is one.
  package func timestamp(with remark: RecordClocks.Remark?) -> String {
    timestamp + (remark.map { " (\($0.text))" } ?? "")
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
