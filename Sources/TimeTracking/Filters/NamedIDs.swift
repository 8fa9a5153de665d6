public import RetraceState

extension DomainState {
  /// Returns the ids of all entities with a name, including deleted ones, because entries still
  /// refer to them.
  ///
  /// It depends on the Unicode tables of the toolchain, as ``Name`` does.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - table: The table.
  ///   - key: The filter key for such names, used in the error.
  /// - Complexity: O(entities).
  /// - Throws: ``EntryConditionError/unknownName(_:_:known:)`` if no entity has the name.
  public static func ids<ID, Entity: NamedEntity>(
    named text: String, in table: EntityTable<ID, Entity>, of key: EntryConditionKey
  ) throws(EntryConditionError) -> Set<ID> {
    let (name, other) = (Name(text), Name(text, in: table))
    var (found, inOtherForm): (Set<ID>, Set<ID>) = ([], [])
    table.forEach { id, entity in
      if entity.name == name || entity.name == other { found.insert(id) }
      // Deleted entities may have the name in another normalization form, too.
      if entity.name.key == name.key { inOtherForm.insert(id) }
    }
    if found.isEmpty { found = inOtherForm }
    guard found.isEmpty else { return found }
    var seen: Set<Name> = []
    var known: [String] = []
    table.forEach { _, entity in
      if entity.deleted == nil, seen.insert(entity.name).inserted { known.append(entity.name.text) }
    }
    throw .unknownName(key, text, known: known)
  }

  /// Returns the ids of all projects with a name, including deleted ones, or else of the projects
  /// that `client/project` names.
  ///
  /// - Complexity: O(projects).
  /// - Throws: ``EntryConditionError/unknownName(_:_:known:)`` if the text names no project.
  public func projectIDs(named text: String) throws(EntryConditionError) -> Set<ProjectID> {
    do throws(EntryConditionError) {
      return try Self.ids(named: text, in: projects, of: .project)
    } catch {
      let found = projects(named: text)
      guard !found.isEmpty else { throw error }
      return Set(found)
    }
  }
}
