package import Retrace
package import RetraceStorage

/// A record for users and scripts, decoded with the schema in the log, without app code.
package struct RecordDescription: Sendable {
  private var decoded: DecodedRecord
  /// A remark on the moment, if there is one.
  package let clock: RecordClocks.Remark?

  /// Sequence, kind, session and moment.
  package var envelope: Envelope { decoded.envelope }
  /// The sequence of the record, or of the last one whose text was joined to it.
  package var lastSequence: UInt64 { decoded.lastSequence }
  private var codec: SchemaCodec { decoded.codec }
  private var value: AvroValue { decoded.value }

  /// Decodes a record.
  ///
  /// - Parameters:
  ///   - envelope: The envelope of the record.
  ///   - payload: The payload of the record.
  ///   - clock: A remark on the moment, if there is one.
  ///   - codecs: The codecs of the log; new ones are added.
  ///   - view: A read view of the log.
  /// - Throws: `damaged` with the sequence if the payload does not match its schema.
  package init(
    _ envelope: Envelope, _ payload: Span<UInt8>, clock: RecordClocks.Remark?,
    _ codecs: inout PayloadCodecs, in view: borrowing ReadView
  ) throws(StoreError) {
    self.clock = clock
    let codec = try codecs.codec(of: envelope, in: view)
    let value: AvroValue
    do throws(AvroError) {
      value = try codec.decode(payload)
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, payload: error)
    }
    decoded = DecodedRecord(
      envelope, value, codec,
      embedded: codecs.embedded(envelope.kind, payload) { try? view.parsedSchema($0, of: 0) })
  }

  /// Decodes a record of a damaged store; a payload that cannot be decoded is shown as bytes.
  package init(
    _ record: IntactRecord, _ payload: Span<UInt8>, _ codecs: inout PayloadCodecs,
    _ schemas: IntactSchemas
  ) {
    clock = record.clock
    if let codec = codecs.codec(of: record, schema: schemas.schema),
      let value: AvroValue = try? codec.decode(payload)
    {
      decoded = DecodedRecord(
        record.envelope, value, codec,
        embedded: codecs.embedded(record.envelope.kind, payload, schema: schemas.schema))
    } else {
      decoded = DecodedRecord(
        record.envelope, .bytes(payload.indices.map { payload[$0] }), PayloadCodecs.bytes)
    }
  }

  /// The most records decoded in one read transaction.
  private static var recordsPerTransaction: UInt64 { 512 }

  /// Calls `body` with the records of a range in order.
  ///
  /// No read transaction is open while the body runs, so the body may block on its output.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - first: The first sequence.
  ///   - last: The last sequence; the log has to reach it.
  ///   - isWanted: Whether to decode a record.
  ///   - body: Receives each record, and returns whether to continue.
  /// - Complexity: O(records in the range), with the wanted ones decoded.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package static func forEach(
    in storage: LogStorage, from first: UInt64, through last: UInt64,
    where isWanted: (Envelope) -> Bool = { _ in true },
    _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var codecs = PayloadCodecs()
    var clocks = RecordClocks()
    var next = max(1, first)
    while next <= last {
      let end = min(last, next + recordsPerTransaction - 1)
      var found: [RecordDescription] = []
      var failure: StoreError?
      do throws(StoreError) {
        try storage.withReadView { (view) throws(StoreError) in
          try view.forEachRecord(from: next, through: end) {
            (envelope, payload) throws(StoreError) in
            let clock = try clocks.remark(on: envelope, in: view)
            guard isWanted(envelope) else { return }
            found.append(
              try RecordDescription(envelope, payload, clock: clock, &codecs, in: view))
          }
        }
      } catch {
        // The records before the damage are still shown.
        failure = error
      }
      for record in found {
        guard try body(record) else { return }
      }
      if let failure { throw failure }
      next = end + 1
    }
  }

  /// Checks the payloads of a range against their schemas.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - first: The first sequence.
  ///   - last: The last sequence; the log has to reach it.
  /// - Returns: The number of records checked.
  /// - Complexity: O(bytes of the payloads).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package static func check(
    in storage: LogStorage, from first: UInt64, through last: UInt64
  ) throws(StoreError) -> Int {
    guard first <= last else { return 0 }
    var codecs = PayloadCodecs()
    var checked = 0
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: first, through: last) {
        (envelope, payload) throws(StoreError) in
        let codec = try codecs.codec(of: envelope, in: view)
        do throws(AvroError) {
          try codec.check(payload)
        } catch {
          throw StoreError.damaged(sequence: envelope.sequence, payload: error)
        }
        checked += 1
      }
    }
    return checked
  }

  /// The names of an action's cases, as in `timeline.started`; `nil` for other records.
  package var action: String? {
    envelope.kind == .action ? codec.caseName(of: value) : nil
  }

  package func isAction(named name: String) -> Bool {
    guard let action else { return false }
    return action == name || action.hasPrefix(name + ".")
  }

  /// Returns whether the payload contains an id: an Avro record with a name of the type, whose
  /// single field, `value`, is the id.
  ///
  /// - Complexity: O(size of the payload).
  package func mentions(_ id: MentionedID) -> Bool {
    value.mentions(id)
      || decoded.embedded.contains { $0.values.contains { $0.value?.mentions(id) == true } }
  }

  /// The command of a `command` record as text, such as `open(name: "cash")`.
  package var command: String? { decoded.embedded("command")?.text(MomentFormat.readable.json) }

  /// The names of a command's cases, as in `entry.change`; `nil` for other records.
  package var commandName: String? {
    command.map { String($0.prefix { $0 != "(" }) }
  }

  /// The reason of a command: the text of its field `reason`, if it has one.
  package var commandReason: String? {
    decoded.embedded("command")?.value?.reason
  }

  /// An action or a command as text, see `SchemaCodec.caseText(of:logical:)`; another record as
  /// JSON.
  ///
  /// An undo or a redo is written as its target.
  package var text: String { decoded.text(MomentFormat.readable.json) }

  /// Returns the changes of an entity in the fact, in order.
  ///
  /// - Complexity: O(size of the payload).
  package func edits(of entity: MentionedID, _ names: FormerNames) -> [RecordedEdit] {
    guard envelope.kind == .action else { return [] }
    return codec.edits(in: value, names: names, logical: MomentFormat.sortable.json).filter {
      $0.id == entity.id && entity.names.contains($0.type)
    }
  }

  /// The payload as JSON; see `DecodedRecord`.
  package var content: JSONValue { decoded.content }

  /// Returns what happened in words; see `DecodedRecord`.
  package func summary(
    naming name: (_ type: String, _ id: Int64) -> String?, at time: (Moment) -> String
  ) -> RecordSummary { decoded.summary(naming: name, at: time) }

  /// The record as a JSON object, which has the same members for every record.
  package var json: JSONValue {
    func optional(_ number: UInt64?) -> JSONValue {
      number.map { .integer(Int64(clamping: $0)) } ?? .null
    }
    func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    let members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(clamping: envelope.sequence))),
      .init("kind", .string("\(envelope.kind)")),
      .init("session", .integer(Int64(clamping: envelope.session))),
      .init("moment", .string(envelope.moment.sortableTimestamp)),
      .init("microseconds", .integer(envelope.moment.microseconds)),
      .init("startsBatch", .bool(envelope.startsBatch)),
    ]
    return .object(
      members + clock.members + [
        .init("cause", optional(envelope.cause)),
        .init("hasEffect", .bool(envelope.hasEffect)),
        .init("key", optional(envelope.key.map { String(decoding: $0, as: UTF8.self) })),
        .init("stateHash", optional(envelope.stateHash?.hex)),
        .init(
          "shortStateHash", optional(envelope.recordedHash?.shortBytes.map(Hexadecimal.text))),
        .init("payload", content),
      ])
  }

  /// Returns the record with the text that was typed in the next one; `nil` if the next one does
  /// not insert text where this one left the cursor, in the same field of the same screen.
  ///
  /// - Complexity: O(size of both payloads).
  package func joined(with next: RecordDescription) -> RecordDescription? {
    guard (clock == nil) == (next.clock == nil), let joined = decoded.joined(with: next.decoded)
    else { return nil }
    var description = self
    description.decoded = joined
    return description
  }

  /// The record as one line of text.
  ///
  /// Actions and commands are written as calls, see `SchemaCodec.caseText(of:logical:)`. Other
  /// records are written as their kind and JSON. A long text is cut. The line has the
  /// remark on the moment, names the record whose effect sent an action or a command, and marks an
  /// action with an effect of its own.
  package var line: String {
    // A plus marks a record that continues a batch.
    let mark = envelope.startsBatch ? " " : "+"
    var text = "\(envelope.sequence)\(decoded.joinedThrough.map { "-\($0)" } ?? "")\(mark) "
    text += "\(envelope.moment.localTimestamp) s\(envelope.session) "
    if envelope.kind != .action { text += "\(envelope.kind) " }
    // A key that a store made itself repeats the target of an undo.
    if let key = envelope.key, !key.starts(with: KeyedBatch.reservedPrefix.utf8) {
      text += "key \(SafeText.line(String(decoding: key, as: UTF8.self))) "
    }
    // The output cuts long lines. Cutting the text first keeps the remarks after it.
    text += SafeText.line(self.text, bytesMax: SafeText.bytesMax - text.utf8.count - 192)
    if let clock { text += "  (\(clock.localText))" }
    guard envelope.kind == .action || envelope.kind == .command else { return text }
    if let cause = envelope.cause { text += "  (sent by the effect of \(cause))" }
    if envelope.hasEffect { text += "  (has an effect)" }
    return text
  }
}

extension AvroValue {
  /// The text of the first field `reason` in nested records, in the order of their fields.
  fileprivate var reason: String? {
    switch self {
    case .record(_, let fields):
      for field in fields {
        if field.name == "reason", let text = field.value.text { return text }
        if let reason = field.value.reason { return reason }
      }
      return nil
    case .union(_, let value): return value.reason
    default: return nil
    }
  }

  /// A text, or the text in a union.
  private var text: String? {
    switch self {
    case .string(let text): text
    case .union(_, let value): value.text
    default: nil
    }
  }

  fileprivate func mentions(_ id: MentionedID) -> Bool {
    switch self {
    case .record(let name, let fields):
      if fields.count == 1, fields[0].name == "value", fields[0].value == .long(id.id),
        id.names.contains(name)
      {
        return true
      }
      if name == UnrestoredField.recordedName, self["id"] == .long(id.id),
        case .string(let type) = self["type"], id.names.contains(type)
      {
        return true
      }
      return fields.contains { $0.value.mentions(id) }
    case .array(let items): return items.contains { $0.mentions(id) }
    case .map(let entries): return entries.contains { $0.value.mentions(id) }
    case .union(_, let value): return value.mentions(id)
    default: return false
    }
  }
}
