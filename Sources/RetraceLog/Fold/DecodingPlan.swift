public import RetraceArchitecture
public import RetraceAvro
public import RetraceSchema
public import RetraceState

/// A plan for decoding the records of a log, schema by schema, into actions of an app.
///
/// Records whose schema has the canonical form of the app's own are decoded directly. Records of
/// other schemas, and records for which direct decoding fails, are read by Avro's schema
/// resolution. Where that has no rule, the app's upcasters and retired cases apply. The plan is
/// made once from the schemas in a log; copies share it.
public struct DecodingPlan<App: ReplayableApp>: Sendable {
  /// The schemas, in the order of their numbers from 1.
  public private(set) var schemas: [LoggedSchema] = []
  private let composeActionSchema: @Sendable () -> Schema
  @usableFromInline let upcasters: [CaseName: Upcaster<App.Action>]
  @usableFromInline let retired: Set<CaseName>

  /// Creates the plan of a log without schemas.
  ///
  /// - Parameter actionSchema: The schema of the app's actions, which is composed only for a log
  ///   with other schemas; pass it if it was already composed.
  public init(_ actionSchema: @autoclosure @escaping @Sendable () -> Schema = App.Action.schema) {
    composeActionSchema = actionSchema
    upcasters = App.upcasters
    retired = Set(App.retired.keys)
  }

  /// Appends the schema with the next number.
  ///
  /// - Complexity: O(parts of both schemas); O(bytes of the schema) if it is the app's own.
  /// - Throws: `AvroError` if the schema is not valid or has too many parts.
  public mutating func append(
    _ schema: Schema, hashing: (some ByteHasher).Type
  ) throws(AvroError) {
    let fingerprint = schema.fingerprint(with: hashing)
    let actionSchema = composeActionSchema()
    let resolver = try SchemaResolver(writer: schema, reader: actionSchema)
    let verdict = resolver.verdict(
      handling: Set(upcasters.keys), retiring: retired, asking: App.commandNames)
    if verdict == .same { return appendOwn(fingerprint) }
    // If only the rules of types (`retraceRule`) differ, nearly every value is valid for both. A
    // value that is not is read by resolution.
    let reading = SchemaReading(
      fingerprint: fingerprint, verdict: verdict,
      isDirect: schema.canonicalForm == actionSchema.canonicalForm)
    schemas.append(
      LoggedSchema(reading: reading, resolver: verdict.isReadable ? resolver : nil))
  }

  /// Appends the schema with the next number, which is loaded when a record needs it.
  ///
  /// - Complexity: O(1).
  package mutating func append(notLoaded reading: SchemaReading) {
    schemas.append(LoggedSchema(reading: reading, resolver: nil))
  }

  /// Loads a schema for which a fold threw ``FoldError/schemaNotLoaded(sequence:schema:)``.
  ///
  /// - Complexity: O(parts of both schemas).
  /// - Throws: `AvroError` if the schema is not valid or not the one that was appended.
  package mutating func load(
    _ schema: Schema, as number: UInt32, hashing: (some ByteHasher).Type
  ) throws(AvroError) {
    let index = Int(number) - 1
    guard schemas[index].fingerprint == schema.fingerprint(with: hashing) else {
      throw AvroError(.schema, at: 0, "it does not have its fingerprint")
    }
    schemas[index].resolver = try SchemaResolver(writer: schema, reader: composeActionSchema())
  }

  /// Appends the schema with the next number, which is known to be the app's own.
  ///
  /// - Complexity: O(1).
  public mutating func appendOwn(_ fingerprint: Digest) {
    let reading = SchemaReading(fingerprint: fingerprint, verdict: .same, isDirect: true)
    schemas.append(LoggedSchema(reading: reading, resolver: nil))
  }

  /// Returns the schema with a number, or `nil` if the plan has no such schema.
  public func schema(_ number: UInt32) -> LoggedSchema? {
    schemas.numbered(number)
  }

  /// Returns whether records of a schema that cannot be decoded directly are resolved.
  @usableFromInline
  func canResolve(_ number: UInt32) -> Bool {
    schemas.numbered(number)?.isResolved == true
  }

  package var hasLoadedSchemas: Bool { schemas.contains { $0.resolver != nil } }

  /// Returns whether the records of a schema are decoded directly.
  ///
  /// A process that catches up folds only these; other records were written by another build.
  public func decodesDirectly(_ number: UInt32) -> Bool {
    schemas.numbered(number)?.reading.isDirect == true
  }

