/// Reads by one schema what was written by another: Avro's schema resolution, compiled.
///
/// Names of records, enums, fixed types and fields are matched by the reader's aliases as well; a
/// field that was not recorded has its default; a symbol that the reader does not know becomes the
/// default of the enum; numbers become wider; strings and bytes stand for each other. A value for
/// which there is no rule is answered with the cases that it lies in, for an upcaster. Make it once
/// for many values.
public struct SchemaResolver: Sendable {
  /// The schema of what was recorded.
  public let writer: SchemaCodec
  /// The schema that it is read by.
  public let reader: SchemaCodec
  let nodes: [ResolutionNode]
  let root: Int
  let holes: [SchemaDifference]
  let changes: [SchemaDifference]
  let cases: [CaseName]
  let payloads: [Schema?]

  /// How many bytes one value may become; each default that is filled in makes it longer.
  public static var outputLimit: Int { 16 << 20 }

  /// How many steps may be nested; one level of an enum in an enum takes three.
  static var depthLimit: Int { 1_024 }

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
    self.writer = try SchemaCodec(writer)
    self.reader = try SchemaCodec(reader)
    var compiler = ResolutionCompiler(writer: self.writer, reader: self.reader)
    root = try compiler.root()
    nodes = compiler.nodes
    holes = compiler.holes
    changes = compiler.changes
    cases = compiler.cases
    payloads = compiler.payloads
  }

  /// A case that a value without a rule lies in.
  public struct UnresolvedCase: Hashable, Sendable {
    /// The case as it was recorded.
    public var name: CaseName
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
  /// dictionaries have the order of their old encoding; see `AvroReader.init(_:acceptsAnyOrder:)`.
  ///
  /// - Parameters:
  ///   - bytes: The canonical encoding of one value by the writer's schema, and nothing else.
  ///   - output: Takes the value; it is as before when this throws or there is no rule.
  /// - Complexity: O(bytes read and written), times the depth at which fields change their order.
  /// - Throws: ``AvroError`` when the bytes are no canonical encoding of a value of the writer's
  ///   schema, or take more than ``outputLimit`` or the depth that is allowed.
  public func resolve(
    _ bytes: Span<UInt8>, into output: inout AvroWriter
  ) throws(AvroError) -> Outcome {
    let start = output.count
    var reader = AvroReader(bytes)
    var run = Run(limit: start + Self.outputLimit)
    do throws(AvroError) {
      try self.run(root, &reader, &output, &run)
      try reader.finish()
      return .resolved
    } catch {
      output.truncate(to: start)
      guard let hole = run.hole else { throw error }
      return .unresolved(holes[hole], cases: run.cases.reversed())
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
  ///   - unresolved: The case, as ``resolve(_:into:)`` named it for these bytes.
  ///   - bytes: The bytes that were to be resolved.
  /// - Complexity: O(bytes).
  /// - Throws: ``AvroError`` when the bytes are no value of the writer's schema.
  public func payload(
    of unresolved: UnresolvedCase, in bytes: Span<UInt8>
  ) throws(AvroError) -> AvroValue {
    var reader = AvroReader(bytes)
    try reader.skip(unresolved.offset)
    guard let schema = payloads[unresolved.index] else {
      return .enumeration(
        position: try reader.branch(count: Int(Int32.max)), symbol: unresolved.name.name)
    }
    return try writer.decode(schema, &reader)
  }

  /// What changes while one value is read.
  private struct Run {
    /// How long the output may become.
    let limit: Int
    /// How many more steps may be nested.
    var depth = SchemaResolver.depthLimit
    /// The cases that are being read, the innermost last.
    var cases: [UnresolvedCase] = []
    /// The difference for which there is no rule.
    var hole: Int?

    init(limit: Int) { self.limit = limit }
  }

  @_lifetime(input: copy input)
  private func run(
    _ node: Int, _ input: inout AvroReader, _ output: inout AvroWriter, _ run: inout Run
  ) throws(AvroError) {
    switch nodes[node] {
    case .pending: throw AvroError(.schema, at: input.offset, "a type that was not compiled")
    case .null: break
    case .boolean: output.boolean(try input.boolean())
    case .int: output.long(Int64(try input.int()))
    case .long: output.long(try input.long())
    case .float: output.float(try input.float())
    case .double: output.double(try input.double())
    case .string, .text: try copyText(&input, &output)
    case .bytes:
      let bytes = try input.raw(try input.length())
      output.long(Int64(bytes.count))
      output.raw(bytes)
    case .fixed(let count): output.raw(try input.raw(count))
    case .intToFloat: output.float(Float(try input.int()))
    case .intToDouble: output.double(Double(try input.int()))
    case .longToFloat: output.float(Float(try input.long()))
    case .longToDouble: output.double(Double(try input.long()))
    case .floatToDouble: output.double(Double(try input.float()))
    case .enumeration(let symbols):
      let start = input.offset
      switch symbols[try input.branch(count: symbols.count)] {
      case .position(let position): output.branch(position)
      case .hole(let hole, let index):
        run.cases.append(UnresolvedCase(name: cases[index], index: index, offset: start))
        run.hole = hole
        throw AvroError(.schema, at: start, holes[hole].description)
      }
    case .hole(let hole):
      run.hole = hole
      throw AvroError(.schema, at: input.offset, holes[hole].description)
    case .array, .map, .record, .union, .wrap:
      guard run.depth > 0 else { throw AvroError(.tooLarge, at: input.offset, "depth") }
      guard output.count <= run.limit else {
        throw AvroError(.tooLarge, at: input.offset, "what the value becomes")
      }
      run.depth -= 1
      try nested(nodes[node], &input, &output, &run)
      run.depth += 1
    }
  }

  @_lifetime(input: copy input)
  private func copyText(
    _ input: inout AvroReader, _ output: inout AvroWriter
  ) throws(AvroError) {
    let start = input.offset
    let bytes = try input.raw(try input.length())
    do { _ = try UTF8Span(validating: bytes) } catch { throw AvroError(.notUTF8, at: start) }
    output.long(Int64(bytes.count))
    output.raw(bytes)
  }

  @_lifetime(input: copy input)
  private func nested(
    _ node: ResolutionNode, _ input: inout AvroReader, _ output: inout AvroWriter, _ run: inout Run
  ) throws(AvroError) {
    switch node {
    case .array(let items): try block(items, keyed: false, &input, &output, &run)
    case .map(let values): try block(values, keyed: true, &input, &output, &run)
    case .union(let branches):
      let branch = branches[try input.branch(count: branches.count)]
      if let index = branch.caseIndex {
        run.cases.append(
          UnresolvedCase(name: cases[index], index: index, offset: input.offset))
        try self.run(branch.node, &input, &output, &run)
        run.cases.removeLast()
      } else {
        try self.run(branch.node, &input, &output, &run)
      }
    case .wrap(let branch, let inner):
      output.branch(branch)
      try self.run(inner, &input, &output, &run)
    case .record(let record): try self.record(record, &input, &output, &run)
    default: break
    }
  }

  @_lifetime(input: copy input)
  private func block(
    _ node: Int, keyed: Bool, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ run: inout Run
  ) throws(AvroError) {
    let count = try input.beginBlock()
    output.beginBlock(count: count)
    if count > 0 {
      for _ in 0..<count {
        let start = input.offset
        if keyed {
          try copyText(&input, &output)
        }
        try self.run(node, &input, &output, &run)
        if input.offset == start { try input.passEmptyItem() }
        guard output.count <= run.limit else {
          throw AvroError(.tooLarge, at: start, "what the value becomes")
        }
      }
      try input.endBlocks()
    }
    output.endBlocks()
  }

  @_lifetime(input: copy input)
  private func record(
    _ record: ResolutionNode.Record, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ run: inout Run
  ) throws(AvroError) {
    if let steps = record.stream {
      for step in steps {
        switch step {
        case .resolve(let node): try self.run(node, &input, &output, &run)
        case .bytes(let bytes): output.raw(bytes)
        case .skip(let node):
          let end = output.count
          try self.run(node, &input, &output, &run)
          output.truncate(to: end)
        }
      }
      return
    }
    // The fields change their order: one pass finds where each begins, the next reads them.
    let end = output.count
    var offsets: [Int] = []
    for node in record.skips {
      offsets.append(input.offset)
      try self.run(node, &input, &output, &run)
      output.truncate(to: end)
    }
    let after = input.offset
    for target in record.targets {
      switch target {
      case .bytes(let bytes): output.raw(bytes)
      case .field(let position, let node):
        input.position = offsets[position]
        try self.run(node, &input, &output, &run)
      }
    }
    input.position = after
  }
}
