public import RetraceAvro
public import RetraceLog
public import RetraceStorage

/// The codecs of a log's payloads: actions by the schemas in the log, system records by the format.
public struct PayloadCodecs: Sendable {
  private var actions: [UInt32: SchemaCodec] = [:]
  private var system: [RecordKind: SchemaCodec] = [:]

  /// Makes an empty set; codecs are made when first asked for.
  public init() {}

  /// An action of a `crashed` record.
  ///
  /// The batch may never have met its schema's first commit, so an action that cannot be decoded is
  /// no damage: its bytes are shown in hexadecimal digits under `undecoded`.
  struct CrashedAction: Sendable {
    /// The action, if it could be decoded.
    var value: AvroValue?
    /// How it is shown.
    var json: JSONValue
  }

  /// The actions of a `crashed` record, decoded by the schema that it names.
  mutating func actions(
    of crashed: Crashed, in snapshot: borrowing LogSnapshot
  ) -> [CrashedAction] {
    if actions[crashed.schema] == nil,
      let schema = try? snapshot.parsedSchema(crashed.schema, of: 0),
      let codec = try? SchemaCodec(schema)
    {
      actions[crashed.schema] = codec
    }
    let codec = actions[crashed.schema]
    let bytes = try? SchemaCodec(.bytes)
    return crashed.actions.map { action in
      if let codec, let value = try? codec.decode(action.span) {
        return CrashedAction(value: value, json: codec.json(value))
      }
      return CrashedAction(json: ["undecoded": bytes?.json(.bytes(action)) ?? .null])
    }
  }

  /// The codec of a record's payload.
  ///
  /// - Throws: `damaged` when the log does not have the schema that the record names, or has
  ///   another than the record's session names.
  public mutating func codec(
    of envelope: Envelope, in snapshot: borrowing LogSnapshot
  ) throws(StoreError) -> SchemaCodec {
    if envelope.kind == .action, let known = actions[envelope.schema] { return known }
    if let known = system[envelope.kind] { return known }
    if envelope.kind == .action {
      try snapshot.checkSchema(envelope.schema, ofSession: envelope.session)
    }
    let schema: Schema =
      switch envelope.kind {
      case .action: try snapshot.parsedSchema(envelope.schema, of: envelope.sequence)
      default: envelope.kind.payloadSchema(ofVersion: snapshot.version)
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
      throw StoreError.damaged(sequence: envelope.sequence, detail: "schema: \(error)")
    }
  }
}
