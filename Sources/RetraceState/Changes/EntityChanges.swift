public import RetraceAvro

/// The changes of an entity's fields in one fact.
///
/// For an entity whose `EntityModule` names no changes, `Tools/generate` writes this struct: it has
/// a property for each stored `var` of the entity, in order, and the entity's name with `Changes`.
/// Fields added to the entity are then part of its changes, too.
///
/// Declare the struct yourself to leave fields out, or to have a ``tombstone(of:)``. Its properties
/// have the type `Change<…>?` and the names of the fields; the rest is generated. A field without a
/// property is never changed, and no warning says so. The declared struct and the written one are
/// recorded alike.
///
/// ```swift
/// struct BookChanges: EntityChanges {
///   typealias Entity = Book
///   var title: Change<String>?
///   var borrower: Change<String?>?
/// }
/// ```
///
/// The requirements with an underscore are for generated code.
public protocol EntityChanges: Recordable, Equatable {
  /// The entity.
  associatedtype Entity: TableEntity

  /// Creates a value without changes; generated.
  init(_unchanged: Void)

  /// Returns the tombstone that replaces an entity when an edit removes it; by default `nil`, which
  /// removes the entity from its table.
  ///
  /// Undoing an insertion is such an edit. Later records about the entity can refer to the
  /// tombstone, which differs from the entity in a field that facts change, such as the moment of
  /// the deletion.
  static func tombstone(of entity: Entity) -> Entity?

  /// Passes the change of each field to a visitor, in order.
  mutating func _visitChanges(_ visitor: inout some _FieldChangeVisitor)

  /// Passes the change of each field to a visitor, with the field of an entity, in order.
  mutating func _visitChanges(
    of entity: inout Entity, _ visitor: inout some _EntityFieldVisitor)
}

/// A visitor of the changes of an entity's fields, for generated code.
public protocol _FieldChangeVisitor {
  /// Visits the change of one field; `nil` if the field is not changed.
  mutating func visit<Value: Recordable>(_ name: String, _ change: inout Change<Value>?)
}

/// A visitor of the changes of an entity's fields and of the fields themselves, for generated code.
public protocol _EntityFieldVisitor {
  /// Visits one field and its change; `nil` if the field is not changed.
  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value)
}

extension EntityChanges {
  /// Creates a value without changes.
  @inlinable
  public init() { self.init(_unchanged: ()) }

  /// Returns `nil`.
  @inlinable
  public static func tombstone(of entity: Entity) -> Entity? { nil }

  /// Creates the changes that lead from one entity to another.
  ///
  /// Values are compared by their encodings, because `==` of strings depends on the Unicode tables
  /// of the toolchain.
  ///
  /// - Complexity: O(bytes of the fields).
  @inlinable
  public init(from before: Entity, to after: Entity) {
    self.init()
    var (before, after) = (before, after)
    var start = _ChangeStart()
    _visitChanges(of: &before, &start)
    var end = _ChangeEnd()
    _visitChanges(of: &after, &end)
  }

  /// Whether no field is changed.
  public var isEmpty: Bool { changedFields.isEmpty }

  /// The names of the fields that are changed.
  public var changedFields: [String] {
    var changes = self
    var lister = ChangeLister()
    changes._visitChanges(&lister)
    return lister.names
  }

  /// The changes that undo these.
  public var inverted: Self {
    var changes = self
    var inverter = ChangeInverter()
    changes._visitChanges(&inverter)
    return changes
  }

  /// Sets each changed field of an entity to its value after the change.
  ///
  /// - Complexity: O(fields).
  @inlinable
  public func apply(to entity: inout Entity) {
    var changes = self
    var setter = _ChangeSetter()
    changes._visitChanges(of: &entity, &setter)
  }

  /// Returns the names of the fields that have neither the value before the change nor the value
  /// after it.
  ///
  /// Applying the changes would overwrite these other values.
  ///
  /// - Complexity: O(bytes of the fields).
  public func conflicts(with entity: Entity) -> [String] {
    var (changes, entity) = (self, entity)
    var lister = ConflictLister()
    changes._visitChanges(of: &entity, &lister)
    return lister.names
  }

  /// Removes the changes of fields that do not have the value before the change, and of `others`.
  ///
  /// - Returns: The names of the fields whose changes were removed.
  /// - Complexity: O(bytes of the fields).
  mutating func removeConflicts(with entity: Entity, and others: [String]) -> [String] {
    var entity = entity
    var filter = ConflictFilter(others: others)
    _visitChanges(of: &entity, &filter)
    return filter.conflicts
  }

  /// Removes the changes of fields that have the value after the change.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - overwriting: Whether the entity gets the values from before the other changes.
  /// - Complexity: O(bytes of the fields).
  mutating func rebase(on entity: Entity, overwriting: Bool) {
    var entity = entity
    var rebaser = ChangeRebaser(isOverwriting: overwriting)
    _visitChanges(of: &entity, &rebaser)
  }
}

@inlinable
func haveSameEncoding<Value: Recordable>(_ left: Value, _ right: Value) -> Bool {
  var writer = AvroWriter()
  left.encode(into: &writer)
  let middle = writer.count
  right.encode(into: &writer)
  guard writer.count == 2 * middle else { return false }
  let bytes = writer.span
  for offset in 0..<middle where bytes[offset] != bytes[middle + offset] { return false }
  return true
}

/// Sets each change to the value of its field, before and after.
@frozen
@usableFromInline
struct _ChangeStart: _EntityFieldVisitor {
  @inlinable
  init() {}

  @inlinable
  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    change = Change(from: field, to: field)
  }
}

/// Sets the later value of each change, and removes changes between equal values.
@frozen
@usableFromInline
struct _ChangeEnd: _EntityFieldVisitor {
  @inlinable
  init() {}

  @inlinable
  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    guard let before = change?.before else { return }
    change = haveSameEncoding(before, field) ? nil : Change(from: before, to: field)
  }
}

/// Sets each changed field to its later value.
@frozen
@usableFromInline
struct _ChangeSetter: _EntityFieldVisitor {
  @inlinable
  init() {}

  @inlinable
  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    if let after = change?.after { field = after }
  }
}

private struct ChangeLister: _FieldChangeVisitor {
  var names: [String] = []

  mutating func visit<Value: Recordable>(_ name: String, _ change: inout Change<Value>?) {
    if change != nil { names.append(name) }
  }
}

private struct ChangeInverter: _FieldChangeVisitor {
  mutating func visit<Value: Recordable>(_ name: String, _ change: inout Change<Value>?) {
    change = change?.inverted
  }
}

private struct ConflictLister: _EntityFieldVisitor {
  var names: [String] = []

  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    guard let change else { return }
    let isExpected =
      haveSameEncoding(change.before, field) || haveSameEncoding(change.after, field)
    if !isExpected { names.append(name) }
  }
}

private struct ConflictFilter: _EntityFieldVisitor {
  let others: [String]
  var conflicts: [String] = []

  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    guard let before = change?.before else { return }
    let isOther = others.contains { $0.utf8.elementsEqual(name.utf8) }
    if haveSameEncoding(before, field), !isOther { return }
    conflicts.append(name)
    change = nil
  }
}

private struct ChangeRebaser: _EntityFieldVisitor {
  let isOverwriting: Bool

  mutating func visit<Value: Recordable>(
    _ name: String, _ change: inout Change<Value>?, _ field: inout Value
  ) {
    guard let after = change?.after else { return }
    if haveSameEncoding(field, after) {
      change = nil
    } else if isOverwriting {
      change = Change(from: field, to: after)
    }
  }
}
