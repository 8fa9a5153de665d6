public import RetraceAvro

/// A field, or a whole entity, that could not be restored because something else changed it.
///
/// ```swift
/// if let undone = try await shelf.undo() {
///   let fields: [UnrestoredField] = undone.facts.flatMap { $0.restoredEdits?.unrestored ?? [] }
///   print("\(fields.count) fields were changed since")
/// }
/// ```
public struct UnrestoredField: Recordable {
  /// The name of the id's type in schemas, such as `AccountID`.
  public var type: String
  /// The number of the entity.
  public var id: Int64
  /// The name of the field; `nil` for the whole entity.
  public var field: String?

  /// Names a field of an entity, or the whole entity.
  public init<ID: EntityID>(_ id: ID, _ field: String? = nil) {
    type = ID.recordedName
    self.id = id.value
    self.field = field
  }

  func isOf<ID: EntityID>(_ id: ID) -> Bool {
    self.id == id.value && type.utf8.elementsEqual(ID.recordedName.utf8)
  }
}

extension UnrestoredField: Hashable {
  /// Returns whether the names have the same bytes and the numbers are equal.
  public static func == (left: UnrestoredField, right: UnrestoredField) -> Bool {
    guard left.id == right.id, left.type.utf8.elementsEqual(right.type.utf8) else { return false }
    guard let field = left.field, let other = right.field else {
      return left.field == nil && right.field == nil
    }
    return field.utf8.elementsEqual(other.utf8)
  }

  /// Hashes the bytes of the names and the number.
  public func hash(into hasher: inout Hasher) {
    for byte in type.utf8 { hasher.combine(byte) }
    hasher.combine(id)
    for byte in (field ?? "").utf8 { hasher.combine(byte) }
  }
}
