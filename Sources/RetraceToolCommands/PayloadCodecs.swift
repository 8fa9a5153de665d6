package import Retrace
package import RetraceStorage

/// The codecs of a log's payloads: actions by the schemas in the log, system records by the format.
package struct PayloadCodecs: Sendable {
  private var actions: [UInt32: SchemaCodec] = [:]
  /// The schemas whose fingerprint was compared with the one that a session recorded.
  private var checkedSchemas: Set<UInt32> = []
  private var system: [RecordKind: SchemaCodec] = [:]

  /// Creates an empty set; each codec is created on first use.
  package init() {}

  /// A value encoded within the payload of a `crashed` or `command` record.
  ///
  /// A crashed batch may have been the first to use its schema; the log then lacks that schema. So
  /// a value that cannot be decoded is not damage: its bytes are shown in hexadecimal under
  /// `undecoded`.
  struct Embedded: Sendable {
    var value: AvroValue?
    var json: JSONValue
    /// The value as text for people.
    ///
    /// A case is written as a call, and a restore as its target.
    var text: String
  }

  /// Returns the values encoded within a payload, by field, and the JSON of each field.
  ///
  /// - Parameters:
  ///   - kind: The kind of the record.
  ///   - payload: The payload of the record.
  ///   - schema: Returns the schema with a number; `nil` if it is missing.
  mutating func embedded(
    _ kind: RecordKind, _ payload: Span<UInt8>, schema: (UInt32) -> Schema?
  ) -> [(field: String, values: [Embedded], json: JSONValue)] {
    switch kind {
    case .crashed:
      guard let crashed = try? Crashed(encoded: payload) else { return [] }
      let values = crashed.actions.map { Self.embedded($0, codec(crashed.schema, schema)) }
      return [("actions", values, .array(values.map(\.json)))]
    case .command:
      guard let record = try? RecordedCommand(encoded: payload) else { return [] }
      return [("command", record.command), ("refusal", record.refusal)].compactMap { field, value in
        guard let value else { return nil }
        let found = Self.embedded(
          value.bytes, codec(LogFormat.commandSchemaNumber(value.schema), schema))
        return (field, [found], found.json)
      }
    default: return []
    }
  }

  private static func embedded(_ encoded: [UInt8], _ codec: SchemaCodec?) -> Embedded {
    if let codec, let value = try? codec.decode(encoded.span) {
      let json = codec.json(value)
      let text =
        value.restoreText ?? codec.caseText(of: value, logical: RecordDescription.timestamp)
      return Embedded(value: value, json: json, text: text ?? json.text())
    }
    let json: JSONValue = ["undecoded": bytes.json(.bytes(encoded))]
    return Embedded(json: json, text: json.text())
  }

  /// Returns the codec of a schema, which is created on first use; `nil` without a valid schema.
  private mutating func codec(_ number: UInt32, _ schema: (UInt32) -> Schema?) -> SchemaCodec? {
    if let known = actions[number] { return known }
    actions[number] = schema(number).flatMap { try? SchemaCodec($0) }
    return actions[number]
  }

  /// The codec of bytes that cannot be decoded.
  static let bytes: SchemaCodec = {
    guard let codec = try? SchemaCodec(.bytes) else { preconditionFailure("bytes are a schema") }
    return codec
  }()

  /// Returns the codec of a record in a damaged store; `nil` without a valid schema.
  mutating func codec(of record: IntactRecord, schema: (UInt32) -> Schema?) -> SchemaCodec? {
    let kind = record.envelope.kind
    guard kind != .action else { return codec(record.envelope.schema, schema) }
    if let known = system[kind] { return known }
    system[kind] = try? SchemaCodec(kind.payloadSchema(ofVersion: record.version))
    return system[kind]
  }

  /// Returns the codec of a record's payload.
  ///
  /// - Throws: `damaged` when the log lacks the schema of the record. For the first action of a
  ///   schema, also when the schema does not have the fingerprint that the action's session
  ///   recorded; `ReadView.verify()` checks this for all sessions.
  package mutating func codec(
    of envelope: Envelope, in view: borrowing ReadView
  ) throws(StoreError) -> SchemaCodec {
    if envelope.kind == .action {
      // An embedded value may have created the codec before the first action is read.
      if !checkedSchemas.contains(envelope.schema) {
        try view.checkSchema(envelope.schema, ofSession: envelope.session)
        checkedSchemas.insert(envelope.schema)
      }
      if let known = actions[envelope.schema] { return known }
    } else if let known = system[envelope.kind] {
      return known
    }
    let schema: Schema =
      switch envelope.kind {
      case .action: try view.parsedSchema(envelope.schema, of: envelope.sequence)
      default: envelope.kind.payloadSchema(ofVersion: view.version)
      }
    do throws(AvroError) {
      let codec = try SchemaCodec(schema)
      if envelope.kind == .action {
        actions[envelope.schema] = codec
      } else {
        system[envelope.kind] = codec
      }
      return codec
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, schema: error)
    }
  }
}
