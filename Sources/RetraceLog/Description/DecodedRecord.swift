package import RetraceAvro
import RetraceSchema
import RetraceScreen

/// A record, decoded with the schema in its log, without code of the app.
package struct DecodedRecord: Sendable {
  /// Sequence, kind, session and moment.
  package let envelope: Envelope
  /// The codec of the payload.
  package let codec: SchemaCodec
  /// The payload.
  package private(set) var value: AvroValue
  /// The sequence of the last record whose text was joined to this one; `nil` for none.
  package private(set) var joinedThrough: UInt64?
  /// The fields of a `crashed` or `command` record with values encoded within its payload.
  package let embedded: [EmbeddedField]

  /// Creates a description of a record from its decoded payload.
  package init(
    _ envelope: Envelope, _ value: AvroValue, _ codec: SchemaCodec, embedded: [EmbeddedField] = []
  ) {
    self.envelope = envelope
    self.value = value
    self.codec = codec
    self.embedded = embedded
  }

  /// The sequence of the record, or of the last one whose text was joined to it.
  package var lastSequence: UInt64 { joinedThrough ?? envelope.sequence }

  /// Returns the value encoded in a field of a command.
  package func embedded(_ field: String) -> EmbeddedValue? {
    embedded.first { $0.name == field }?.values.first
  }

  /// Returns an action or a command as `text` does, with values of logical types and ids as the
  /// caller writes them.
  package func text(_ logical: (String, AvroValue) -> JSONValue?) -> String {
    switch envelope.kind {
    case .action:
      if let restored = value.restoreText {
        return "\(codec.caseName(of: value) ?? "")(\(restored))"
      }
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

  /// Returns the record with the text that was typed in the next one; `nil` if the next one does
  /// not insert text where this one left the cursor, in the same field of the same screen.
  ///
  /// - Complexity: O(size of both payloads).
  package func joined(with next: DecodedRecord) -> DecodedRecord? {
    let (own, later) = (envelope, next.envelope)
    guard own.kind == .action, later.kind == .action, own.schema == later.schema,
      later.sequence == lastSequence + 1, own.session == later.session,
      !own.hasEffect, !later.hasEffect, own.cause == nil, later.cause == nil, own.key == nil,
      later.key == nil, let value = value.joined(with: next.value)
    else { return nil }
    var joined = self
    (joined.value, joined.joinedThrough) = (value, later.sequence)
    return joined
  }
}

extension AvroValue {
  /// Returns the value with the text that the next one inserts; `nil` if they do not insert text
  /// one after the other, or differ in something else.
  func joined(with next: AvroValue) -> AvroValue? {
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
}
