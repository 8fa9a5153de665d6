import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The notes that are printed beside the result of an operation.
extension EntityVerb {
  /// Returns the notes to print about an operation.
  func remarks(
    on operation: EntityOperation, from before: DomainState, to after: DomainState
  ) -> [String] {
    let found: ID?
    switch operation {
    case .create(let name):
      // Another one of this name may be in another place.
      var made: ID?
      let name = Name(name, in: table(in: after))
      table(in: after).forEach { id, entity in
        if entity.name == name, table(in: before)[id] == nil { made = id }
      }
      found = made
    case .set(let name): found = (try? id(of: name, in: before)) ?? (try? id(of: name, in: after))
    case .merge(let name, let other): return lost(by: name, into: other, in: before)
    case .rename, .archive, .delete: found = nil
    }
    guard let found, let entity = table(in: after)[found] else { return [] }
    var notes: [String] = []
    if case .set = operation, table(in: before)[found] == nil {
      notes.append("\(entity.name.text) is a new \(Self.noun)")
    }
    return notes + remarks(on: found, from: table(in: before)[found], to: entity, in: after)
  }

  private func details(of entity: Entity, in domain: DomainState) -> [EntityDetail] {
    let projects = [entity].compactMap { project(of: $0) }
    return details(of: entity, in: domain, domain.longNames(ofAll: projects))
  }

  /// Returns a note for each value that is lost by a merge: a rate, an estimate, or that new
  /// entries are billable.
  private func lost(by name: String, into other: String, in domain: DomainState) -> [String] {
    let entities = [name, other].compactMap { try? id(of: $0, in: domain) }
      .compactMap { table(in: domain)[$0] }
    guard let old = entities.first, let new = entities.last, entities.count == 2 else { return [] }
    let kept = details(of: new, in: domain)
    return EntityDetail.lost(of: details(of: old, in: domain), to: kept)
      .map { $0.lossNote(of: name, to: other) }
  }

  /// Returns the details that an operation left different, for the end of its line.
  func text(
    of operation: EntityOperation, from before: DomainState, to after: DomainState
  ) -> String {
    guard case .set(let name) = operation,
      let id = (try? id(of: name, in: before)) ?? (try? self.id(of: name, in: after)),
      let new = table(in: after)[id]
    else { return "" }
    let was = table(in: before)[id].map { details(of: $0, in: before) } ?? []
    let now = details(of: new, in: after)
    let changed = now.filter { detail in
      !detail.shown.isEmpty && !was.contains { $0.shown == detail.shown }
    }
    let gone = was.filter { detail in
      !detail.shown.isEmpty && !now.contains { $0.name == detail.name }
    }
    return
      (changed.map(\.shown)
      + gone.map { $0.value == "yes" ? "\($0.name) no" : "no \($0.name)" })
      .map { "  \($0)" }.joined()
  }
}
