import RetraceAvro
public import RetraceArchitecture
public import RetraceState

/// The decisions and rules of an entity that ``EntityCommand``s create and change.
public protocol EntityRules: EntityModule
where
  Command == EntityCommand<ID, Changes>, Refusal == EntityRefusal, Edit == DomainEdit,
  Changes.Entity: TrackedEntity
{
  /// Checks an entity that is created or changed.
  ///
  /// Only new references are checked, because the target of an old one may be deleted by now.
  ///
  /// - Parameters:
  ///   - entity: The entity after the command.
  ///   - before: The entity before the command; `nil` if it is new.
  ///   - id: Its id; `nil` if it is new.
  ///   - editor: The editor.
  /// - Throws: The refusal.
  static func check(
    _ entity: Entity, since before: Entity?, _ id: ID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal)

  /// Returns an entity with its scope after all merges; by default the entity as it is.
  static func withResolvedScope(_ entity: Entity, in state: borrowing DomainState) -> Entity

  /// Clears the alias of a new entity. Does nothing by default.
  static func clearAlias(of entity: inout Entity)

  /// Deletes the aliases of an entity. Does nothing by default.
  static func deleteAliases(of id: ID, in editor: inout EntityEditor<DomainEdit>)

  /// Checks that an entity may be deleted. Allows it by default.
  static func checkUnused(
    _ id: ID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal)

  /// Checks under ``RuleSet/second`` that a new or changed entity cannot be mistaken for another.
  /// Accepts all by default.
  ///
  /// - Throws: The refusal.
  static func checkDistinct(
    _ entity: Entity, since before: Entity?, _ id: ID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal)

  /// Checks under ``RuleSet/second`` that a change puts no rate of an entry into another currency.
  /// Accepts all by default.
  ///
  /// - Throws: The refusal.
  static func checkCurrency(
    of entity: Entity, since before: Entity, _ id: ID,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal)

  /// Checks under ``RuleSet/second`` that two entities to be merged share no name of a part.
  /// Accepts all by default.
  ///
  /// - Parameters:
  ///   - id: The entity that becomes an alias.
  ///   - other: The other entity, which is not an alias.
  ///   - editor: The editor.
  /// - Throws: The refusal.
  static func checkParts(
    of id: ID, and other: ID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal)

  /// Merges an entity into another. Refuses by default.
  static func merge(
    _ id: ID, into other: ID, _ rules: RuleSet, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal)
}

extension EntityRules {
  /// Returns the entity as it is.
  public static func withResolvedScope(
    _ entity: Entity, in state: borrowing DomainState
  ) -> Entity { entity }

  /// Changes nothing.
  public static func clearAlias(of entity: inout Entity) {}

  /// Deletes nothing.
  public static func deleteAliases(of id: ID, in editor: inout EntityEditor<DomainEdit>) {}

