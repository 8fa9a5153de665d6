import Retrace
import RetraceStorage

/// The schema and the encoding of exported records: one Avro object per record.
///
/// The payload is a union of the schemas of system records and actions. The types of each action
/// schema get a namespace with its number, such as `schema1`, so that two versions of a type can
/// coexist.
struct RecordExport {
  let schema: Schema
  private var actionBranches: [UInt32: Int] = [:]
  private var systemBranches: [RecordKind: Int] = [:]

  /// Builds the schema of a log's export.
  init(_ view: borrowing ReadView) throws(StoreError) {
    var composer = SchemaComposer()
    let digest = composer.schema(of: Digest.self)
    var branches: [Schema] = []
    let known = RecordKind.allCases.filter { $0.firstVersion <= view.version }
    for kind in known where kind != .action {
      systemBranches[kind] = branches.count
      branches.append(kind.payloadSchema(ofVersion: view.version, in: &composer))
    }
    for (index, schema) in try view.parsedSchemas().enumerated() {
      actionBranches[UInt32(index + 1)] = branches.count
      branches.append(schema.inNamespace("schema\(index + 1)"))
    }
    let kinds = known.map { "\($0)" }
    schema = .record(
      name: "Record",
      fields: [
        Schema.Field("sequence", .long),
        Schema.Field("kind", .enumeration(name: "RecordKind", symbols: kinds)),
        Schema.Field("session", .long),
        Schema.Field("moment", .logical("timestamp-micros", .long)),
        Schema.Field("cause", .union([.null, .long])),
        Schema.Field("startsBatch", .boolean),
        Schema.Field("key", .union([.null, .bytes])),
        Schema.Field("stateHash", .union([.null, digest])),
        Schema.Field("realTime", .union([.null, .logical("timestamp-micros", .long)])),
        Schema.Field("shortStateHash", .union([.null, .bytes])),
        Schema.Field("payload", .union(branches)),
      ])
  }

  func encode(
    _ envelope: Envelope, _ payload: Span<UInt8>, into writer: inout AvroWriter
  ) throws(StoreError) {
    writer.long(Int64(clamping: envelope.sequence))
    writer.branch(Int(envelope.kind.rawValue))
    writer.long(Int64(clamping: envelope.session))
    writer.long(envelope.moment.microseconds)
    writer.branch(envelope.cause == nil ? 0 : 1)
    if let cause = envelope.cause { writer.long(Int64(clamping: cause)) }
    writer.boolean(envelope.startsBatch)
    writer.branch(envelope.key == nil ? 0 : 1)
    if let key = envelope.key { writer.bytes(key) }
    writer.branch(envelope.stateHash == nil ? 0 : 1)
    if let hash = envelope.stateHash { writer.digest(hash) }
    writer.branch(envelope.realTime == nil ? 0 : 1)
    if let realTime = envelope.realTime { writer.long(realTime.microseconds) }
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
    writer.raw(payload)
  }
}

extension Schema {
  /// Returns the schema with every named type, and every reference to one, put into a namespace.
  func inNamespace(_ space: String) -> Schema {
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
