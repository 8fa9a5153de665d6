public import RetraceState

extension EntityTable where Entity: NamedEntity {
  /// Returns the ids of all entities of a name, deleted or not, because entries keep the names of
  /// what was deleted.
  ///
  /// It follows the Unicode tables of the toolchain, as ``Name`` does.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - key: The key of a filter that takes such names.
  /// - Complexity: O(entities).
  /// - Throws: ``EntryConditionError/unknownName(_:_:known:)`` if no entity has the name.
  public func ids(
    named text: String, of key: EntryConditionKey
  ) throws(EntryConditionError) -> Set<ID> {
    let name = Name(text)
    var found: Set<ID> = []
    forEach { id, entity in
      if entity.name == name { found.insert(id) }
    }
    guard found.isEmpty else { return found }
    var seen: Set<Name> = []
    var known: [String] = []
    forEach { _, entity in
      if entity.deleted == nil, seen.insert(entity.name).inserted { known.append(entity.name.text) }
    }
    throw .unknownName(key, text, known: known)
  }
}

extension DomainState {
  /// Returns the ids of all projects of a name, deleted or not, or else of those that a text such
  /// as `client/project` names.
  ///
  /// - Complexity: O(projects).
  /// - Throws: ``EntryConditionError/unknownName(_:_:known:)`` if the text names no project.
  public func projectIDs(named text: String) throws(EntryConditionError) -> Set<ProjectID> {
    do throws(EntryConditionError) {
      return try projects.ids(named: text, of: .project)
    } catch {
      let found = projects(named: text)
      guard !found.isEmpty else { throw error }
      return Set(found)
    }
  }
}
