import Retrace
import RetraceStorage
import RetraceSystem

/// A state or a part of one as JSON.
enum StateDescription {
  /// Returns the whole state as JSON, with tables as arrays of `{id, value}`.
  static func json<State: RecordedState>(of state: State) throws(StoreError) -> JSONValue {
    var writer = AvroWriter(capacity: 1 << 16)
    state.encodeWhole(into: &writer)
    return try json(of: writer.bytes, schema(ofState: State.self))
  }

  static func json(
    of value: some Recordable, moments: MomentFormat? = nil
  ) throws(StoreError) -> JSONValue {
    try json(of: value.encoded(), type(of: value).schema, moments)
  }

  /// Returns the name of a value's type and its fields for people; a case is written as a call.
  static func text(of value: some Recordable, named name: String) -> String {
    let schema = type(of: value).schema
    guard let codec = try? SchemaCodec(schema),
      let decoded = try? codec.decode(value.encoded().span)
    else { return name }
    if let text = codec.caseText(of: decoded, logical: MomentFormat.readable.json) {
      return "\(name).\(text)"
    }
    guard case .object(let members) = codec.json(decoded, logical: MomentFormat.readable.json)
    else { return name }
    let fields = members.filter { $0.value != .null }.map { "\($0.name): \($0.value.text())" }
    return fields.isEmpty ? name : "\(name)(\(fields.joined(separator: ", ")))"
  }

  /// Returns the position among the tables, the next id and the hash of each table.
  ///
  /// With them and the scalar fields, a script can recompute the state hash.
  static func tables<State: RecordedState>(of state: State) -> JSONValue {
    var state = state
    var lister = TableLister()
    state.visitTables(&lister)
    return .array(lister.tables)
  }

  static func schema<State: RecordedState>(of type: State.Type) -> JSONValue {
    schema(ofState: type).json
  }

  private static func schema<State: RecordedState>(ofState type: State.Type) -> Schema {
    var composer = SchemaComposer()
    return State.stateSchema(in: &composer)
  }

  private static func json(
    of bytes: [UInt8], _ schema: Schema, _ moments: MomentFormat? = nil
  ) throws(StoreError) -> JSONValue {
    do throws(AvroError) {
      let codec = try SchemaCodec(schema)
      return codec.json(try codec.decode(bytes.span)) { moments?.json($0, $1) }
    } catch {
      throw StoreError(
        .storageFailed, what: "The state cannot be shown.", why: "\(error)",
        advice: "This is a bug in the program; please report it.")
    }
  }
}

private struct TableLister: TableVisitor {
  var tables: [JSONValue] = []

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    var writer = AvroWriter(capacity: 4096)
    let hash = table.hash(with: SHA256Hasher.self, &writer)
    tables.append(
      [
        "number": .integer(Int64(tables.count)), "nextID": .integer(table.nextID.value),
        "hash": .string(hash.hex),
      ])
  }
}
