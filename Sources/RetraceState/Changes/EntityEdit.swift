public import RetraceAvro

/// A change of one entity of a table, with the values that undoing it needs.
///
/// ```swift
/// let book = Book(title: "Emma", borrower: nil)
/// let edit: EntityEdit<BookID, BookChanges> = .inserted(BookID(value: 0), Insertion(book))
/// print(edit.inverted == .removed(BookID(value: 0), Removal(book)))
/// ```
public enum EntityEdit<ID: EntityID, Changes: EntityChanges>: Recordable, Equatable {
  /// The entity was inserted.
  case inserted(ID, Insertion<Changes.Entity>)
  /// Fields of the entity changed.
  case changed(ID, Changes)
  /// The entity was removed.
  case removed(ID, Removal<Changes.Entity>)

  /// The id of the entity.
  @inlinable public var id: ID {
    switch self {
    case .inserted(let id, _), .changed(let id, _), .removed(let id, _): id
    }
  }

  /// The edit that undoes this one.
  public var inverted: EntityEdit {
    switch self {
    case .inserted(let id, let insertion): .removed(id, Removal(insertion.entity))
    case .changed(let id, let changes): .changed(id, changes.inverted)
    case .removed(let id, let removal): .inserted(id, Insertion(removal.entity))
    }
  }

  /// Applies the edit, whatever values the fields have.
  ///
  /// A changed or removed entity must exist. An inserted entity needs the next id of the table, the
  /// id of a removed entity or, if the type has tombstones, the id of an entity, which it replaces.
  ///
  /// - Returns: Whether the edit was possible.
  /// - Complexity: O(1) and O(fields).
  @inlinable
  @discardableResult
  public func apply(to table: inout EntityTable<ID, Changes.Entity>) -> Bool {
    switch self {
    case .inserted(let id, let insertion):
      if id == table.nextID {
        table.insert(insertion.entity)
        return true
      }
      if table.contains(id), Changes.tombstone(of: insertion.entity) != nil {
        return table.modify(id) { $0 = insertion.entity } != nil
      }
      return table.reinsert(insertion.entity, at: id)
    case .changed(let id, let changes):
      return table.modify(id) { changes.apply(to: &$0) } != nil
    case .removed(let id, let removal):
      guard let tombstone = Changes.tombstone(of: removal.entity) else { return table.remove(id) }
      return table.modify(id) { $0 = tombstone } != nil
    }
  }

  /// The fields that the edit sets, or the whole entity that it inserts or removes.
  public var fields: [UnrestoredField] {
    switch self {
    case .inserted(let id, _), .removed(let id, _): [UnrestoredField(id)]
    case .changed(let id, let changes): changes.changedFields.map { UnrestoredField(id, $0) }
    }
  }

  /// Returns the part of the edit that overwrites only the values that it expects.
  ///
  /// A changed field is left out unless it has the value before the edit. A removal is left out
  /// unless all fields that facts change have the expected values. An insertion is left out unless
  /// its id was assigned before and has no entity now, or only its tombstone.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - excluded: The fields and entities to leave as they are, because an earlier edit, on which
  ///     later ones build, was left out.
  /// - Complexity: O(bytes of the entity), and O(excluded) for each field.
  public func restorable(
    in table: borrowing EntityTable<ID, Changes.Entity>, excluding excluded: [UnrestoredField] = []
  ) -> RestorablePart<EntityEdit> {
    let nothing = RestorablePart<EntityEdit>(nil, unrestored: [UnrestoredField(id)])
    switch self {
    case .inserted(let id, let insertion):
      let isFree =
        id.value >= 0 && id < table.nextID && isFree(id, for: insertion.entity, in: table)
      return isFree && !excluded.contains(where: { $0.isOf(id) }) ? RestorablePart(self) : nothing
    case .changed(let id, var changes):
      guard let entity = table[id], !excluded.contains(UnrestoredField(id)) else { return nothing }
      let left = excluded.filter { $0.isOf(id) }.compactMap { $0.field }
      let conflicts = changes.removeConflicts(with: entity, and: left)
      return RestorablePart(
        changes.isEmpty ? nil : .changed(id, changes),
        unrestored: conflicts.map { UnrestoredField(id, $0) })
    case .removed(let id, let removal):
      guard let entity = table[id], Changes(from: entity, to: removal.entity).isEmpty,
        !excluded.contains(where: { $0.isOf(id) })
      else { return nothing }
      return RestorablePart(self)
    }
  }

  /// Returns the edit without what is so already.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - overwriting: Whether the edit then expects the present values, so that
  ///     ``restorable(in:excluding:)`` leaves nothing of it out. An insertion of an entity that
  ///     exists becomes a change of its fields.
  /// - Returns: `nil` if nothing would change; with `overwriting` also if the entity to change is
  ///   missing.
  /// - Complexity: O(bytes of the entity).
  public func rebased(
    on table: borrowing EntityTable<ID, Changes.Entity>, overwriting: Bool
  ) -> EntityEdit? {
    switch self {
    case .inserted(let id, let insertion):
      guard let present = table[id], !isFree(id, for: insertion.entity, in: table) else {
        return self
      }
      let changes = Changes(from: present, to: insertion.entity)
      if changes.isEmpty { return nil }
      return overwriting ? .changed(id, changes) : self
    case .changed(let id, var changes):
      guard let present = table[id] else { return overwriting ? nil : self }
      changes.rebase(on: present, overwriting: overwriting)
      return changes.isEmpty ? nil : .changed(id, changes)
    case .removed(let id, let removal):
      guard let present = table[id], !isFree(id, for: removal.entity, in: table) else { return nil }
      return overwriting ? .removed(id, Removal(present)) : self
    }
  }

  /// Returns whether an id has no entity, or only the tombstone of an entity.
  private func isFree(
    _ id: ID, for entity: Changes.Entity, in table: borrowing EntityTable<ID, Changes.Entity>
  ) -> Bool {
    guard let present = table[id] else { return true }
    guard let tombstone = Changes.tombstone(of: entity) else { return false }
    return Changes(from: present, to: tombstone).isEmpty
  }
}
