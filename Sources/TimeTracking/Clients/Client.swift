import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a client.
public struct ClientID: EntityID { @usableFromInline var number: Int64 }

/// A person or organization that projects are for.
public struct Client: TableEntity, MergeableEntity {
  /// The type of the id.
  public typealias ID = ClientID

  /// The name.
  public var name: Name
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The client that it is merged into, if any.
  public var mergedInto: ClientID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a client.
  public init(name: Name, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }

  /// Returns whether both are in the same workspace.
  public func isRival(of other: Client) -> Bool { workspace == other.workspace }
}

/// The changes of the fields of a client.
public struct ClientChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Client

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `workspace`.
  public var workspace: Change<WorkspaceID?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `mergedInto`.
  public var mergedInto: Change<ClientID?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Client: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(mergedInto)
  }
}
