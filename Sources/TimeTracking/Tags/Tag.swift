import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a tag.
public struct TagID: EntityID { @usableFromInline var number: Int64 }

/// A label of time entries.
public struct Tag: TableEntity, MergeableEntity {
  /// The type of the id.
  public typealias ID = TagID

  /// The name.
  public var name: Name
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The tag that it is merged into, if any.
  public var mergedInto: TagID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a tag.
  public init(name: Name, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }

  /// Returns whether both are in the same workspace.
  public func isRival(of other: Tag) -> Bool { workspace == other.workspace }
}

/// The changes of the fields of a tag.
public struct TagChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Tag

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `workspace`.
  public var workspace: Change<WorkspaceID?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `mergedInto`.
  public var mergedInto: Change<TagID?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Tag: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(mergedInto)
  }
}
