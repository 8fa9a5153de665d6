import CivilTime
import RetraceArchitecture
public import RetraceAvro
public import RetraceLog
import RetraceSchema
import RetraceScreen
import RetraceState
public import RetraceStorage

/// A record as a person or a script reads it; decoded by the schema in the log, without app code.
public struct RecordDescription: Sendable {
  /// Sequence, kind, session and moment.
  public let envelope: Envelope
  private let codec: SchemaCodec
  private let value: AvroValue
  /// What lies encoded in the payload of a `crashed` or `command` record, by field.
  private let embedded: [(field: String, values: [PayloadCodecs.Embedded], json: JSONValue)]

  /// Decodes a record.
  ///
  /// - Parameters:
  ///   - envelope: What the log says about it.
  ///   - payload: Its payload.
  ///   - codecs: The codecs of the log, to which those that are new are added.
  ///   - snapshot: The log.
  /// - Throws: `damaged` with the sequence if the payload is no value of its schema.
  public init(
    _ envelope: Envelope, _ payload: Span<UInt8>, _ codecs: inout PayloadCodecs,
    in snapshot: borrowing LogSnapshot
  ) throws(StoreError) {
    self.envelope = envelope
    codec = try codecs.codec(of: envelope, in: snapshot)
    do throws(AvroError) {
      value = try codec.decode(payload)
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, detail: "payload: \(error)")
    }
    embedded = codecs.embedded(envelope.kind, payload, in: snapshot)
  }

  /// The most records that are decoded in one read transaction.
  private static var recordsPerTransaction: UInt64 { 512 }

  /// Shows the records of a range in order.
  ///
  /// Nothing of the log is held while the body runs, so it may wait for whoever reads the output.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - first: The first sequence wanted.
  ///   - last: The last sequence wanted; the log has to reach it.
  ///   - isWanted: Whether a record is decoded at all.
  ///   - body: Takes each record; answers whether to go on.
  /// - Complexity: O(records in the range), each that is wanted decoded.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public static func forEach(
    in storage: LogStorage, from first: UInt64, through last: UInt64,
    where isWanted: (Envelope) -> Bool = { _ in true },
    _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var codecs = PayloadCodecs()
    var next = max(1, first)
    while next <= last {
      let end = min(last, next + recordsPerTransaction - 1)
      var found: [RecordDescription] = []
      var failure: StoreError?
      do throws(StoreError) {
        try storage.withSnapshot { (snapshot) throws(StoreError) in
          try snapshot.forEachRecord(from: next, through: end) {
            (envelope, payload) throws(StoreError) in
            guard isWanted(envelope) else { return }
            found.append(try RecordDescription(envelope, payload, &codecs, in: snapshot))
          }
        }
      } catch {
        // What stands before the damage is shown.
        failure = error
      }
      for record in found {
        guard try body(record) else { return }
      }
      if let failure { throw failure }
      next = end + 1
    }
  }

  /// Reads the payloads of a range by their schemas, and shows none.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - first: The first sequence wanted.
  ///   - last: The last sequence wanted; the log has to reach it.
  /// - Returns: How many there are.
  /// - Complexity: O(bytes of the payloads).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public static func check(
    in storage: LogStorage, from first: UInt64, through last: UInt64
  ) throws(StoreError) -> Int {
    guard first <= last else { return 0 }
    var codecs = PayloadCodecs()
    var checked = 0
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.forEachRecord(from: first, through: last) {
        (envelope, payload) throws(StoreError) in
        let codec = try codecs.codec(of: envelope, in: snapshot)
        do throws(AvroError) {
          try codec.check(payload)
        } catch {
          throw StoreError.damaged(sequence: envelope.sequence, detail: "payload: \(error)")
        }
        checked += 1
      }
    }
    return checked
  }

  /// The names of the cases of an action, as in `timeline.started`; `nil` for other records.
  public var action: String? {
    envelope.kind == .action ? codec.caseName(of: value) : nil
  }

  /// Whether the payload names an id: a record of the type with the one field `value`.
  ///
  /// - Complexity: O(size of the payload).
  public func mentions(_ type: String, _ id: Int64) -> Bool {
    value.mentions(type, id)
      || embedded.contains { $0.values.contains { $0.value?.mentions(type, id) == true } }
  }

  /// The payload as JSON.
  public var content: JSONValue {
    let content = codec.json(value)
    guard !embedded.isEmpty, case .object(var members) = content else { return content }
    for (field, _, json) in embedded {
      guard let index = members.firstIndex(where: { $0.name == field }) else { continue }
      members[index] = JSONValue.Member(field, json)
    }
    return .object(members)
  }

  /// The record as one JSON object.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(clamping: envelope.sequence))),
      .init("kind", .string("\(envelope.kind)")),
      .init("session", .integer(Int64(clamping: envelope.session))),
      .init("moment", .string(envelope.moment.timestamp)),
      .init("microseconds", .integer(envelope.moment.microseconds)),
      .init("startsBatch", .bool(envelope.startsBatch)),
    ]
    if let cause = envelope.cause {
      members.append(.init("cause", .integer(Int64(clamping: cause))))
    }
    if let key = envelope.key {
      members.append(.init("key", .string(String(decoding: key, as: UTF8.self))))
    }
    if let hash = envelope.stateHash { members.append(.init("stateHash", .string(hash.hex))) }
    members.append(.init("payload", content))
    return .object(members)
  }

  /// The record as one line of text: an action as its cases with what they carry, see
  /// `SchemaCodec.caseText(of:)`, other records as their kind with JSON.
  public var line: String {
    let mark = envelope.startsBatch ? " " : "+"
    var text = "\(envelope.sequence)\(mark) \(envelope.moment.timestamp) s\(envelope.session) "
    if envelope.kind != .action { text += "\(envelope.kind) " }
    if let key = envelope.key {
      text += "key \(SafeText.line(String(decoding: key, as: UTF8.self))) "
    }
    if envelope.kind == .action, let action = codec.caseText(of: value) { return text + action }
    return text + content.text()
  }
}

extension AvroValue {
  /// Whether an id is somewhere in the value.
  fileprivate func mentions(_ type: String, _ id: Int64) -> Bool {
    switch self {
    case .record(let name, let fields):
      if name == type, fields.count == 1, fields[0].name == "value", fields[0].value == .long(id) {
        return true
      }
      return fields.contains { $0.value.mentions(type, id) }
    case .array(let items): return items.contains { $0.mentions(type, id) }
    case .map(let entries): return entries.contains { $0.value.mentions(type, id) }
    case .union(_, let value): return value.mentions(type, id)
    default: return false
    }
  }
}
