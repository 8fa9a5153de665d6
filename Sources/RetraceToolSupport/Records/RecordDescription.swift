package import Retrace
package import RetraceStorage

/// A record for users and scripts, decoded with the schema in the log, without app code.
package struct RecordDescription: Sendable {
  /// Sequence, kind, session and moment.
  package let envelope: Envelope
  /// A remark on the moment, if there is one.
  package let clock: RecordClocks.Remark?
  private let codec: SchemaCodec
  private(set) var value: AvroValue
  /// The sequence of the last record whose text was joined to this one; `nil` for none.
  private(set) var joinedThrough: UInt64?
  /// The fields of a `crashed` or `command` record with values encoded within its payload.
  private let embedded: [PayloadCodecs.EmbeddedField]

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
    self.envelope = envelope
    self.clock = clock
    codec = try codecs.codec(of: envelope, in: view)
    do throws(AvroError) {
      value = try codec.decode(payload)
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, payload: error)
    }
    embedded = codecs.embedded(envelope.kind, payload) { try? view.parsedSchema($0, of: 0) }
  }

  /// Decodes a record of a damaged store; a payload that cannot be decoded is shown as bytes.
  package init(
    _ record: IntactRecord, _ payload: Span<UInt8>, _ codecs: inout PayloadCodecs,
    _ schemas: IntactSchemas
  ) {
    (envelope, clock) = (record.envelope, record.clock)
    if let codec = codecs.codec(of: record, schema: schemas.schema),
      let value: AvroValue = try? codec.decode(payload)
    {
      (self.codec, self.value) = (codec, value)
      embedded = codecs.embedded(envelope.kind, payload, schema: schemas.schema)
    } else {
      (codec, value) = (PayloadCodecs.bytes, .bytes(payload.indices.map { payload[$0] }))
      embedded = []
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
      || embedded.contains { $0.values.contains { $0.value?.mentions(id) == true } }
  }

  /// The command of a `command` record as text, such as `open(name: "cash")`.
  package var command: String? { embedded("command")?.text(MomentFormat.readable.json) }

  /// Returns the value encoded in a field of a command.
  func embedded(_ field: String) -> PayloadCodecs.Embedded? {
    embedded.first { $0.name == field }?.values.first
  }

  /// The names of a command's cases, as in `entry.change`; `nil` for other records.
  package var commandName: String? {
    command.map { String($0.prefix { $0 != "(" }) }
  }

  /// The reason of a command: the text of its field `reason`, if it has one.
  package var commandReason: String? {
    embedded("command")?.value?.reason
  }

  /// An action or a command as text, see `SchemaCodec.caseText(of:logical:)`; another record as
  /// JSON.
  ///
  /// An undo or a redo is written as its target.
  package var text: String { text(MomentFormat.readable.json) }

  /// Returns an action or a command as ``text``, with values of logical types and ids as the caller
  /// writes them.
  func text(_ logical: (String, AvroValue) -> JSONValue?) -> String {
    switch envelope.kind {
    case .action:
      if let restored = value.restoreText { return "\(action ?? "")(\(restored))" }
      return codec.caseText(of: value, logical: logical) ?? content.text()
    case .command:
      guard let command = embedded("command")?.text(logical),
        case .enumeration(_, let origin)? = value["origin"]
      else {
        return content.text()
      }
      let refusal = embedded("refusal")?.text(logical)
      return "\(command)  (from \(origin)\(refusal.map { "; refused: \($0)" } ?? ""))"
    default: return content.text()
    }
  }

  /// Returns the payload of an action or of a system record in words, see ``RecordWords``.
  ///
  /// An undo or a redo is written as its target.
  func words(_ logical: (String, AvroValue) -> JSONValue?) -> String {
    if let restored = value.restoreText { return "restored: \(restored)" }
    return RecordWords.text(value, codec.json(value, logical: logical))
  }

  /// Returns the changes of an entity in the fact, in order.
  ///
  /// - Complexity: O(size of the payload).
  package func edits(of entity: MentionedID, _ names: FormerNames) -> [RecordedEdit] {
    guard envelope.kind == .action else { return [] }
    return codec.edits(in: value, names: names, logical: MomentFormat.sortable.json).filter {
      $0.id == entity.id && entity.names.contains($0.type)
    }
  }

  /// The payload as JSON.
  ///
  /// The origin of a command is the member `sentFrom`, because a session has an object as `origin`
  /// and readers expect one type for each name.
  package var content: JSONValue {
    let content = codec.json(value)
    guard case .object(var members) = content else { return content }
    if envelope.kind == .command, let index = members.firstIndex(where: { $0.name == "origin" }) {
      members[index] = JSONValue.Member("sentFrom", members[index].value)
    }
    for field in embedded {
      guard let index = members.firstIndex(where: { $0.name == field.name }) else { continue }
      members[index] = JSONValue.Member(field.name, field.json)
    }
    return .object(members)
  }

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
    let (own, later) = (envelope, next.envelope)
    guard own.kind == .action, later.kind == .action, own.schema == later.schema,
      later.sequence == (joinedThrough ?? own.sequence) + 1, own.session == later.session,
      !own.hasEffect, !later.hasEffect, own.cause == nil, later.cause == nil, own.key == nil,
      later.key == nil, (clock == nil) == (next.clock == nil),
      let value = value.joined(with: next.value)
    else { return nil }
    var joined = self
    (joined.value, joined.joinedThrough) = (value, later.sequence)
    return joined
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
    var text = "\(envelope.sequence)\(joinedThrough.map { "-\($0)" } ?? "")\(mark) "
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
  /// Returns the value with the text that the next one inserts; `nil` if they do not insert text
  /// one after the other, or differ in something else.
  fileprivate func joined(with next: AvroValue) -> AvroValue? {
    switch (self, next) {
    case (.union(let branch, let value), .union(let other, let later)) where branch == other:
      return value.joined(with: later).map { .union(branch: branch, $0) }
    case (.record(let name, let fields), .record(let other, let later)) where name == other:
      if name == TextReplacement.recordedName { return joined(withInsertion: next) }
      let changed = fields.indices.filter { fields[$0] != later[$0] }
      guard changed.count == 1, let index = changed.first,
        let value = fields[index].value.joined(with: later[index].value)
      else { return nil }
      var joined = fields
      joined[index].value = value
      return .record(name: name, fields: joined)
    default: return nil
    }
  }

  /// Returns the insertion of a text with the text that the next insertion adds at its end.
  private func joined(withInsertion next: AvroValue) -> AvroValue? {
    guard let (start, text, cursor) = insertion, let later = next.insertion,
      later.start == cursor, case .record(let name, let fields) = self
    else { return nil }
    let values: [String: AvroValue] = [
      "start": .long(start), "end": .long(start), "text": .string(text + later.text),
      "cursor": .long(later.cursor),
    ]
    return .record(
      name: name, fields: fields.map { Entry($0.name, values[$0.name] ?? $0.value) })
  }

  /// The parts of a `TextReplacement` that replaces nothing and leaves the cursor after its text.
  var insertion: (start: Int64, text: String, cursor: Int64)? {
    guard case .long(let start)? = self["start"], case .long(start)? = self["end"],
      case .string(let text)? = self["text"],
      case .long(let cursor)? = self["cursor"], cursor == start &+ Int64(text.utf8.count)
    else { return nil }
    return (start, text, cursor)
  }

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
