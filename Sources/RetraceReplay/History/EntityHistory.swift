public import Retrace
public import RetraceStorage

/// One record that changed an entity.
public struct EntityChange: Sendable {
  /// The envelope of the record: its sequence, kind, session, moment and so on.
  public var envelope: Envelope
  /// The payload of the record.
  public var payload: [UInt8]
  /// The change of the entity: the fields that the record changed, each as a whole.
  public var change: StateChange
}

extension Replayer {
  /// Advances to a sequence, and calls `body` with each record on the way that changed an entity.
  ///
  /// The log is folded from the current position with the app's reducer; the app needs no other
  /// code for its histories. No read transaction is open while the body runs.
  ///
  /// - Parameters:
  ///   - entity: The entity; its type is the recorded name of a table's entities or of their ids,
  ///     of which the suffix `ID` may be omitted.
  ///   - last: The sequence to end at; at most the replayer's ``last``.
  ///   - body: Receives each change, and returns whether to continue.
  /// - Returns: Whether a table holds entities of the type; if not, nothing was folded.
  /// - Complexity: O(records), each decoded and reduced, and one table lookup for each.
  /// - Throws: The errors of the body; `damaged`, `incompatible` or `storageFailed`.
  public mutating func forEachChange(
    of entity: EntityName, through last: UInt64,
    _ body: (EntityChange) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    try forEachChange(of: entity, through: last, moments: .shortest, body)
  }

  /// Does what ``forEachChange(of:through:_:)`` does, with instants in a format.
  package mutating func forEachChange(
    of entity: EntityName, through last: UInt64, moments: MomentFormat,
    _ body: (EntityChange) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    precondition(last <= self.last, "Replayer: record \(last) of \(self.last)")
    var composer = SchemaComposer()
    let tables = TableDescription.all(of: state, App.State.stateSchema(in: &composer))
    guard
      let tableIndex = tables.firstIndex(where: { $0.entity == entity.type })
        ?? tables.firstIndex(where: { $0.id == entity.type || $0.id == "\(entity.type)ID" })
    else { return false }
    var watch = EntityWatch<App>(
      tableIndex: tableIndex, id: entity.id,
      entity: StateChange.Entity(
        name: tables[tableIndex].entity, id: entity.id, table: tables[tableIndex].path),
      moments: moments)
    watch.start(state)
    while sequence < last {
      for entry in try changes(
        of: &watch, through: min(last, sequence + Self.recordsPerTransaction))
      {
        guard try body(entry) else { return true }
      }
    }
    return true
  }

  /// The most records scanned in one read transaction.
  private static var recordsPerTransaction: UInt64 { 16_384 }

  private mutating func changes(
    of watch: inout EntityWatch<App>, through last: UInt64
  ) throws(StoreError) -> [EntityChange] {
    var position = position
    var changes = try changes(&position, of: &watch, through: last)
    if hasPageError {
      // The snapshot is damaged. Seeking discards its states and folds the log from the start.
      try seek(to: sequence)
      position = self.position
      // The entity may have been read from a damaged page.
      watch.start(state)
      changes = try self.changes(&position, of: &watch, through: last)
    }
    self.position = position
    return changes
  }

  private func changes(
    _ position: inout RecordFold<App>, of watch: inout EntityWatch<App>, through last: UInt64
  ) throws(StoreError) -> [EntityChange] {
    var changes: [EntityChange] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.scan(from: position.fold.sequence + 1, through: last) {
        record throws(StoreError) in
        try view.fold(record, into: &position)
        guard record.kind == .action, let change = try watch.change(in: &position.fold.state) else {
          return
        }
        let payload = record.payload
        changes.append(
          EntityChange(
            envelope: record.envelope, payload: payload.indices.map { payload[$0] },
            change: change))
      }
    }
    return changes
  }
}

/// Watches one entity for changes, record by record.
private struct EntityWatch<App: ReplayableApp>: TableVisitor {
  let tableIndex: Int
  let id: Int64
  let entity: StateChange.Entity
  let moments: MomentFormat
  private var visitedIndex = 0
  private var codec: SelectiveCodec?
  private var current: [UInt8]?
  private var found: [UInt8]?
  private var failure: AvroError?

  init(tableIndex: Int, id: Int64, entity: StateChange.Entity, moments: MomentFormat) {
    self.tableIndex = tableIndex
    self.id = id
    self.entity = entity
    self.moments = moments
  }

  /// Reads the entity that the next change is compared with.
  mutating func start(_ state: App.State) {
    var state = state
    findEntity(in: &state)
    current = found
  }

  /// Returns the change of the entity since the last call, if any.
  mutating func change(in state: inout App.State) throws(StoreError) -> StateChange? {
    findEntity(in: &state)
    guard found != current else { return nil }
    defer { current = found }
    do throws(AvroError) {
      if let failure { throw failure }
      guard let codec else { return nil }
      return try EntityDiffer(codec: codec, depth: 1, limit: .max, moments: moments)
        .change(of: entity, from: current, to: found)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
  }

  private mutating func findEntity(in state: inout App.State) {
    visitedIndex = 0
    state.visitTables(&self)
  }

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    defer { visitedIndex += 1 }
    guard visitedIndex == tableIndex else { return }
    if codec == nil {
      do throws(AvroError) { codec = try SelectiveCodec(Entity.schema) } catch { failure = error }
    }
    found = table[ID(value: id)]?.encoded()
  }
}
