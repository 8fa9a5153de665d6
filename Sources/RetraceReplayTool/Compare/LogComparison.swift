import Retrace
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// Compares two logs, record by record.
struct LogComparison<App: ReplayableApp> {
  private let first: LogStorage
  private let second: LogStorage
  private let limit: Int

  init(_ first: LogStorage, _ second: LogStorage, limit: Int) {
    self.first = first
    self.second = second
    self.limit = limit
  }

  /// Returns the first record that differs; `nil` if the logs are the same.
  func run() throws(ToolFailure) -> Comparison? {
    do throws(StoreError) {
      let ends = (try first.head().sequence, try second.head().sequence)
      let common = min(ends.0, ends.1)
      var next: UInt64 = 1
      while next <= common {
        let end = min(common, next + 1_023)
        let here = try records(of: first, from: next, through: end)
        let there = try records(of: second, from: next, through: end)
        for (left, right) in zip(here, there) where left != right {
          return try difference(at: left.envelope.sequence, left, right)
        }
        next = end + 1
      }
      return ends.0 == ends.1 ? nil : longer(ends)
    } catch {
      throw ToolFailure(error)
    }
  }

  private func records(
    of storage: LogStorage, from start: UInt64, through end: UInt64
  ) throws(StoreError) -> [RawRecord] {
    var records: [RawRecord] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: start, through: end) { envelope, payload in
        records.append(RawRecord(envelope, payload, version: view.version))
      }
    }
    return records
  }

  private func longer(_ ends: (UInt64, UInt64)) -> Comparison {
    let common = min(ends.0, ends.1)
    let line =
      "The logs are the same up to record \(common); this one ends at \(ends.0), the other at "
      + "\(ends.1)."
    return Comparison(
      lines: [line],
      json: [
        "same": false, "first": .integer(Int64(clamping: common + 1)),
        "last": .array([.integer(Int64(clamping: ends.0)), .integer(Int64(clamping: ends.1))]),
        "record": .array([]), "state": .array([]),
      ],
      what: "The logs differ.", why: "One log ends after record \(common); the other continues.",
      advice: "Look at the additional records with "
        + "`\(ToolProcess.replay) show --from \(common + 1)`.")
  }

  private func difference(
    at sequence: UInt64, _ left: RawRecord, _ right: RawRecord
  ) throws(StoreError) -> Comparison {
    var readers = (RecordReader(first), RecordReader(second))
    let here = try readers.0.description(left.envelope, left.payload)
    let there = try readers.1.description(right.envelope, right.payload)
    let fields = JSONDifference.between(here.json, there.json, limit: limit)
    let isCommand = left.envelope.kind == .command || right.envelope.kind == .command
    let states = try states(after: sequence, withFacts: isCommand)
    let command = try readers.0.command(of: sequence)
    var lines = [
      "record \(sequence) differs; in this log, then in the other:", "  " + here.line,
      "  " + there.line,
    ]
    if let command { lines.append("the command that led to it here: \(command.line)") }
    let values = JSONDifference.values(
      between: here.json.withDurationTexts, there.json.withDurationTexts)
    lines += ChangeText.lines(values, limit: limit)
    lines.append(
      isCommand
        ? "the states after the facts of record \(sequence):"
        : "the states after record \(sequence):")
    lines += ChangeText.lines(states.readable)
    return Comparison(
      lines: lines,
      json: [
        "same": false, "first": .integer(Int64(clamping: sequence)),
        "here": here.json, "there": there.json, "command": command?.json ?? .null,
        "record": .array(fields.map { ChangeJSON.value($0) }),
        "state": .array(states.exact.changes.map { ChangeJSON.value($0) }),
        "cut": .bool(states.exact.isTruncated),
      ],
      what: "The logs differ.", why: "The first record that differs is \(sequence).",
      advice: "Look at the record in both logs with "
        + "`\(ToolProcess.replay) show --from \(sequence)`.")
  }

  /// Returns how the states after a record differ, for programs and for people.
  ///
  /// - Parameter withFacts: Whether the rest of the batch counts too: a command changes no state,
  ///   its facts do.
  private func states(
    after sequence: UInt64, withFacts: Bool
  ) throws(StoreError) -> (exact: StateDifference, readable: StateDifference) {
    var here = try Replayer<App>(first)
    var there = try Replayer<App>(second)
    try here.seek(to: withFacts ? here.batchEnd(atOrAfter: sequence) : sequence)
    try there.seek(to: withFacts ? there.batchEnd(atOrAfter: sequence) : sequence)
    let differ = try StateDiffer(like: here.state, limit: limit)
    var readable = differ
    readable.moments = .readable
    return try here.read { state throws(StoreError) in
      let left = copy state
      return try there.read { right throws(StoreError) in
        let right = copy right
        return (
          try differ.difference(from: left, to: right),
          try readable.difference(from: left, to: right)
        )
      }
    }
  }
}

/// A record as stored in the log.
///
/// Envelopes and payloads are compared. Schema numbers are not, because each log numbers its own
/// schemas. Process identifiers, real times and the time that the machine was suspended are not, so
/// that two recordings of the same steps compare as equal.
private struct RawRecord: Equatable {
  let envelope: Envelope
  let payload: [UInt8]
  /// The part of the payload that is compared, in the current version of the format.
  private let compared: [UInt8]

  init(_ envelope: Envelope, _ payload: Span<UInt8>, version: UInt8) {
    self.envelope = envelope
    self.payload = payload.indices.map { payload[$0] }
    compared = Self.compared(envelope.kind, payload, version: version) ?? self.payload
  }

  private static func compared(
    _ kind: RecordKind, _ payload: Span<UInt8>, version: UInt8
  ) -> [UInt8]? {
    switch kind {
    case .sessionOpened:
      var opened = try? SessionOpened(encoded: payload, version: version)
      opened?.origin?.process = 0
      opened?.sleptMilliseconds = nil
      return opened?.encoded()
    case .sessionClosed:
      return (try? SessionClosed(encoded: payload, version: version))?.encoded()
    default: return nil
    }
  }

  static func == (left: RawRecord, right: RawRecord) -> Bool {
    var envelope = right.envelope
    envelope.schema = left.envelope.schema
    envelope.realTime = left.envelope.realTime
    return left.envelope == envelope && left.compared == right.compared
  }
}
