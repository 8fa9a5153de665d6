package import RetraceAvro
import RetraceSchema

/// A value encoded within the payload of a `crashed` or `command` record.
///
/// A crashed batch may have been the first to use its schema; the log then lacks that schema. So
/// a value that cannot be decoded is not damage: its bytes are shown in hexadecimal under
/// `undecoded`.
package struct EmbeddedValue: Sendable {
  /// The value; `nil` if it cannot be decoded.
  package let value: AvroValue?
  private let encoded: [UInt8]
  private let codec: SchemaCodec

  init(_ encoded: [UInt8], _ codec: SchemaCodec?) {
    self.encoded = encoded
    self.codec = codec ?? PayloadCodecs.bytes
    value = codec.flatMap { try? $0.decode(encoded.span) }
  }

  /// The value as JSON.
  package var json: JSONValue {
    guard let value else { return ["undecoded": PayloadCodecs.bytes.json(.bytes(encoded))] }
    return codec.json(value)
  }

  /// Returns the value as text for people.
  ///
  /// A case is written as a call, and a restore as its target.
  package func text(_ logical: (String, AvroValue) -> JSONValue?) -> String {
    let text = value.flatMap { $0.restoreText ?? codec.caseText(of: $0, logical: logical) }
    return text ?? json.text()
  }

  /// Returns the value in words, see ``RecordWords``; a restore as its target.
  package func words(_ logical: (String, AvroValue) -> JSONValue?) -> String {
    guard let value else { return json.text() }
    return value.restoreText ?? RecordWords.text(value, codec.json(value, logical: logical))
  }
}

/// A field of a payload with encoded values.
package struct EmbeddedField: Sendable {
  /// The name of the field.
  package let name: String
  /// The values.
  package let values: [EmbeddedValue]
  /// Whether the field is an array of them, and not the only one.
  var isArray = false

  /// The field as JSON.
  package var json: JSONValue {
    isArray ? .array(values.map { $0.json }) : values.first?.json ?? .null
  }
}
