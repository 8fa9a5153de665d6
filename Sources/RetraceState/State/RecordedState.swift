public import RetraceAvro

/// A state, or a part of one, whose hash can be recomputed from its bytes.
///
/// A state is scalar fields, encoded in order, and tables, hashed as trees. Conformances are
/// generated for declarations that say `: RecordedState`; parts nest, and tables are numbered from
/// 0 in the order of the declarations.
public protocol RecordedState: Equatable, Sendable, SendableMetatype {
  /// The name of the type in schemas.
  static var recordedName: String { get }

  /// The schema of scalars and tables; a table appears as an array of its entities.
  static func stateSchema(in composer: inout SchemaComposer) -> Schema

  /// Writes the scalar fields in order and leaves the tables out.
  func encodeScalars(into writer: inout AvroWriter)

  /// Reads the scalar fields in order and leaves the tables empty.
  ///
  /// - Throws: `AvroError` for anything but what ``encodeScalars(into:)`` writes.
  init(decodingScalars reader: inout AvroReader) throws(AvroError)

  /// Shows each table to the visitor, in order.
  mutating func visitTables(_ visitor: inout some TableVisitor)

  /// Writes the whole state, tables as arrays of `{id, value}`, for people and for export.
  func encodeWhole(into writer: inout AvroWriter)
}

/// Something that looks at every table of a state.
public protocol TableVisitor {
  /// Looks at one table.
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>)
}
