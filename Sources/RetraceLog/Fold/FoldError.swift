public import RetraceAvro
public import RetraceSchema

/// Why a record could not be folded.
public enum FoldError: Error, Hashable, Sendable {
  /// The record does not follow the last one folded.
  case gap(expected: UInt64, found: UInt64)
  /// The record was written under a schema that the plan does not know.
  case otherSchema(sequence: UInt64, schema: UInt32)
  /// The payload is not the canonical encoding of an action of its schema.
  case undecodable(sequence: UInt64, AvroError)
  /// The record was written under a schema that this build reads, but not this value of it.
  case unresolved(sequence: UInt64, schema: UInt32, SchemaDifference)
  /// The upcaster of a case threw.
  case upcasterFailed(sequence: UInt64, CaseName, detail: String)
  /// The schema of a number is not the one that the session named when it was opened.
  case foreignSchema(session: UInt64, schema: UInt32)
  /// A record has to be resolved, and the opening of its session was not looked at; see
  /// ``RecordFold/meet(_:)``.
  case unmetSession(sequence: UInt64, session: UInt64)
}
