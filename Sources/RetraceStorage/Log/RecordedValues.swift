package import Retrace

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

  /// Returns a value; `nil` if this build cannot read it.
  package mutating func value(
    of encoded: RecordedCommand.Encoded, in view: borrowing ReadView
  ) -> Value? {
    if known[encoded.schema] == nil { known[encoded.schema] = schemas(encoded.schema, in: view) }
    switch known[encoded.schema] {
    case .own: return try? Value(encoded: encoded.bytes.span)
    case .older(let resolver):
      var writer = AvroWriter(capacity: encoded.bytes.count + 64)
      guard case .resolved? = try? resolver.resolve(encoded.bytes.span, into: &writer) else {
        return nil
      }
      var reader = AvroReader(resolved: writer.span, inputByteCount: encoded.bytes.count)
      return try? Value(decoding: &reader)
    case .unreadable, nil: return nil
    }
  }

  private func schemas(_ number: UInt32, in view: borrowing ReadView) -> Schemas {
    guard let json = try? view.schema(LogFormat.commandSchemaNumber(number)) else {
      return .unreadable
    }
    if json == Value.schema.text { return .own }
    guard let recorded = try? Schema(parsing: json),
      let resolver = try? SchemaResolver(writer: recorded, reader: Value.schema)
    else { return .unreadable }
    return .older(resolver)
  }
}
