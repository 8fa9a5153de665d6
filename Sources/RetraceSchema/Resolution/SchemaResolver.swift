public import RetraceAvro

/// Reads by one schema what was written by another: Avro's schema resolution, compiled.
///
/// Names of records, enums, fixed types and fields are matched by the reader's aliases as well; a
/// field that was not recorded has its default; a symbol that the reader does not know becomes the
/// default of the enum; numbers become wider; strings and bytes stand for each other. A value for
/// which there is no rule is answered with the cases that it lies in, for an upcaster. Make it once
/// for many values.
public struct SchemaResolver: Sendable {
  let storage: Storage

  /// The schema of what was recorded.
  public var writer: SchemaCodec { storage.writer }
  /// The schema that it is read by.
  public var reader: SchemaCodec { storage.reader }

  /// What is compiled, behind one reference.
  final class Storage: Sendable {
    let writer: SchemaCodec
    let reader: SchemaCodec
    let nodes: [ResolutionNode]
    let root: Int
    let program: ResolutionProgram
    let holes: [SchemaDifference]
    let changes: [SchemaDifference]
    let losses: [SchemaDifference]
    let hasOtherRules: Bool
    let cases: [CaseName]
    let payloads: [Schema?]

    init(_ writer: SchemaCodec, _ reader: SchemaCodec) throws(AvroError) {
      self.writer = writer
      self.reader = reader
      var compiler = ResolutionCompiler(writer: writer, reader: reader)
      root = try compiler.root()
      nodes = compiler.nodes
      program = ResolutionProgram(compiler.nodes)
      holes = compiler.holes
      changes = compiler.changes
      losses = compiler.losses
      hasOtherRules = compiler.hasOtherRules
      cases = compiler.cases
      payloads = compiler.payloads
    }
  }

  /// Compiles a resolution.
  ///
  /// - Parameters:
  ///   - writer: The schema of what was recorded; nothing of it is trusted.
  ///   - reader: The schema that it is to be read by.
  /// - Complexity: O(parts of both schemas) where types match one to one.
  /// - Throws: ``AvroError`` of the kind `schema` when a name is not defined or is defined twice,
  ///   `tooLarge` when the schemas have too many parts. Types that do not fit are no error; see
  ///   ``verdict(handling:retiring:)``.
  public init(writer: Schema, reader: Schema) throws(AvroError) {
    storage = try Storage(SchemaCodec(writer), SchemaCodec(reader))
  }

  /// A case that a value without a rule lies in.
  public struct UnresolvedCase: Hashable, Sendable {
    /// The case as it was recorded.
    public var name: CaseName
    /// Whether the value holds nothing beside the case but ids that say what it is about.
    public var isAlone = true
    let index: Int
    let offset: Int
  }

  /// What became of a value.
  public enum Outcome: Hashable, Sendable {
    /// It was written.
    case resolved
    /// There is no rule for a part of it, and nothing was written; the cases that the part lies
    /// in, the innermost first.
    case unresolved(SchemaDifference, cases: [UnresolvedCase])
  }

  /// Writes a value as the reader's schema has it.
  ///
  /// What is written is canonical but for one thing: the members of sets and the keys of
  /// dictionaries have the order of their old encoding; see ``AvroReader/init(resolved:from:)``.
  ///
  /// - Parameters:
  ///   - bytes: The canonical encoding of one value by the writer's schema, and nothing else.
  ///   - output: Takes the value; it is as before when this throws or there is no rule.
  ///   - refusingDoubts: Whether a value that may be none of its type counts as one without a rule,
  ///     which is for values that the type refused.
  /// - Complexity: O(bytes read and written), times the depth at which fields change their order.
  /// - Throws: ``AvroError`` when the bytes are no canonical encoding of a value of the writer's
  ///   schema, or are beyond ``AvroLimits``.
  public func resolve(
    _ bytes: Span<UInt8>, into output: inout AvroWriter, refusingDoubts: Bool = false
  ) throws(AvroError) -> Outcome {
    let start = output.count
    var reader = AvroReader(bytes)
    var run = Run(limit: start + AvroLimits.resolvedBytes, refusesDoubts: refusingDoubts)
    do throws(AvroError) {
      try storage.run(storage.root, &reader, &output, &run)
      try reader.finish()
      return .resolved
    } catch {
      output.truncate(to: start)
      guard let hole = run.hole else { throw error }
      for index in 0..<run.besideOthers { run.cases[index].isAlone = false }
      return .unresolved(storage.holes[hole], cases: run.cases)
    }
  }

  /// The whole of what was recorded.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: ``AvroError`` when the bytes are no value of the writer's schema.
  public func recorded(_ bytes: Span<UInt8>) throws(AvroError) -> AvroValue {
    try writer.decode(bytes)
  }

  /// The payloads of a case that a value without a rule lies in: a record, or the symbol.
  ///
  /// - Parameters:
  ///   - unresolved: The case, as ``resolve(_:into:refusingDoubts:)`` named it for these bytes.
  ///   - bytes: The bytes that were to be resolved.
  /// - Complexity: O(bytes).
  /// - Throws: ``AvroError`` when the bytes are no value of the writer's schema.
  public func payload(
    of unresolved: UnresolvedCase, in bytes: Span<UInt8>
  ) throws(AvroError) -> AvroValue {
    var reader = AvroReader(bytes)
    try reader.skip(unresolved.offset)
    guard let schema = storage.payloads[unresolved.index] else {
      return .enumeration(
        position: try reader.branch(count: Int(Int32.max)), symbol: unresolved.name.name)
    }
    return try writer.decode(schema, &reader)
  }
}