  /// Allows the deletion.
  public static func checkUnused(
    _ id: ID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {}

  /// Accepts the entity.
  public static func checkDistinct(
    _ entity: Entity, since before: Entity?, _ id: ID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {}

  /// Accepts the change.
  public static func checkCurrency(
    of entity: Entity, since before: Entity, _ id: ID,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {}

  /// Accepts the merge.
  public static func checkParts(
    of id: ID, and other: ID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {}

  /// Refuses the merge.
  public static func merge(
    _ id: ID, into other: ID, _ rules: RuleSet, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) { throw .cannotMerge }

  /// Sets the moment of the last change.
  public static func touch(_ entity: inout Entity, at moment: Moment) { entity.modified = moment }

  /// Decides a command.
  public static func decide(
    _ command: EntityCommand<ID, Changes>, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    switch command {
    case .create(let entity, let rules):
      if rules != .first { try checkDistinct(entity, since: nil, nil, in: editor) }
      try create(entity, in: &editor)
    case .change(let id, let changes, let rules, let changesCurrency, reason: _):
      try change(id, changes, rules, changesCurrency: changesCurrency, in: &editor)
    case .delete(let id, reason: _):
      _ = try live(id, in: editor)
      try checkUnused(id, in: editor)
      let moment = editor.moment
      // The aliases first, so that no live alias refers to a deleted entity in between.
      deleteAliases(of: id, in: &editor)
      editor.change(id, of: Self.self) { $0.deleted = moment }
    case .merge(let id, let other, let rules, reason: _):
      try merge(id, into: other, rules, in: &editor)
    case .link(let id, let external): try link(id, external, in: &editor)
    }
  }

  /// Creates an entity, and returns its id.
  @discardableResult
  static func create(
    _ entity: Entity, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) -> ID {
    var entity = entity
    entity.modified = editor.moment
    entity.deleted = nil
    entity.externalIDs = []
    clearAlias(of: &entity)
    try check(entity, since: nil, nil, in: editor)
    return editor.insert(entity, of: Self.self)
  }

  /// Returns an entity that is not deleted.
  static func live(
    _ id: ID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) -> Entity {
    guard let entity = editor.entity(id, of: Self.self), entity.deleted == nil else {
      throw .unknown(type: ID.recordedName, id: id.value)
    }
    return entity
  }

  /// Checks that a new reference refers to an entity that is not deleted.
  static func requireLive(
    _ id: ID?, unless before: ID?, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    guard let id, id != before else { return }
    _ = try live(id, in: editor)
  }

  /// Refuses a merge if there are names of parts that both entities have.
  static func refuseShared(_ names: [Name], type: String) throws(EntityRefusal) {
    guard names.isEmpty else {
      throw .shareNames(type: type, names: Array(names.prefix(EntityRefusal.namesMax)))
    }
  }

  /// Changes fields of an entity, if they still have the values that the user saw.
  private static func change(
    _ id: ID, _ changes: Changes, _ rules: RuleSet, changesCurrency: Bool,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let before = try live(id, in: editor)
    try changes.requireNone(of: ["externalIDs", "mergedInto", "deleted"])
    let after = try changes.applied(to: before)
    try check(after, since: before, id, in: editor)
    if rules != .first {
      try checkDistinct(after, since: before, id, in: editor)
      if !changesCurrency { try checkCurrency(of: after, since: before, id, in: editor) }
    }
    editor.change(id, of: Self.self) { $0 = after }
  }

  private static func link(
    _ id: ID, _ external: ExternalID, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    _ = try live(id, in: editor)
    guard external.id.utf8.count <= Name.bytesMax else { throw .invalid(field: "externalIDs") }
    let owner = readTable(of: editor.state) { $0.owner(of: external) }
    if owner == id { return }
    guard owner == nil else { throw .externalIDTaken(external) }
    editor.change(id, of: Self.self) { entity in
      entity.externalIDs.removeAll { $0.source == external.source }
      entity.externalIDs.append(external)
    }
  }
}

extension EntityRules where Entity: NamedEntity {
  /// Returns whether the name and external ids are free or, for a deleted entity, nothing refers to
  /// it.
  public static func allows(_ id: ID, in state: borrowing DomainState) -> Bool {
    keepsRules(id, in: state)
  }

  /// Returns the empty and duplicate names, and the duplicate external ids.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    nameViolations(of: state)
  }

  /// Checks that the name of an entity can be used.
  ///
  /// - Complexity: O(entities).
  static func checkName(
    of entity: Entity, _ id: ID?, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkText(of: entity.name)
    if rival(of: entity, except: id, in: editor.state) != nil { throw .nameTaken(entity.name) }
  }

  /// Returns the live entity that, after all merges, has the same name and scope as another.
  ///
  /// - Complexity: O(entities).
  static func rival(
    of entity: Entity, except id: ID? = nil, in state: borrowing DomainState
  ) -> ID? {
    let named = readTable(of: state) { table in
      var named: [(id: ID, entity: Entity)] = []
      table.forEach { other, rival in
        if other != id, rival.deleted == nil, rival.name == entity.name {
          named.append((other, rival))
        }
      }
      return named
    }
    for rival in named where areRivals(rival.entity, entity, in: state) { return rival.id }
    return nil
  }

  /// Returns whether two entities may not have the same name, because they have the same scope
  /// after all merges.
  static func areRivals(
    _ entity: Entity, _ other: Entity, in state: borrowing DomainState
  ) -> Bool {
    withResolvedScope(entity, in: state).isRival(of: withResolvedScope(other, in: state))
  }

  /// Checks that a name is not empty and not too long.
  static func checkText(of name: Name) throws(EntityRefusal) {
    if name.isEmpty { throw .nameEmpty }
    let bytes = name.text.utf8.count
    if bytes > Name.bytesMax { throw .nameTooLong(bytes: Int64(bytes)) }
  }

  /// Returns the entity with a name and scope, and creates it if needed.
  static func findOrCreate(
    _ entity: Entity, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) -> ID {
    if let id = rival(of: entity, in: editor.state) { return id }
    return try create(entity, in: &editor)
  }

  /// Returns whether the name and the external ids are free or, for a deleted entity, whether
  /// nothing refers to it.
  static func keepsRules(_ id: ID, in state: borrowing DomainState) -> Bool {
    let entity = readTable(of: state) { $0[id] }
    guard let entity else { return true }
    if entity.deleted != nil {
      let editor = EntityEditor<DomainEdit>(state, at: entity.modified)
      do throws(EntityRefusal) {
        try checkUnused(id, in: editor)
        return true
      } catch {
        return false
      }
    }
    guard rival(of: entity, except: id, in: state) == nil else { return false }
    return readTable(of: state) { table in
      entity.externalIDs.allSatisfy { table.owner(of: $0, except: id) == nil }
    }
  }

  /// Returns the entities with an empty name, with the name of an earlier one of the same scope, or
  /// with an external id of an earlier one.
  static func nameViolations(of state: borrowing DomainState) -> [Violation] {
    readTable(of: state) { table in
      var violations: [Violation] = []
      var seen: [Name: [Entity]] = [:]
      var externalIDs: Set<ExternalID> = []
      table.forEach { id, entity in
        guard entity.deleted == nil else { return }
        for external in entity.externalIDs where !externalIDs.insert(external).inserted {
          violations.append(
            Violation(
              of: "an id of another system is of one entity", "\(ID.recordedName) \(id.value)"))
        }
        if entity.name.isEmpty {
          violations.append(Violation(of: "names are not empty", "\(ID.recordedName) \(id.value)"))
        }
        if seen[entity.name]?.contains(where: { $0.isRival(of: entity) }) == true {
          violations.append(Violation(of: "names are unique", "\(ID.recordedName) \(id.value)"))
        }
        seen[entity.name, default: []].append(entity)
      }
      return violations
    }
  }
}

extension EntityRules where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns whether the name is free, and the merges of the entity have no cycle.
  public static func allows(_ id: ID, in state: borrowing DomainState) -> Bool {
    isSound(id, in: state)
  }

  /// Returns the empty and duplicate names, and merges in a cycle.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    violationsWithMerges(of: state)
  }

  /// Merges an entity into another of the same scope.
  public static func merge(
    _ id: ID, into other: ID, _ rules: RuleSet, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let (entity, target) = (try live(id, in: editor), try live(other, in: editor))
    guard entity.mergedInto == nil, areRivals(entity, target, in: editor.state),
      let resolved = readTable(of: editor.state, { $0.resolve(other) }), resolved != id
    else { throw .cannotMerge }
    if rules != .first { try checkParts(of: id, and: resolved, in: editor) }
    editor.change(id, of: Self.self) { $0.mergedInto = resolved }
  }

  /// Clears the alias of a new entity.
  public static func clearAlias(of entity: inout Entity) { entity.mergedInto = nil }

  /// Deletes the aliases of an entity, which frees their names.
  ///
  /// - Complexity: O(entities) for each alias.
  public static func deleteAliases(of id: ID, in editor: inout EntityEditor<DomainEdit>) {
    let moment = editor.moment
    var targets = [id]
    while let target = targets.popLast() {
      let aliases = readTable(of: editor.state) { table in
        var aliases: [ID] = []
        table.forEach { id, entity in
          if entity.deleted == nil, entity.mergedInto == target { aliases.append(id) }
        }
        return aliases
      }
      for alias in aliases { editor.change(alias, of: Self.self) { $0.deleted = moment } }
      targets += aliases
    }
  }

  /// Returns whether the name and external ids of an entity are free and its merges have no cycle
  /// or, for a deleted entity, whether nothing refers to it and it has no live alias.
  static func isSound(_ id: ID, in state: borrowing DomainState) -> Bool {
    keepsRules(id, in: state)
      && readTable(of: state) { table in
        guard table[id]?.deleted != nil else { return !table.isInCycle(id) }
        var hasAlias = false
        table.forEach { _, entity in
          if entity.deleted == nil, entity.mergedInto == id { hasAlias = true }
        }
        return !hasAlias
      }
  }

  /// Returns the empty and duplicate names, and the entities that are merged in a cycle.
  static func violationsWithMerges(of state: borrowing DomainState) -> [Violation] {
    var violations = nameViolations(of: state)
    readTable(of: state) { table in
      table.forEach { id, entity in
        guard entity.deleted == nil, table.isInCycle(id) else { return }
        violations.append(Violation(of: "merges have an end", "\(ID.recordedName) \(id.value)"))
      }
    }
    return violations
  }
}

extension EntityChanges {
  /// Refuses changes of some fields, which have commands of their own.
  func requireNone(of fields: [String]) throws(EntityRefusal) {
    for field in changedFields where fields.contains(where: { $0.utf8.elementsEqual(field.utf8) }) {
      throw .invalid(field: field)
    }
  }

  /// Applies the changes to an entity whose fields have the values that the user saw.
  ///
  /// A field that already has its new value is not a conflict.
  ///
  /// - Throws: The names of the fields that have another value.
  func applied(to entity: Entity) throws(EntityRefusal) -> Entity {
    let conflicts = conflicts(with: entity)
    guard conflicts.isEmpty else { throw .changedMeanwhile(conflicts) }
    var after = entity
    apply(to: &after)
    return after
  }
}
