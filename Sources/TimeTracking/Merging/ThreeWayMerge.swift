public import RetraceState

/// The result of merging, field by field, the local and the server's changes of an entity.
public struct ThreeWayMerge<Changes: EntityChanges>: Sendable, Equatable {
  /// The entity after the merge.
  public var entity: Changes.Entity
  /// The changes that the server does not have yet.
  public var unpushed: Changes
  /// The names of the fields whose local changes are lost, because the server changed them too or
  /// deleted the entity.
  public var overwritten: [String]

  /// Whether the server has all changes.
  public var isInSync: Bool { unpushed.isEmpty }
}

extension EntityChanges where Entity: TrackedEntity {
  /// Merges the local and the server's version of an entity.
  ///
  /// Each field is merged on its own:
  ///
  /// | Local | Server | Result | To push |
  /// | --- | --- | --- | --- |
  /// | unchanged | unchanged | that value | no |
  /// | unchanged | changed | the server's value | no |
  /// | changed | unchanged | the local value | yes |
  /// | changed | changed to the same value | that value | no |
  /// | changed | changed to another value | the server's value | no |
  ///
  /// Fields that depend on each other are merged as one. An entry has start and end from one
  /// version, and workspace, project, task, billing and rate from one version.
  ///
  /// `deleted` is merged in the same way, with one more rule: nothing is pushed to an entity that
  /// the server deleted.
  ///
  /// | Local | Server | Result | To push |
  /// | --- | --- | --- | --- |
  /// | deleted | fields changed | deleted, with the server's values | the deletion |
  /// | fields changed | deleted | deleted, with the server's values | nothing |
  /// | deleted | deleted | deleted, at the server's moment | nothing |
  /// | deletion undone | unchanged | not deleted | the undoing |
  /// | deletion undone | fields changed | not deleted, with the server's values | the undoing |
  ///
  /// A deletion loses nothing: the entity keeps its values, and undoing the deletion restores it.
  /// The result has the server's value of a field that facts never change. Values are compared by
  /// their encodings.
  ///
  /// - Parameters:
  ///   - base: The entity at the last sync.
  ///   - local: The entity here.
  ///   - server: The entity on the server. If the server no longer has it, `base` with the moment
  ///     of the deletion.
  /// - Complexity: O(bytes of the fields).
  public static func merging(
    base: Entity, local: Entity, server: Entity
  ) -> ThreeWayMerge<Self> {
    let localChanges = Self(from: base, to: local)
    let serverChanges = Self(from: base, to: server)
    // The server's changes are applied last, so they win.
    var merged = server
    localChanges.apply(to: &merged)
    serverChanges.apply(to: &merged)
    merged.takeJointFields(of: server, changedSince: base)
    if merged.deleted != nil, server.deleted != nil { merged = server }
    let changed = localChanges.changedFields
    let lost = Self(from: merged, to: local).changedFields.filter { field in
      changed.contains { $0.utf8.elementsEqual(field.utf8) }
    }
    return ThreeWayMerge(
      entity: merged, unpushed: Self(from: server, to: merged), overwritten: lost)
  }
}
