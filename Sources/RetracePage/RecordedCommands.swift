import Retrace
import RetraceBundle

/// A reader of the commands or the refusals of a log, which may have an older schema.
struct RecordedCommands<Value: Recordable> {
  private enum Reading {
    case own
    case older(SchemaResolver)
    case unreadable
  }

  private var known: [UInt32: Reading] = [:]

  /// Returns a value; `nil` if this build cannot read it.
  mutating func value(of encoded: RecordedCommand.Encoded, in log: PageLog) -> Value? {
    let reading = known[encoded.schema] ?? reading(encoded.schema, in: log)
    known[encoded.schema] = reading
    switch reading {
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

  private func reading(_ number: UInt32, in log: PageLog) -> Reading {
    guard let json = log.bundle.schema(.command, number) else { return .unreadable }
    if json.utf8.elementsEqual(Value.schema.text.utf8) { return .own }
    guard let recorded = try? Schema(parsing: json),
      let resolver = try? SchemaResolver(writer: recorded, reader: Value.schema)
    else { return .unreadable }
    return .older(resolver)
  }
}
