public import RetraceAvro

/// A converter of recorded values to another schema: Avro's schema resolution, compiled.
///
/// Names of records, enums, fixed types and fields are also matched by the reader's aliases. A
/// field that was not recorded gets its default, and an unknown symbol becomes the default of the
/// enum. Numbers are widened; strings and bytes are read as each other. For a value that cannot be
/// resolved, the resolver returns the cases around it, for an upcaster. Make one resolver for many
/// values.
///
/// ```swift
/// let old = try Schema(parsing: json)
/// let resolver = try SchemaResolver(writer: old, reader: NotesAction.schema)
/// var writer = AvroWriter()
/// if case .unresolved(let difference, _) = try resolver.resolve(bytes.span, into: &writer) {
///   print(difference)
/// }
/// ```
public struct SchemaResolver: Sendable {
  let storage: Storage

  /// The recorded schema.
  public var writer: SchemaCodec { storage.writer }
  /// The schema that recorded values are read by.
  public var reader: SchemaCodec { storage.reader }

  /// The compiled resolution, in a reference type.
  final class Storage: Sendable {
    let writer: SchemaCodec
    let reader: SchemaCodec
    let nodes: [ResolutionNode]
    let root: Int
    let program: ResolutionProgram
    let unresolvedDifferences: [SchemaDifference]
    let changes: [SchemaDifference]
    let losses: [SchemaDifference]
    let dropsRules: Bool
    let cases: [CaseName]
    let payloads: [Schema?]

    init(_ writer: SchemaCodec, _ reader: SchemaCodec) throws(AvroError) {
      self.writer = writer
      self.reader = reader
      var compiler = ResolutionCompiler(writer: writer, reader: reader)
      root = try compiler.root()
      nodes = compiler.nodes
      program = ResolutionProgram(compiler.nodes)
      unresolvedDifferences = compiler.unresolvedDifferences
      changes = compiler.changes
      losses = compiler.losses
      dropsRules = compiler.dropsRules
      cases = compiler.cases
      payloads = compiler.payloads
    }
  }

  /// Compiles a resolution.
  ///
  /// - Parameters:
  ///   - writer: The recorded schema, which is untrusted.
  ///   - reader: The schema to read by.
  /// - Complexity: O(parts of both schemas) if types match one to one.
  /// - Throws: `AvroError` of the kind `schema` if a name is not defined or defined twice,
  ///   `tooLarge` if the schemas have too many parts. Types that do not fit are not an error; see
  ///   ``verdict(handling:retiring:)``.
  public init(writer: Schema, reader: Schema) throws(AvroError) {
    storage = try Storage(SchemaCodec(writer), SchemaCodec(reader))
  }

  /// A case around a value that cannot be resolved.
  public struct UnresolvedCase: Hashable, Sendable {
    /// The name of the recorded case.
    public var name: CaseName
    /// Whether the recorded value has no content other than the case and ids.
    public var isOnlyContent = true
    let index: Int
    let offset: Int
  }

  /// The result of resolving a value.
  public enum Outcome: Hashable, Sendable {
    /// The value was written.
    case resolved
    /// A part of the value cannot be resolved, and nothing was written.
    ///
    /// The difference is the reason. The cases are those around the part, innermost first.
    case unresolved(SchemaDifference, cases: [UnresolvedCase])
  }

  /// Writes a recorded value in the encoding of the reader's schema.
  ///
  /// The output is canonical, except that the members of sets and the keys of dictionaries are in
  /// the order of their old encoding; see `AvroReader.init(resolved:inputByteCount:)`.
  ///
  /// - Parameters:
  ///   - bytes: The canonical encoding of exactly one value of the writer's schema.
  ///   - output: Receives the value; unchanged if this throws or the value cannot be resolved.
  ///   - rejectingUnchecked: Whether a value that may not be valid for its type counts as
  ///     unresolvable. Pass `true` for a value that its type has rejected.
  /// - Complexity: O(bytes read and written), times the nesting depth of reordered fields.
  /// - Throws: `AvroError` if the bytes are not the canonical encoding of a value of the writer's
  ///   schema, or exceed `AvroLimits`.
  public func resolve(
    _ bytes: Span<UInt8>, into output: inout AvroWriter, rejectingUnchecked: Bool = false
  ) throws(AvroError) -> Outcome {
    let start = output.count
    var reader = AvroReader(bytes)
    var state = RunState(
      limit: start + AvroLimits.resolvedBytes, rejectsUnchecked: rejectingUnchecked)
    do throws(AvroError) {
      try storage.resolve(storage.root, &reader, &output, &state)
      try reader.finish()
      return .resolved
    } catch {
      output.truncate(to: start)
      guard let difference = state.unresolved else { throw error }
      for index in 0..<state.siblingCaseCount { state.cases[index].isOnlyContent = false }
      return .unresolved(storage.unresolvedDifferences[difference], cases: state.cases)
    }
  }

  /// Returns the whole recorded value.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: `AvroError` if the bytes are not a value of the writer's schema.
  public func recorded(_ bytes: Span<UInt8>) throws(AvroError) -> AvroValue {
    try writer.decode(bytes)
  }

  /// Returns the payloads of an unresolved case: a record, or the symbol.
  ///
  /// - Parameters:
  ///   - unresolved: A case that ``resolve(_:into:rejectingUnchecked:)`` returned for these bytes.
  ///   - bytes: The bytes that could not be resolved.
  /// - Complexity: O(bytes).
  /// - Throws: `AvroError` if the bytes are not a value of the writer's schema.
  public func payload(
    of unresolved: UnresolvedCase, in bytes: Span<UInt8>
  ) throws(AvroError) -> AvroValue {
    var reader = AvroReader(bytes)
    try reader.skip(unresolved.offset)
    guard let schema = storage.payloads[unresolved.index] else {
      return .enumeration(
        index: try reader.branch(count: Int(Int32.max)), symbol: unresolved.name.name)
    }
    return try writer.decode(schema, &reader)
  }
}
