import RetraceState

/// An entity of any type, for the search of references to it.
struct EntityReference {
  private let type: ObjectIdentifier
  private let value: Int64

  init<ID: EntityID>(_ id: ID) {
    type = ObjectIdentifier(ID.self)
    value = id.value
  }

  /// Returns whether an id is the one of the entity.
  func has<ID: EntityID>(_ id: ID?) -> Bool {
    id?.value == value && ObjectIdentifier(ID.self) == type
  }
}

/// An entity that may refer to others.
///
/// The system that an entity was imported from does not count as a reference.
protocol ReferringEntity: TrackedEntity {
  /// Returns whether the entity refers to another one.
  func refers(to entity: EntityReference) -> Bool
}
