public import RetraceAvro
public import RetraceSchema

/// A schema of a log, and how an app reads the records that were written under it.
public struct LoggedSchema: Sendable {
  /// The fingerprint of the schema.
  public var fingerprint: Digest { reading.fingerprint }
  /// Whether and how the records of the schema can be read.
  public var verdict: SchemaVerdict { reading.verdict }
  /// The fingerprint and the verdict, which can be cached between processes.
  package let reading: SchemaReading
  /// The resolver of records that cannot be decoded directly; `nil` if nothing has to be resolved,
  /// or if the schema is not loaded yet.
  @usableFromInline var resolver: SchemaResolver?

  /// Whether some records are read by resolution.
  @usableFromInline var isResolved: Bool {
    reading.verdict != .same && reading.verdict.isReadable
  }
}

/// The verdict on a schema of a log, which can be cached between processes.
///
/// With a cached verdict, a process compiles the resolution only when it folds such a record.
package struct SchemaReading: Hashable, Sendable {
  package var fingerprint: Digest
  package var verdict: SchemaVerdict
  /// Whether the records are decoded directly, without resolution.
  package var isDirect: Bool

  package init(fingerprint: Digest, verdict: SchemaVerdict, isDirect: Bool) {
    self.fingerprint = fingerprint
    self.verdict = verdict
    self.isDirect = isDirect
  }
}

extension [LoggedSchema] {
  /// Returns the schema with a number, counted from 1, if any.
  @usableFromInline
  func numbered(_ number: UInt32) -> LoggedSchema? {
    number >= 1 && number <= count ? self[Int(number) - 1] : nil
  }
}

extension RecordCursor {
  /// Returns whether the record changes neither the state nor the effects in flight; checks it if
  /// it opened a session.
  ///
  /// A loop over many records counts these and skips several at once: where code is not specialized
  /// for an app, each access to a fold looks up metadata.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``FoldError``.
  package func changesNothing(under schemas: [LoggedSchema]) throws(FoldError) -> Bool {
    switch kind {
    case .action, .effectFinished: return false
    case .sessionOpened:
      try checkSession(under: schemas)
      return true
    default: return true
    }
  }

  /// Checks that the schema with the number that a session names is the one that it was opened
  /// with.
  ///
  /// Resolving by a damaged schema could misread records.
  ///
  /// - Throws: ``FoldError/schemaMismatch(session:schema:)``.
  @usableFromInline
  func checkSession(under schemas: [LoggedSchema]) throws(FoldError) {
    guard let stored = schemas.numbered(schema), stored.verdict != .same else { return }
    let opened: SessionOpened
    do throws(AvroError) {
      opened = try systemPayload(as: SessionOpened.self)
    } catch {
      throw .undecodable(sequence: sequence, error)
    }
    guard opened.actionSchema == stored.fingerprint else {
      throw .schemaMismatch(session: sequence, schema: schema)
    }
  }
}
