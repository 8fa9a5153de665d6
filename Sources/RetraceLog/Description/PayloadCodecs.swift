package import RetraceAvro
import RetraceSchema

/// The codecs of a log's payloads: actions by the schemas in the log, system records by the format.
package struct PayloadCodecs: Sendable {
  private var actions: [UInt32: SchemaCodec] = [:]
  private var system: [RecordKind: SchemaCodec] = [:]
  /// The schemas whose fingerprint was compared with the one that a session recorded.
  package var checkedSchemas: Set<UInt32> = []

  /// Creates an empty set; each codec is created on first use.
  package init() {}

  /// Returns the fields of a payload with values encoded within it.
  ///
  /// - Parameters:
  ///   - kind: The kind of the record.
  ///   - payload: The payload of the record.
  ///   - schema: Returns the schema with a number; `nil` if it is missing.
  package mutating func embedded(
    _ kind: RecordKind, _ payload: Span<UInt8>, schema: (UInt32) -> Schema?
  ) -> [EmbeddedField] {
    switch kind {
    case .crashed:
      guard let crashed = try? Crashed(encoded: payload) else { return [] }
      let codec = codec(crashed.schema, schema)
      let values = crashed.actions.map { EmbeddedValue($0, codec) }
      return [EmbeddedField(name: "actions", values: values, isArray: true)]
    case .command:
      guard let record = try? RecordedCommand(encoded: payload) else { return [] }
      return [("command", record.command), ("refusal", record.refusal)].compactMap { field, value in
        guard let value else { return nil }
        let codec = codec(LogFormat.commandSchemaNumber(value.schema), schema)
        return EmbeddedField(name: field, values: [EmbeddedValue(value.bytes, codec)])
      }
    default: return []
    }
  }

  /// Returns the codec of a schema, which is created on first use; `nil` without a valid schema.
  package mutating func codec(
    _ number: UInt32, _ schema: (UInt32) -> Schema?
  ) -> SchemaCodec? {
    if let known = actions[number] { return known }
    actions[number] = schema(number).flatMap { try? SchemaCodec($0) }
    return actions[number]
  }

  /// The codec of bytes that cannot be decoded.
  package static let bytes: SchemaCodec = {
    guard let codec = try? SchemaCodec(.bytes) else { preconditionFailure("bytes are a schema") }
    return codec
  }()

  /// Returns the codec of a schema of actions, which is created on first use.
  ///
  /// - Parameters:
  ///   - number: The number of the schema.
  ///   - schema: The schema.
  /// - Throws: `AvroError` if the schema is not valid.
  package mutating func codec(
    ofActions number: UInt32, _ schema: @autoclosure () throws(AvroError) -> Schema
  ) throws(AvroError) -> SchemaCodec {
    if let known = actions[number] { return known }
    let codec = try SchemaCodec(try schema())
    actions[number] = codec
    return codec
  }

  /// Returns the codec of the records of a kind in a version of the format.
  ///
  /// - Throws: `AvroError` if the schema is not valid.
  package mutating func codec(
    of kind: RecordKind, inVersion version: UInt8
  ) throws(AvroError) -> SchemaCodec {
    if let known = system[kind] { return known }
    let codec = try SchemaCodec(kind.payloadSchema(ofVersion: version))
    system[kind] = codec
    return codec
  }
}
