public import RetraceState

/// The edits that a decision has made so far, as facts, and the state after them.
///
/// A decision changes the state only through its edits, and sees what its earlier edits did. So a
/// command that inserts a project and an entry of that project gets the id of the project at once.
///
/// | call | what it does |
/// | --- | --- |
/// | `entity(id, of: Books.self)` | the entity, or `nil` |
/// | `entity(id, of: Books.self, else: .gone)` | the entity, or the refusal is thrown |
/// | `insert(book, of: Books.self)` | inserts an entity, and returns its new id |
/// | `change(id, of: Books.self) { $0.borrower = "Ada" }` | changes fields |
/// | `remove(id, of: Books.self)` | removes an entity |
/// | `append(edit)` | carries any edit out |
///
/// ``change(_:of:else:_:)`` and ``remove(_:of:else:)`` refuse the command if there is no such
/// entity; without `else:` they do nothing then.
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

  /// Returns the entity with an id, and refuses the command if there is none.
  ///
  /// ```swift
  /// func lend(
  ///   _ id: BookID, in editor: inout EntityEditor<ShelfEdit>
  /// ) throws(BookRefusal) -> String {
  ///   try editor.entity(id, of: Books.self, else: .noBook(id)).title
  /// }
  /// ```
  ///
  /// - Throws: The refusal.
  @inlinable
  public func entity<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type,
    else refusal: @autoclosure () -> Module.Refusal
  ) throws(Module.Refusal) -> Module.Entity where Module.Edit == Edit {
    guard let entity = entity(id, of: module) else { throw refusal() }
    return entity
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

  /// Changes the fields of an entity that `body` changes, and refuses the command if there is no
  /// such entity.
  ///
  /// - Complexity: O(bytes of the entity).
  /// - Throws: The refusal.
  @inlinable
  public mutating func change<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type, else refusal: @autoclosure () -> Module.Refusal,
    _ body: (inout Module.Entity) -> Void
  ) throws(Module.Refusal) where Module.Edit == Edit {
    _ = try entity(id, of: module, else: refusal())
    change(id, of: module, body)
  }

  /// Removes an entity; nothing if there is no such entity.
  ///
  /// Its removal has the whole entity, so an undo inserts it again.
  ///
  /// - Complexity: O(bytes of the entity).
  @inlinable
  public mutating func remove<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type
  ) where Module.Edit == Edit {
    guard let entity = entity(id, of: module) else { return }
    append(Module.edit(.removed(id, Removal(entity))))
  }

  /// Removes an entity, and refuses the command if there is no such entity.
  ///
  /// - Complexity: O(bytes of the entity).
  /// - Throws: The refusal.
  @inlinable
  public mutating func remove<Module: EntityModule>(
    _ id: Module.ID, of module: Module.Type, else refusal: @autoclosure () -> Module.Refusal
  ) throws(Module.Refusal) where Module.Edit == Edit {
    let entity = try entity(id, of: module, else: refusal())
    append(Module.edit(.removed(id, Removal(entity))))
  }

  /// Carries an edit out.
  @inlinable
  public mutating func append(_ edit: consuming Edit) {
    edit.apply(to: &current)
    made.append(isBulk ? .bulkEdited(edit) : .edited(edit))
  }
}
