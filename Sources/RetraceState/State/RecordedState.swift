public import RetraceAvro

/// A state, or a part of one, that consists of scalar fields and tables.
///
/// Its hash can be recomputed from its bytes: the scalars are encoded in order, and the tables are
/// hashed as trees. The generator emits conformances for declarations that say `: RecordedState`.
/// Parts can be nested. Tables are numbered from 0 in the order of their declarations.
public protocol RecordedState: Equatable, Sendable, SendableMetatype {
  /// The name of the type in schemas.
  static var recordedName: String { get }

  /// Returns the schema of scalars and tables; a table is an array of its entities.
  static func stateSchema(in composer: inout SchemaComposer) -> Schema

  /// Writes the scalar fields in order, without the tables.
  func encodeScalars(into writer: inout AvroWriter)

  /// Reads the scalar fields in order; the tables are empty.
  ///
  /// - Throws: `AvroError` if the bytes are not the output of ``encodeScalars(into:)``.
  init(decodingScalars reader: inout AvroReader) throws(AvroError)

  /// Calls the visitor with each table, in order.
  mutating func visitTables(_ visitor: inout some TableVisitor)

  /// Writes the whole state, with tables as arrays of `{id, value}`, for people and for export.
  func encodeWhole(into writer: inout AvroWriter)
}

/// A visitor of every table of a state.
///
/// ```swift
/// struct EntityCounter: TableVisitor {
///   var count = 0
///
///   mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
///     count += table.count
///   }
/// }
/// ```
public protocol TableVisitor {
  /// Visits one table.
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>)
}
