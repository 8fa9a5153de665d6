public import RetraceAvro

/// The functions that generated conformances to ``RecordedState`` call for each stored property.
///
/// The overloads depend on the property's type: a ``Recordable`` is a scalar, an ``EntityTable`` is
/// a table, and a nested ``RecordedState`` has both.
public enum _RecordedStateCoder {}

extension _RecordedStateCoder {
  /// Writes a scalar.
  @inlinable
  public static func encodeScalars<Value: Recordable>(
    of value: Value, into writer: inout AvroWriter
  ) {
    value.encode(into: &writer)
  }

  /// Reads a scalar.
  @inlinable
  public static func decodeScalars<Value: Recordable>(
    of type: Value.Type, from reader: inout AvroReader
  ) throws(AvroError) -> Value {
    try Value(decoding: &reader)
  }

  /// Visits nothing: a scalar has no tables.
  @inlinable @inline(__always)
  public static func visitTables<Value: Recordable>(
    of value: inout Value, _ visitor: inout some TableVisitor
  ) {}

  /// Returns the schema of a scalar.
  @inlinable
  public static func schema<Value: Recordable>(
    of type: Value.Type, in composer: inout SchemaComposer
  ) -> Schema {
    composer.schema(of: Value.self)
  }

  /// Writes a scalar.
  @inlinable
  public static func encodeWhole<Value: Recordable>(
    of value: Value, into writer: inout AvroWriter
  ) {
    value.encode(into: &writer)
  }
}

extension _RecordedStateCoder {
  /// Writes the scalars of a part.
  @inlinable
  public static func encodeScalars<Part: RecordedState>(
    of part: Part, into writer: inout AvroWriter
  ) {
    part.encodeScalars(into: &writer)
  }

  /// Reads the scalars of a part.
  @inlinable
  public static func decodeScalars<Part: RecordedState>(
    of type: Part.Type, from reader: inout AvroReader
  ) throws(AvroError) -> Part {
    try Part(decodingScalars: &reader)
  }

  /// Visits the tables of a part, in order.
  @inlinable
  public static func visitTables<Part: RecordedState>(
    of part: inout Part, _ visitor: inout some TableVisitor
  ) {
    part.visitTables(&visitor)
  }

  /// Returns the schema of a part.
  @inlinable
  public static func schema<Part: RecordedState>(
    of type: Part.Type, in composer: inout SchemaComposer
  ) -> Schema {
    Part.stateSchema(in: &composer)
  }

  /// Writes a part, including its tables.
  @inlinable
  public static func encodeWhole<Part: RecordedState>(
    of part: Part, into writer: inout AvroWriter
  ) {
    part.encodeWhole(into: &writer)
  }
}

extension _RecordedStateCoder {
  /// Writes nothing: a table has no scalars.
  @inlinable
  public static func encodeScalars<ID, Entity>(
    of table: EntityTable<ID, Entity>, into writer: inout AvroWriter
  ) {}

  /// Reads nothing: the table is opened from its pages.
  @inlinable
  public static func decodeScalars<ID, Entity>(
    of type: EntityTable<ID, Entity>.Type, from reader: inout AvroReader
  ) throws(AvroError) -> EntityTable<ID, Entity> {
    EntityTable()
  }

  /// Visits the table.
  @inlinable
  public static func visitTables<ID, Entity>(
    of table: inout EntityTable<ID, Entity>, _ visitor: inout some TableVisitor
  ) {
    visitor.visit(&table)
  }

  /// Returns an array of records `{id, value}`, named after the entity with the suffix `Row`.
  public static func schema<ID, Entity>(
    of type: EntityTable<ID, Entity>.Type, in composer: inout SchemaComposer
  ) -> Schema {
    let name = Entity.recordedName + "Row"
    let row = composer.named(name, for: type) { composer in
      let id = ID.schema(in: &composer)
      let value = Entity.schema(in: &composer)
      return .record(name: name, fields: [Schema.Field("id", id), Schema.Field("value", value)])
    }
    return .array(row)
  }

  /// Writes the entities with their ids, lowest id first.
  ///
  /// - Complexity: O(ids assigned).
  @inlinable
  public static func encodeWhole<ID, Entity>(
    of table: EntityTable<ID, Entity>, into writer: inout AvroWriter
  ) {
    writer.beginBlocks(count: table.count)
    table.forEach { id, entity in
      id.encode(into: &writer)
      entity.encode(into: &writer)
    }
    writer.endBlocks()
  }
}
