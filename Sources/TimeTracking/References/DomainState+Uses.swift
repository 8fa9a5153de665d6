import RetraceArchitecture
import RetraceAvro
package import RetraceState

extension DomainEntities {
  /// Returns whether an undo or a redo may carry out an edit: the undo of a creation may not remove
  /// what a live entity refers to.
  ///
  /// - Complexity: O(entities) for the undo of a creation; O(1) for others.
  public static func canRestore(_ edit: DomainEdit, in state: borrowing DomainState) -> Bool {
    switch edit {
    case .workspace(.removed(let id, _)): !state.isUsed(id)
    case .client(.removed(let id, _)): !state.isUsed(id)
    case .project(.removed(let id, _)): !state.isUsed(id)
    case .task(.removed(let id, _)): !state.isUsed(id)
    case .tag(.removed(let id, _)): !state.isUsed(id)
    case .user(.removed(let id, _)): !state.isUsed(id)
    default: true
    }
  }
}

extension DomainState {
  /// Returns the live entities that refer to a live one, counted by the recorded names of the types
  /// of their ids.
  ///
  /// - Parameter entity: The entity, as an undo names it.
  /// - Complexity: O(entities).
  package func uses(of entity: UnrestoredField) -> [(type: String, count: Int)] {
    var counts: [(type: String, count: Int)] = []
    func count<ID: EntityID, Entity: TrackedEntity>(_ table: EntityTable<ID, Entity>) {
      let id = ID(value: entity.id)
      guard entity.type.utf8.elementsEqual(ID.recordedName.utf8), table.live(id) != nil else {
        return
      }
      forEachUse(of: id) { type in
        if let last = counts.indices.last, counts[last].type.utf8.elementsEqual(type.utf8) {
          counts[last].count += 1
        } else {
          counts.append((type, 1))
        }
        return true
      }
    }
    count(workspaces)
    count(clients)
    count(projects)
    count(tasks)
    count(tags)
    count(users)
    return counts
  }

  /// Returns whether a live entity refers to another one.
  ///
  /// - Complexity: O(entities).
  fileprivate func isUsed(_ id: some EntityID) -> Bool {
    var isFound = false
    forEachUse(of: id) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Calls `body` for each live entity that refers to another one, until it returns `false`.
  ///
  /// - Parameters:
  ///   - id: The other entity.
  ///   - body: Receives the recorded name of the type of the referring entity's id. The entities of
  ///     one type follow each other.
  private func forEachUse(of id: some EntityID, _ body: (String) -> Bool) {
    let wanted = EntityReference(id)
    var isDone = false
    func search<ID, Entity: ReferringEntity>(
      _ table: EntityTable<ID, Entity>, _ isLive: (Entity) -> Bool = { $0.deleted == nil }
    ) {
      if isDone { return }
      do throws(SearchEnd) {
        try table.forEach { (_, entity) throws(SearchEnd) in
          guard isLive(entity), entity.refers(to: wanted) else { return }
          if !body(ID.recordedName) { throw SearchEnd() }
        }
      } catch {
        isDone = true
      }
    }
    search(clients)
    search(projects)
    search(tasks)
    search(tags)
    search(users)
    search(preferenceSets)
    search(goals)
    search(favorites)
    search(closings)
    var visible = VisibleEntries(self)
    search(timeEntries) { visible.contains($0) }
  }
}

private struct SearchEnd: Error {}
