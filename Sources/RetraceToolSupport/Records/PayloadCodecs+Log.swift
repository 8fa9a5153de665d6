package import Retrace
package import RetraceStorage

extension PayloadCodecs {
  /// Returns the codec of a record in a damaged store; `nil` without a valid schema.
  mutating func codec(of record: IntactRecord, schema: (UInt32) -> Schema?) -> SchemaCodec? {
    let kind = record.envelope.kind
    guard kind != .action else { return codec(record.envelope.schema, schema) }
    return try? codec(of: kind, inVersion: record.version)
  }

  /// Returns the codec of a record's payload.
  ///
  /// - Throws: `damaged` when the log lacks the schema of the record. For the first action of a
  ///   schema, also when the schema does not have the fingerprint that the action's session
  ///   recorded; `ReadView.verify()` checks this for all sessions.
  package mutating func codec(
    of envelope: Envelope, in view: borrowing ReadView
  ) throws(StoreError) -> SchemaCodec {
    // An embedded value may have created the codec before the first action is read.
    if envelope.kind == .action, !checkedSchemas.contains(envelope.schema) {
      try view.checkSchema(envelope.schema, ofSession: envelope.session)
      checkedSchemas.insert(envelope.schema)
    }
    if envelope.kind == .action, let known = codec(envelope.schema, { _ in nil }) { return known }
    var schema: Schema?
    if envelope.kind == .action {
      schema = try view.parsedSchema(envelope.schema, of: envelope.sequence)
    }
    do throws(AvroError) {
      guard let schema else { return try codec(of: envelope.kind, inVersion: view.version) }
      return try codec(ofActions: envelope.schema, schema)
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, schema: error)
    }
  }
}
