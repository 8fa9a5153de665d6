public import RetraceAvro
import RetraceArchitecture
public import RetraceLog
public import RetraceStorage

/// A record as a person or a script reads it; decoded by the schema in the log, without app code.
public struct RecordDescription: Sendable {
  /// Sequence, kind, session and moment.
  public let envelope: Envelope
  /// The payload as JSON, or why it cannot be shown.
  public let content: JSONValue

  /// Shows the records of a range in order.
  ///
  /// - Complexity: O(records in the range), each decoded.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public static func forEach(
    in storage: LogStorage, from first: UInt64, through last: UInt64,
    _ body: (RecordDescription) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard first <= last else { return }
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      var codecs = PayloadCodecs()
      try snapshot.forEachRecord(from: first, through: last) {
        (envelope, payload) throws(StoreError) in
        let codec = try codecs.codec(of: envelope, in: snapshot)
        var content: JSONValue
        do throws(AvroError) {
          content = codec.json(try codec.decode(payload))
        } catch {
          throw StoreError.damaged(sequence: envelope.sequence, detail: "payload: \(error)")
        }
        if envelope.kind == .crashed { content = crashed(payload, content, &codecs, in: snapshot) }
        try body(RecordDescription(envelope: envelope, content: content))
      }
    }
  }

  /// The content of a `crashed` record with its actions decoded.
  private static func crashed(
    _ payload: Span<UInt8>, _ content: JSONValue, _ codecs: inout PayloadCodecs,
    in snapshot: borrowing LogSnapshot
  ) -> JSONValue {
    guard case .object(var members) = content, let crashed = try? Crashed(encoded: payload),
      let index = members.firstIndex(where: { $0.name == "actions" })
    else { return content }
    members[index] = JSONValue.Member(
      "actions", .array(codecs.actions(of: crashed, in: snapshot)))
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

  /// The record as one line of text.
  public var line: String {
    let mark = envelope.startsBatch ? " " : "+"
    var text = "\(envelope.sequence)\(mark) \(envelope.moment.timestamp) s\(envelope.session) "
    if envelope.kind != .action { text += "\(envelope.kind) " }
    if let key = envelope.key {
      text += "key \(SafeText.line(String(decoding: key, as: UTF8.self))) "
    }
    return text + content.text()
  }
}
