import RetraceState

/// A resolver of merged entities that caches its results.
///
/// Unlike `EntityTable.resolve(_:)`, it returns an id even for deleted entities, because their time
/// still counts.
package struct AliasResolver: Sendable {
  private let state: DomainState
  private var clients = SmallMap<ClientID, ClientID>()
  private var projects = SmallMap<ProjectID, (id: ProjectID, client: ClientID?)>()
  private var tasks = SmallMap<TaskID, TaskID>()
  private var tags = SmallMap<TagID, TagID>()

  /// Creates a resolver with an empty cache.
  package init(_ state: DomainState) { self.state = state }

  /// Returns the client that an id refers to after all merges.
  package mutating func client(_ id: ClientID?) -> ClientID? {
    guard let id else { return nil }
    if let known = clients.value(for: id) { return known }
    let target = state.clients.mergeTarget(of: id)
    clients.insert(target, for: id)
    return target
  }

  /// Returns the project that an id refers to after all merges.
  package mutating func project(_ id: ProjectID?) -> ProjectID? { id.map { known($0).id } }

  /// Returns the client of a project, after all merges of both.
  package mutating func client(of project: ProjectID?) -> ClientID? {
    project.flatMap { known($0).client }
  }

  /// Returns the task that an id refers to after all merges.
  package mutating func task(_ id: TaskID?) -> TaskID? {
    guard let id else { return nil }
    if let known = tasks.value(for: id) { return known }
    let target = state.tasks.mergeTarget(of: id)
    tasks.insert(target, for: id)
    return target
  }

  mutating func tag(_ id: TagID) -> TagID {
    if let known = tags.value(for: id) { return known }
    let target = state.tags.mergeTarget(of: id)
    tags.insert(target, for: id)
    return target
  }

  /// Returns the tags that ids refer to after all merges, sorted, each once.
  package mutating func tags(_ ids: [TagID]) -> [TagID] {
    var isInOrder = true
    var last = Int64.min
    for id in ids {
      let target = tag(id)
      if target != id || id.value <= last { isInOrder = false }
      last = id.value
    }
    return isInOrder ? ids : Set(ids.map { tag($0) }).sorted()
  }

  private mutating func known(_ id: ProjectID) -> (id: ProjectID, client: ClientID?) {
    if let known = projects.value(for: id) { return known }
    let target = state.projects.mergeTarget(of: id)
    let found = (id: target, client: client(state.projects.read(target) { $0.client } ?? nil))
    projects.insert(found, for: id)
    return found
  }
}

extension EntityTable where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns the id of the entity that an id refers to after all merges, deleted or not; the id
  /// itself if there is no such entity.
  ///
  /// - Complexity: O(merges of the entity).
  func mergeTarget(of id: ID) -> ID {
    var target = id
    // Merges refuse cycles. The bound ends the loop even if the state has one.
    for _ in 0..<count {
      guard let next = read(target, { $0.mergedInto }) ?? nil else { return target }
      target = next
    }
    return id
  }
}
