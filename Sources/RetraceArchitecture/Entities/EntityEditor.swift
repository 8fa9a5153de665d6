public import RetraceState

/// The edits that a decision has made so far, as facts, and the state after them.
///
/// A decision changes the state only through its edits, and sees what its earlier edits did. So a
/// command that inserts a project and an entry of that project gets the id of the project at once.
@frozen
public struct EntityEditor<Edit: UndoableEdit> {
  @usableFromInline var current: Edit.State
  @usableFromInline var made: [EntityFact<Edit>] = []
  /// Whether the next edits become ``EntityFact/bulkEdited(_:)`` facts; `false` by default.
  public var isBulk = false
  /// The moment of the decision.
  public let moment: Moment

  /// The state after the edits so far.
  @inlinable public var state: Edit.State { _read { yield current } }
  /// The facts of the edits so far, in order.
  @inlinable public var facts: [EntityFact<Edit>] { _read { yield made } }

  /// Creates an editor without edits.
  ///
  /// - Complexity: As copying the state, whose tables share their pages.
  @inlinable
  public init(_ state: borrowing Edit.State, at moment: Moment) {
    current = copy state
    self.moment = moment
  }

  /// Returns the entity with an id, if any.
  @inlinable
  public func entity<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type
  ) -> Module.Entity? where Module.Edit == Edit {
    Module.readTable(of: current) { $0[id] }
  }

  /// Inserts an entity, and returns its id.
  @inlinable
  @discardableResult
  public mutating func insert<Module: EntityModule>(
    _ entity: consuming Module.Entity, of module: Module.Type
  ) -> Module.ID where Module.Edit == Edit {
    let id = Module.readTable(of: current) { $0.nextID }
    append(Module.edit(.inserted(id, Insertion(entity))))
    return id
  }

  /// Changes the fields of an entity that `body` changes; nothing if there is no such entity.
  ///
  /// - Complexity: O(bytes of the entity).
  @inlinable
  public mutating func change<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type, _ body: (inout Module.Entity) -> Void
  ) where Module.Edit == Edit {
    guard let before = entity(id, of: module) else { return }
    var after = before
    body(&after)
    let changes = Module.Changes(from: before, to: after)
    if !changes.isEmpty { append(Module.edit(.changed(id, changes))) }
  }

  /// Carries an edit out.
  @inlinable
  public mutating func append(_ edit: consuming Edit) {
    edit.apply(to: &current)
    made.append(isBulk ? .bulkEdited(edit) : .edited(edit))
  }
}
