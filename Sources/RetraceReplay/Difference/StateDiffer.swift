public import Retrace
public import RetraceStorage

/// Computes the differences between two states of an app, by path.
///
/// Tables are compared as trees: shared parts are skipped, so the cost of comparing the tables of
/// neighbouring states depends only on what changed between them. Everything else is encoded and
/// compared byte by byte, and decoded only if the bytes differ. Instants are written as RFC 3339.
///
/// ```swift
/// var replayer = try Replayer<CounterApp>(storage)
/// try replayer.seek(to: sequence)
/// if let step: RecordStep<CounterApp> = try replayer.currentStep() {
///   let differ = try StateDiffer(like: step.after, detail: .values)
///   let difference: StateDifference = try differ.difference(from: step.before, to: step.after)
///   for change: StateChange in difference.changes { print(change.fields.map(\.path)) }
/// }
/// ```
public struct StateDiffer<State: RecordedState>: Sendable {
  /// The level of detail within entities.
  public enum Detail: Sendable {
    /// The fields of an entity, each as a whole.
    case fields
    /// The innermost values that differ.
    case values
  }

  private let codec: SelectiveCodec
  private let omitted: OmittedFields
  private let tables: [TableDescription]
  /// The level of detail within entities.
  public var detail: Detail
  /// The largest number of changes, and of values in each; a negative limit counts as 0.
  public var limit: Int {
    get { bound }
    set { bound = max(0, newValue) }
  }
  private var bound: Int
  /// How instants are written.
  package var moments = MomentFormat.shortest

  /// Prepares the comparison of states.
  ///
  /// - Parameters:
  ///   - sample: Any state.
  ///   - detail: The level of detail within entities.
  ///   - limit: The largest number of changes, and of values in each.
  /// - Complexity: O(size of the schema).
  /// - Throws: `storageFailed` for a state whose schema is contradictory.
  public init(
    like sample: State, detail: Detail = .values, limit: Int = 1_000
  ) throws(StoreError) {
    try self.init(like: sample, detail: detail, limit: limit, omitting: OmittedFields())
  }

  /// Prepares the comparison of states, without some of their fields.
  ///
  /// - Parameters:
  ///   - sample: Any state.
  ///   - detail: The level of detail within entities.
  ///   - limit: The largest number of changes, and of values in each.
  ///   - omitted: The fields that are not compared.
  /// - Complexity: O(size of the schema).
  /// - Throws: `storageFailed` for a state whose schema is contradictory.
  package init(
    like sample: State, detail: Detail = .values, limit: Int = 1_000,
    omitting omitted: OmittedFields
  ) throws(StoreError) {
    var composer = SchemaComposer()
    let schema = State.stateSchema(in: &composer)
    self.omitted = omitted
    do throws(AvroError) {
      codec = try SelectiveCodec(schema, omitting: omitted)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
    tables = TableDescription.all(of: sample, schema)
    self.detail = detail
    bound = max(0, limit)
  }

  /// Returns the differences between two states.
  ///
  /// - Complexity: O(bytes outside of tables, and leaves of tables that differ).
  /// - Throws: `storageFailed` for a state whose encoding does not match its schema.
  public func difference(from old: State, to new: State) throws(StoreError) -> StateDifference {
    var difference = StateDifference()
    var visitor = TableDiffer<State>(
      tables: tables, depth: detail == .fields ? 1 : Int.max, limit: limit, omitted: omitted,
      isCompared: tables.map { omitted.isEmpty || codec.contains(path: $0.path) },
      moments: moments)
    var old = old
    var new = new
    var collector = AllTables()
    old.visitTables(&collector)
    visitor.old = collector.tables
    new.visitTables(&visitor)
    if let failure = visitor.failure { throw StoreError.encodingMismatch(failure) }
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
  /// - Throws: `storageFailed` for a state whose encoding does not match its schema.
  package func json(of state: State) throws(StoreError) -> JSONValue {
    var writer = AvroWriter(capacity: 2_048)
    state.encodeWhole(into: &writer)
    do throws(AvroError) {
      return codec.json(try codec.decode(writer.span), logical: moments.json)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }

  /// Returns the differences outside tables, by encoding both states with emptied tables.
  private func scalarDifferences(
    _ old: inout State, _ new: inout State
  ) throws(StoreError) -> [ValueDifference] {
    var emptier = TableEmptier()
    old.visitTables(&emptier)
    new.visitTables(&emptier)
    var writer = AvroWriter(capacity: 2_048)
    old.encodeWhole(into: &writer)
    let end = writer.count
    new.encodeWhole(into: &writer)
    let bytes = writer.span
    if bytes.count == 2 * end, (0..<end).allSatisfy({ bytes[$0] == bytes[end + $0] }) { return [] }
    do throws(AvroError) {
      return codec.differences(
        from: try codec.decode(bytes.extracting(0..<end)),
        to: try codec.decode(bytes.extracting(end..<bytes.count)),
        limit: limit < .max ? limit + 1 : limit, logical: moments.json)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }
}

extension StoreError {
  static func encodingMismatch(_ error: AvroError) -> StoreError {
    StoreError(
      .storageFailed, what: "Two states cannot be compared.", why: "\(error)",
      advice: "This is a bug in the program; please report it.")
  }
}

/// Collects the tables of a state in order.
private struct AllTables: TableVisitor {
  var tables: [any Sendable] = []

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) { tables.append(table) }
}

/// Removes the entities of a state.
struct TableEmptier: TableVisitor {
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) { table = EntityTable() }
}

private struct TableDiffer<State: RecordedState>: TableVisitor {
  let tables: [TableDescription]
  let depth: Int
  let limit: Int
  let omitted: OmittedFields
  /// Whether each table is compared.
  let isCompared: [Bool]
  let moments: MomentFormat
  var old: [any Sendable] = []
  var tableIndex = 0
  var changes: [StateChange] = []
  var nextIDs: [ValueDifference] = []
  var isTruncated = false
  var failure: AvroError?

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    defer { tableIndex += 1 }
    guard tableIndex < old.count, isCompared[tableIndex],
      let older = old[tableIndex] as? EntityTable<ID, Entity>
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
