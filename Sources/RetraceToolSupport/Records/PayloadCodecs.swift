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
    /// The value; `nil` if it cannot be decoded.
    let value: AvroValue?
    private let encoded: [UInt8]
    private let codec: SchemaCodec

    fileprivate init(_ encoded: [UInt8], _ codec: SchemaCodec?) {
      self.encoded = encoded
      self.codec = codec ?? PayloadCodecs.bytes
      value = codec.flatMap { try? $0.decode(encoded.span) }
    }

    var json: JSONValue {
      guard let value else { return ["undecoded": PayloadCodecs.bytes.json(.bytes(encoded))] }
      return codec.json(value)
    }

    /// Returns the value as text for people.
    ///
    /// A case is written as a call, and a restore as its target.
    func text(_ logical: (String, AvroValue) -> JSONValue?) -> String {
      let text = value.flatMap { $0.restoreText ?? codec.caseText(of: $0, logical: logical) }
      return text ?? json.text()
    }

    /// Returns the value in words, see ``RecordWords``; a restore as its target.
    func words(_ logical: (String, AvroValue) -> JSONValue?) -> String {
      guard let value else { return json.text() }
      return value.restoreText ?? RecordWords.text(value, codec.json(value, logical: logical))
    }
  }

  /// A field of a payload with encoded values.
  struct EmbeddedField: Sendable {
    let name: String
    let values: [Embedded]
    /// Whether the field is an array of them, and not the only one.
    var isArray = false

    var json: JSONValue { isArray ? .array(values.map(\.json)) : values.first?.json ?? .null }
  }

  /// Returns the fields of a payload with values encoded within it.
  ///
  /// - Parameters:
  ///   - kind: The kind of the record.
  ///   - payload: The payload of the record.
  ///   - schema: Returns the schema with a number; `nil` if it is missing.
  mutating func embedded(
    _ kind: RecordKind, _ payload: Span<UInt8>, schema: (UInt32) -> Schema?
  ) -> [EmbeddedField] {
    switch kind {
    case .crashed:
      guard let crashed = try? Crashed(encoded: payload) else { return [] }
      let codec = codec(crashed.schema, schema)
      let values = crashed.actions.map { Embedded($0, codec) }
      return [EmbeddedField(name: "actions", values: values, isArray: true)]
    case .command:
      guard let record = try? RecordedCommand(encoded: payload) else { return [] }
      return [("command", record.command), ("refusal", record.refusal)].compactMap { field, value in
        guard let value else { return nil }
        let codec = codec(LogFormat.commandSchemaNumber(value.schema), schema)
        return EmbeddedField(name: field, values: [Embedded(value.bytes, codec)])
      }
    default: return []
    }
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
