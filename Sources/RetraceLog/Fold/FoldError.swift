public import RetraceAvro
public import RetraceSchema

/// The error of a record that could not be folded.
public enum FoldError: Error, Hashable, Sendable {
  /// The record is not the one after the last record folded.
  case gap(expected: UInt64, found: UInt64)
  /// The plan does not know the schema of the record.
  case unknownSchema(sequence: UInt64, schema: UInt32)
  /// The record must be resolved, but the plan has not loaded its schema.
  ///
  /// Only a plan with cached verdicts throws this. A `ReadView` then loads the schema and folds the
  /// record again.
  case schemaNotLoaded(sequence: UInt64, schema: UInt32)
  /// The payload is not the canonical encoding of an action of its schema.
  case undecodable(sequence: UInt64, AvroError)
  /// This build can read the schema of the record, but not this value.
  case unresolved(sequence: UInt64, schema: UInt32, SchemaDifference)
  /// The upcaster of a case threw.
  case upcasterFailed(sequence: UInt64, CaseName, detail: String)
  /// The schema with a number is not the one that the session named when it was opened.
  case schemaMismatch(session: UInt64, schema: UInt32)
  /// A record must be resolved, but the opening of its session was not checked; see
  /// ``RecordFold/registerSession(_:)``.
  case unregisteredSession(sequence: UInt64, session: UInt64)
}
