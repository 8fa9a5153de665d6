import RetraceAvro
import RetraceState

/// An entity of any type, for the search of references to it.
struct EntityReference {
  /// The recorded name of the type of its id, which no other type has.
  private let type: String
  private let value: Int64

  init<ID: EntityID>(_ id: ID) {
    type = ID.recordedName
    value = id.value
  }

  /// Returns whether an id is the one of the entity.
  func has<ID: EntityID>(_ id: ID?) -> Bool {
    id?.value == value && ID.recordedName.utf8.elementsEqual(type.utf8)
  }
}

/// An entity that may refer to others.
///
/// The system that an entity was imported from does not count as a reference.
protocol ReferringEntity: TrackedEntity {
  /// Returns whether the entity refers to another one.
  func refers(to entity: EntityReference) -> Bool
}
