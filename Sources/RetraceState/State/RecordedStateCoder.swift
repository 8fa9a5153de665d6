public import RetraceAvro

/// What generated conformances to ``RecordedState`` call, once for each stored property.
///
/// The overloads treat a property by its type: a ``Recordable`` one is a scalar, an
/// ``EntityTable`` a table, and a nested ``RecordedState`` both, part by part.
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

  /// Shows nothing: a scalar has no tables.
  @inlinable
  public static func visitTables<Value: Recordable>(
    of value: inout Value, _ visitor: inout some TableVisitor
  ) {}

  /// The schema of a scalar.
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

  /// Shows the tables of a part, in order.
  @inlinable
  public static func visitTables<Part: RecordedState>(
    of part: inout Part, _ visitor: inout some TableVisitor
  ) {
    part.visitTables(&visitor)
  }

  /// The schema of a part.
  @inlinable
  public static func schema<Part: RecordedState>(
    of type: Part.Type, in composer: inout SchemaComposer
  ) -> Schema {
    Part.stateSchema(in: &composer)
  }

  /// Writes the whole of a part.
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

  /// Shows the table.
  @inlinable
  public static func visitTables<ID, Entity>(
    of table: inout EntityTable<ID, Entity>, _ visitor: inout some TableVisitor
  ) {
    visitor.visit(&table)
  }

  /// An array of records `{id, value}`, named for the entity with `Row` behind it.
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
  /// - Complexity: O(ids given).
  @inlinable
  public static func encodeWhole<ID, Entity>(
    of table: EntityTable<ID, Entity>, into writer: inout AvroWriter
  ) {
    writer.beginBlock(count: table.count)
    table.forEach { id, entity in
      id.encode(into: &writer)
      entity.encode(into: &writer)
    }
    writer.endBlocks()
  }
}
