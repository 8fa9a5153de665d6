import RetraceArchitecture
package import RetraceAvro
import RetraceSchema

/// A decoder of the commands or the refusals of a log, which may have an older schema.
package struct RecordedValues<Value: Recordable>: Sendable {
  private enum Schemas: Sendable {
    case own
    case older(SchemaResolver)
    case unreadable
  }

  private var known: [UInt32: Schemas] = [:]

  /// Creates a decoder that knows no schema yet.
  package init() {}

  /// Returns whether the decoder has seen a value with a schema.
  package func knows(_ schema: UInt32) -> Bool { known[schema] != nil }

  /// Returns a value; `nil` if this build cannot read it.
  ///
  /// - Parameters:
  ///   - encoded: The value.
  ///   - schema: Returns the JSON of the schema with a number; `nil` if the log has none.
  package mutating func value(
    of encoded: RecordedCommand.Encoded, schema: (UInt32) -> String?
  ) -> Value? {
    let schemas = known[encoded.schema] ?? schemas(schema(encoded.schema))
    known[encoded.schema] = schemas
    switch schemas {
    case .own: return try? Value(encoded: encoded.bytes.span)
    case .older(let resolver):
      var writer = AvroWriter(capacity: encoded.bytes.count + 64)
      guard case .resolved? = try? resolver.resolve(encoded.bytes.span, into: &writer) else {
        return nil
      }
      var reader = AvroReader(resolved: writer.span, inputByteCount: encoded.bytes.count)
      return try? Value(decoding: &reader)
    case .unreadable: return nil
    }
  }

  private func schemas(_ json: String?) -> Schemas {
    guard let json else { return .unreadable }
    if json.utf8.elementsEqual(Value.schema.text.utf8) { return .own }
    guard let recorded = try? Schema(parsing: json),
      let resolver = try? SchemaResolver(writer: recorded, reader: Value.schema)
    else { return .unreadable }
    return .older(resolver)
  }
}
