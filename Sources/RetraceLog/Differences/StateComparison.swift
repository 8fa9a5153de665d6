package import RetraceAvro
import RetraceSchema
package import RetraceState

/// The comparison of two states of an app, by path.
///
/// Tables are compared as trees. Everything else is encoded and compared byte by byte, and decoded
/// only if the bytes differ.
package struct StateComparison<State: RecordedState>: Sendable {
  private let codec: SelectiveCodec
  private let omitted: OmittedFields
  private let tables: [TableDescription]
  /// The number of nested records whose fields are compared one by one.
  package var depth = Int.max
  /// The largest number of changes, and of values in each; at least 0.
  package var limit: Int
  /// How instants are written.
  package var moments = MomentFormat.shortest

  /// Prepares the comparison of states.
  ///
  /// - Parameters:
  ///   - sample: Any state.
  ///   - limit: The largest number of changes, and of values in each.
  ///   - omitted: The fields that are not compared.
  /// - Complexity: O(size of the schema).
  /// - Throws: `AvroError` for a state whose schema is contradictory.
  package init(
    like sample: State, limit: Int, omitting omitted: OmittedFields = OmittedFields()
  ) throws(AvroError) {
    var composer = SchemaComposer()
    let schema = State.stateSchema(in: &composer)
    self.omitted = omitted
    codec = try SelectiveCodec(schema, omitting: omitted)
    tables = TableDescription.all(of: sample, schema)
    self.limit = limit
  }

  /// Returns the differences between two states.
  ///
  /// - Complexity: O(bytes outside of tables, and leaves of tables that differ).
  /// - Throws: `AvroError` for a state whose encoding does not match its schema.
  package func difference(from old: State, to new: State) throws(AvroError) -> StateDifference {
    var difference = StateDifference()
    var visitor = TableDiffer<State>(
      tables: tables, depth: depth, limit: limit, omitted: omitted,
      isCompared: tables.map { omitted.isEmpty || codec.contains(path: $0.path) },
      moments: moments)
    var old = old
    var new = new
    var collector = AllTables()
    old.visitTables(&collector)
    visitor.old = collector.tables
    new.visitTables(&visitor)
    if let failure = visitor.failure { throw failure }
    var scalars = try scalarDifferences(&old, &new)
    scalars += visitor.nextIDs
    if !scalars.isEmpty, limit > 0 {
      difference.changes.append(
        StateChange(entity: nil, kind: .changed, fields: Array(scalars.prefix(limit))))
    }
    let left = limit - difference.changes.count
    difference.changes += visitor.changes.prefix(left)
    difference.isTruncated =
      visitor.isTruncated || visitor.changes.count > left || scalars.count > limit
    return difference
  }

  /// Returns a state as JSON, without the fields that are not compared.
  ///
  /// - Complexity: O(size of the state).
  /// - Throws: `AvroError` for a state whose encoding does not match its schema.
  package func json(of state: State) throws(AvroError) -> JSONValue {
    var writer = AvroWriter(capacity: 2_048)
    state.encodeWhole(into: &writer)
    return codec.json(try codec.decode(writer.span), logical: moments.json)
  }

  /// Returns the differences outside tables, by encoding both states with emptied tables.
  private func scalarDifferences(
    _ old: inout State, _ new: inout State
  ) throws(AvroError) -> [ValueDifference] {
    var emptier = TableEmptier()
    old.visitTables(&emptier)
    new.visitTables(&emptier)
    var writer = AvroWriter(capacity: 2_048)
    old.encodeWhole(into: &writer)
    let end = writer.count
    new.encodeWhole(into: &writer)
    let bytes = writer.span
    if bytes.count == 2 * end, (0..<end).allSatisfy({ bytes[$0] == bytes[end + $0] }) { return [] }
    return codec.differences(
      from: try codec.decode(bytes.extracting(0..<end)),
      to: try codec.decode(bytes.extracting(end..<bytes.count)),
      limit: limit < .max ? limit + 1 : limit, logical: moments.json)
  }
}

/// A table of any type.
private class AnyTable {}

private final class TableBox<ID: EntityID, Entity: TableEntity>: AnyTable {
  let table: EntityTable<ID, Entity>

  init(_ table: EntityTable<ID, Entity>) { self.table = table }
}

/// Collects the tables of a state in order.
private struct AllTables: TableVisitor {
  var tables: [AnyTable] = []

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    tables.append(TableBox(table))
  }
}

/// Removes the entities of a state.
package struct TableEmptier: TableVisitor {
  /// Creates a visitor.
  package init() {}

  /// Replaces a table with an empty one.
  package mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    table = EntityTable()
  }
}

private struct TableDiffer<State: RecordedState>: TableVisitor {
  let tables: [TableDescription]
  let depth: Int
  let limit: Int
  let omitted: OmittedFields
  /// Whether each table is compared.
  let isCompared: [Bool]
  let moments: MomentFormat
  var old: [AnyTable] = []
  var tableIndex = 0
  var changes: [StateChange] = []
  var nextIDs: [ValueDifference] = []
  var isTruncated = false
  var failure: AvroError?

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    defer { tableIndex += 1 }
    guard tableIndex < old.count, isCompared[tableIndex],
      let older = (old[tableIndex] as? TableBox<ID, Entity>)?.table
    else { return }
    let description = tables[tableIndex]
    let start = changes.count
    do throws(AvroError) {
      var codec: SelectiveCodec?
      try table.forEachDifference(from: older) {
        (id, before, after) throws(AvroError) -> Bool in
        guard changes.count < limit else {
          isTruncated = true
          return false
        }
        let entity = StateChange.Entity(
          name: description.entity, id: id.value, table: description.path)
        let known =
          if let codec { codec } else { try SelectiveCodec(Entity.schema, omitting: omitted) }
        codec = known
        var change = try EntityDiffer(
          codec: known, depth: depth, limit: limit < .max ? limit + 1 : limit, moments: moments
        ).change(of: entity, from: before?.encoded(), to: after?.encoded())
        if change.kind == .changed, change.fields.isEmpty { return true }
        if change.fields.count > limit {
          change.fields.removeLast()
          isTruncated = true
        }
        changes.append(change)
        return true
      }
    } catch {
      failure = error
    }
    // An entity that was created and removed in between shows only in the next id.
    if changes.count == start, older.nextID != table.nextID {
      nextIDs.append(
        ValueDifference(
          path: "\(description.path).nextID", before: .integer(older.nextID.value),
          after: .integer(table.nextID.value)))
    }
  }
}
