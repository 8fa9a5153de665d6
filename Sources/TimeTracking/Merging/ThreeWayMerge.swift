public import RetraceState

/// An entity that was changed here and on a server since both were equal, merged field by field.
public struct ThreeWayMerge<Changes: EntityChanges>: Sendable, Equatable {
  /// The entity after the merge.
  public var entity: Changes.Entity
  /// What the server does not have yet; empty if both are in sync.
  public var unpushed: Changes
  /// The names of the fields whose local change was lost, because the server changed them too or
  /// deleted the entity.
  public var overwritten: [String]

  /// Whether the server has everything.
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
  /// Fields that make sense only together are one field: an entry has the start and the end of one
  /// version, and the workspace, the project, the task, the billing and the rate of one version.
  ///
  /// `deleted` is merged in the same way, with one rule more: nothing is pushed to an entity that
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
  /// A deletion loses nothing, because the entity keeps its values: undoing it brings them back.
  /// Fields that facts never change are the server's; values are compared by their encodings.
  ///
  /// - Parameters:
  ///   - base: The entity when both were equal.
  ///   - local: The entity here.
  ///   - server: The entity on the server; if the server has none any more, `base` with the moment
  ///     of its deletion.
  /// - Complexity: O(bytes of the fields).
  public static func merging(
    base: Entity, local: Entity, server: Entity
  ) -> ThreeWayMerge<Self> {
    let localChanges = Self(from: base, to: local)
    let serverChanges = Self(from: base, to: server)
    // The later of two changes of a field wins, and those of the server come later.
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