  /// The number and verdict of the first schema that cannot be folded; `nil` if all can.
  public var firstUnreadable: (number: UInt32, verdict: SchemaVerdict)? {
    guard let index = schemas.firstIndex(where: { !$0.verdict.isReadable }) else { return nil }
    return (UInt32(index + 1), schemas[index].verdict)
  }

  /// Returns the actions of a record, as a fold would reduce them; `nil` if the fold skips the
  /// record because its case is retired.
  ///
  /// - Complexity: O(bytes of the record); resolving one of an older schema allocates.
  /// - Throws: ``FoldError``.
  public func actions(of record: borrowing RecordCursor) throws(FoldError) -> [App.Action]? {
    if decodesDirectly(record.schema) {
      do throws(AvroError) {
        return [try App.Action(encoded: record.payload)]
      } catch {
        guard canResolve(record.schema) else {
          throw .undecodable(sequence: record.sequence, error)
        }
      }
    }
    let outcome = try outcome(
      of: record.payload, schema: record.schema, sequence: record.sequence,
      session: record.session, moment: record.moment)
    switch outcome {
    case .action(let action): return [action]
    case .actions(let actions): return actions
    case .skipped: return nil
    }
  }

  /// The result of resolving a record of another schema than the app's.
  @usableFromInline
  enum Outcome {
    /// One action, the result for nearly every record.
    case action(App.Action)
    /// Actions, reduced in one step.
    case actions([App.Action])
    /// No action: the case is retired.
    case skipped(CaseName)
  }

  /// Returns the actions of a record by resolution, upcasters and retired cases.
  @inlinable
  func outcome(
    of payload: Span<UInt8>, schema number: UInt32, sequence: UInt64, session: UInt64,
    moment: Moment
  ) throws(FoldError) -> Outcome {
    guard let schema = schemas.numbered(number), schema.isResolved else {
      throw .unknownSchema(sequence: sequence, schema: number)
    }
    guard let resolver = schema.resolver else {
      throw .schemaNotLoaded(sequence: sequence, schema: number)
    }
    let resolution: Resolution
    do throws(AvroError) {
      resolution = try resolve(payload, with: resolver)
    } catch {
      throw .undecodable(sequence: sequence, error)
    }
    switch resolution {
    case .action(let action): return .action(action)
    case .skipped(let name): return .skipped(name)
    case .unresolved(let difference):
      throw .unresolved(sequence: sequence, schema: number, difference)
    case .upcast(let name, let upcaster, let value, let action):
      let context = RecordContext(
        sequence: sequence, session: session, moment: moment, action: action)
      do throws(AvroError) {
        return .actions(try upcaster(value, context))
      } catch {
        throw .upcasterFailed(sequence: sequence, name, detail: error.description)
      }
    }
  }

  @usableFromInline
  enum Resolution {
    case action(App.Action)
    case upcast(CaseName, Upcaster<App.Action>, AvroValue, AvroValue)
    case skipped(CaseName)
    case unresolved(SchemaDifference)
  }

  @inlinable
  func resolve(
    _ payload: Span<UInt8>, with resolver: SchemaResolver
  ) throws(AvroError) -> Resolution {
    var writer = AvroWriter(capacity: payload.count + 64)
    switch try resolver.resolve(payload, into: &writer) {
    case .resolved:
      do throws(AvroError) {
        var reader = AvroReader(resolved: writer.span, inputByteCount: payload.count)
        let action = try App.Action(decoding: &reader)
        try reader.finish()
        return .action(action)
      } catch {
        // The recorded type has values that today's type does not have, or the bytes are damaged.
        let doubtful = try resolver.resolve(payload, into: &writer, rejectingUnchecked: true)
        guard case .unresolved(let difference, let cases) = doubtful else { throw error }
        return try upcastOrRetire(difference, in: cases, of: payload, with: resolver)
      }
    case .unresolved(let difference, let cases):
      return try upcastOrRetire(difference, in: cases, of: payload, with: resolver)
    }
  }

  /// Looks for an upcaster or a retirement of the cases for which resolution has no rule.
  @usableFromInline
  func upcastOrRetire(
    _ difference: SchemaDifference, in cases: [SchemaResolver.UnresolvedCase],
    of payload: Span<UInt8>, with resolver: SchemaResolver
  ) throws(AvroError) -> Resolution {
    for unresolved in cases {
      if let upcaster = upcasters[unresolved.name] {
        return .upcast(
          unresolved.name, upcaster, try resolver.payload(of: unresolved, in: payload),
          try resolver.recorded(payload))
      }
      if unresolved.isOnlyContent && retired.contains(unresolved.name) {
        return .skipped(unresolved.name)
      }
    }
    return .unresolved(difference)
  }
}
