import Retrace
import RetraceStorage

/// The schema and the encoding of exported records: one Avro object per record.
///
/// The payload is a union of the schemas of actions and system records. The types of each action
/// schema get a namespace with its number, such as `schema1`, and those of commands and refusals
/// one such as `commands1`, so that two versions of a type can coexist. Commands, refusals and
/// crashed actions, which a record of the log holds as bytes, are records of the union too.
struct RecordExport {
  let schema: Schema
  private var actionBranches: [UInt32: Int] = [:]
  private var systemBranches: [RecordKind: Int] = [:]
  private let values: ValueExport
  private var clocks = RecordClocks()

  /// Builds the schema of a log's export.
  init(_ view: borrowing ReadView) throws(StoreError) {
    let actions = try view.parsedSchemas().enumerated().map { index, schema in
      (number: UInt32(index + 1), schema: schema, space: "schema\(index + 1)")
    }
    let commands = try view.parsedSchemas(ofCommands: true).enumerated().map { index, schema in
      (
        number: LogFormat.commandSchemaNumber(UInt32(index + 1)), schema: schema,
        space: "commands\(index + 1)"
      )
    }
    var branches: [Schema] = []
    for (number, schema, space) in actions {
      actionBranches[number] = branches.count
      branches.append(schema.inNamespace(space))
    }
    values = ValueExport(actions: actions, commands: commands)
    var composer = SchemaComposer()
    let digest = composer.schema(of: Digest.self)
    let known = RecordKind.allCases.filter { $0.firstVersion <= view.version }
    var valueSchema = values.schema
    for kind in known where kind != .action {
      systemBranches[kind] = branches.count
      let payload = kind.payloadSchema(ofVersion: view.version, in: &composer)
      branches.append(payload.replacingBytes(of: kind, by: &valueSchema))
    }
    schema = Self.schema(kinds: known, digest: digest, payload: .union(branches))
  }

  private static func schema(kinds: [RecordKind], digest: Schema, payload: Schema) -> Schema {
    let instant = Schema.logical("timestamp-micros", .long)
    return .record(
      name: "Record",
      fields: [
        Schema.Field("sequence", .long),
        Schema.Field("kind", .enumeration(name: "RecordKind", symbols: kinds.map { "\($0)" })),
        Schema.Field("session", .long),
        Schema.Field("moment", instant),
        Schema.Field("cause", .union([.null, .long])),
        Schema.Field("startsBatch", .boolean),
        Schema.Field("hasEffect", .boolean),
        Schema.Field("key", .union([.null, .bytes])),
        Schema.Field("stateHash", .union([.null, digest])),
        Schema.Field("isClockFixed", .boolean),
        Schema.Field("realTime", .union([.null, instant])),
        Schema.Field("earlierThan", .union([.null, .long])),
        Schema.Field("shortStateHash", .union([.null, .bytes])),
        Schema.Field("payload", payload),
      ])
  }

  /// Writes a record.
  ///
  /// - Throws: `damaged` with the sequence if the log lacks the record's schema, or if the payload
  ///   of a system record cannot be decoded.
  mutating func encode(
    _ envelope: Envelope, _ payload: Span<UInt8>, in view: borrowing ReadView,
    into writer: inout AvroWriter
  ) throws(StoreError) {
    let clock = try clocks.remark(on: envelope, in: view)
    writer.long(Int64(clamping: envelope.sequence))
    writer.branch(Int(envelope.kind.rawValue))
    writer.long(Int64(clamping: envelope.session))
    writer.long(envelope.moment.microseconds)
    writer.optional(envelope.cause.map { Int64(clamping: $0) })
    writer.boolean(envelope.startsBatch)
    writer.boolean(envelope.hasEffect)
    writer.branch(envelope.key == nil ? 0 : 1)
    if let key = envelope.key { writer.bytes(key) }
    writer.branch(envelope.stateHash == nil ? 0 : 1)
    if let hash = envelope.stateHash { writer.digest(hash) }
    writer.boolean(clock?.fixed != nil)
    writer.optional(envelope.realTime?.microseconds)
    writer.optional(clock?.earlierThan.map { Int64(clamping: $0) })
    let short = envelope.recordedHash?.shortBytes
    writer.branch(short == nil ? 0 : 1)
    if let short { writer.bytes(short) }
    let branch =
      envelope.kind == .action ? actionBranches[envelope.schema] : systemBranches[envelope.kind]
    guard let branch else {
      throw StoreError.damaged(
        sequence: envelope.sequence, detail: "schema \(envelope.schema) is not in the log")
    }
    writer.branch(branch)
    do throws(AvroError) {
      try values.encode(envelope.kind, payload, into: &writer)
    } catch {
      throw StoreError.damaged(sequence: envelope.sequence, payload: error)
    }
  }
}

/// The values that records of the log hold as bytes: commands, refusals and crashed actions.
///
/// Each becomes a record of the number of its schema, as the log has it, and the value. If the log
/// lacks the schema, which a crashed batch may have been the first to use, the value is its bytes.
private struct ValueExport {
  private static let name = "RecordedValue"
  /// The type of a value, and then a reference to it.
  let schema: ValueSchema
  /// The branch and the codec of each schema, by its number.
  private var branches: [UInt32: (index: Int, codec: SchemaCodec)] = [:]
  private let bytesBranch: Int

