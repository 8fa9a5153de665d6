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
/// A reference to a system that an entity was imported from is none.
protocol ReferringEntity: TrackedEntity {
  /// Returns whether the entity refers to another one.
  func refers(to entity: EntityReference) -> Bool
}

extension Client: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(mergedInto)
  }
}

extension Project: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(client) || entity.has(mergedInto)
  }
}

extension ProjectTask: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(project) || entity.has(mergedInto)
  }
}

extension Tag: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(mergedInto)
  }
}

extension User: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool { entity.has(workspace) }
}

extension PreferenceSet: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool { entity.has(user) }
}

extension Goal: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(project) || entity.has(tag)
  }
}

extension Favorite: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(project) || entity.has(task)
      || tags.contains { entity.has($0) }
  }
}

extension TimeEntry: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(workspace) || entity.has(project) || entity.has(task)
      || tags.contains { entity.has($0) }
  }
}

extension Closing: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    switch scope {
    case .all: false
    case .user(let id): entity.has(id)
    case .client(let id): entity.has(id)
    }
  }
}