  /// Creates the type of values.
  ///
  /// - Parameters:
  ///   - actions: The schemas of actions, which the union of payloads defines first.
  ///   - commands: The schemas of commands and refusals.
  init(
    actions: [(number: UInt32, schema: Schema, space: String)],
    commands: [(number: UInt32, schema: Schema, space: String)]
  ) {
    var union: [Schema] = []
    for (known, isDefined) in [(actions, true), (commands, false)] {
      for (number, schema, space) in known {
        // A union cannot have two types without a name.
        guard let name = schema.typeName, let codec = try? SchemaCodec(schema) else { continue }
        branches[number] = (union.count, codec)
        union.append(isDefined ? .reference("\(space).\(name)") : schema.inNamespace(space))
      }
    }
    bytesBranch = union.count
    union.append(.bytes)
    schema = ValueSchema(
      name: Self.name,
      definition: .record(
        name: Self.name,
        fields: [Schema.Field("schema", .long), Schema.Field("value", .union(union))]))
  }

  /// Writes the payload of a record.
  func encode(
    _ kind: RecordKind, _ payload: Span<UInt8>, into writer: inout AvroWriter
  ) throws(AvroError) {
    switch kind {
    case .command:
      let record = try RecordedCommand(encoded: payload)
      writer.branch(record.origin.rawValue)
      encode(record.command, into: &writer)
      writer.branch(record.refusal == nil ? 0 : 1)
      if let refusal = record.refusal { encode(refusal, into: &writer) }
    case .crashed:
      let crashed = try Crashed(encoded: payload)
      writer.long(Int64(clamping: crashed.session))
      crashed.moment.encode(into: &writer)
      writer.long(Int64(crashed.schema))
      writer.long(Int64(crashed.batch))
      writer.beginBlocks(count: crashed.actions.count)
      for action in crashed.actions {
        encode(action, Int64(crashed.schema), by: crashed.schema, into: &writer)
      }
      writer.endBlocks()
    case .action, .sessionOpened, .sessionClosed, .effectFinished, .clockJumped:
      writer.raw(payload)
    }
  }

  private func encode(_ value: RecordedCommand.Encoded, into writer: inout AvroWriter) {
    let number = LogFormat.commandSchemaNumber(value.schema)
    encode(value.bytes, Int64(value.schema), by: number, into: &writer)
  }

  private func encode(
    _ bytes: [UInt8], _ schema: Int64, by number: UInt32, into writer: inout AvroWriter
  ) {
    writer.long(schema)
    if let (index, codec) = branches[number], (try? codec.check(bytes.span)) != nil {
      writer.branch(index)
      writer.raw(bytes)
    } else {
      writer.branch(bytesBranch)
      writer.bytes(bytes)
    }
  }
}

/// A named type that is defined where it is used first.
private struct ValueSchema {
  let name: String
  let definition: Schema
  private var isDefined = false

  init(name: String, definition: Schema) {
    self.name = name
    self.definition = definition
  }

  mutating func use() -> Schema {
    defer { isDefined = true }
    return isDefined ? .reference(name) : definition
  }
}

extension AvroWriter {
  /// Writes a number in a union of null and long.
  fileprivate mutating func optional(_ value: Int64?) {
    branch(value == nil ? 0 : 1)
    if let value { long(value) }
  }
}

extension Schema {
  /// The name of a type that has one.
  fileprivate var typeName: String? {
    switch self {
    case .record(let name, _, _), .enumeration(let name, _, _, _), .fixed(let name, _, _): name
    default: nil
    }
  }

  /// Returns the schema of a system record, with the type of recorded values in place of bytes.
  fileprivate func replacingBytes(of kind: RecordKind, by value: inout ValueSchema) -> Schema {
    guard case .record(let name, let aliases, var fields) = self else { return self }
    for index in fields.indices {
      switch (kind, fields[index].name) {
      case (.crashed, "actions"): fields[index].type = .array(value.use())
      case (.command, "command"): fields[index].type = value.use()
      case (.command, "refusal"): fields[index].type = .union([.null, value.use()])
      default: break
      }
    }
    return .record(name: name, aliases: aliases, fields: fields)
  }

  /// Returns the schema with every named type, and every reference to one, put into a namespace.
  fileprivate func inNamespace(_ space: String) -> Schema {
    switch self {
    case .null, .boolean, .int, .long, .float, .double, .bytes, .string: self
    case .array(let items): .array(items.inNamespace(space))
    case .map(let values): .map(values.inNamespace(space))
    case .union(let branches): .union(branches.map { $0.inNamespace(space) })
    case .record(let name, _, let fields):
      .record(
        name: "\(space).\(name)",
        fields: fields.map { Field($0.name, $0.type.inNamespace(space)) })
    case .enumeration(let name, _, let symbols, _):
      .enumeration(name: "\(space).\(name)", symbols: symbols)
    case .fixed(let name, _, let size): .fixed(name: "\(space).\(name)", size: size)
    case .reference(let name): .reference("\(space).\(name)")
    case .logical(let logical, let base): .logical(logical, base.inNamespace(space))
    case .ruled(let rule, let base): .ruled(rule, base.inNamespace(space))
    }
  }
}
