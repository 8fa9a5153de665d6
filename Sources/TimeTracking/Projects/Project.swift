import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a project.
public struct ProjectID: EntityID { @usableFromInline var number: Int64 }

/// A project, to which time entries belong.
public struct Project: TableEntity, MergeableEntity {
  /// The type of the id.
  public typealias ID = ProjectID

  /// The name.
  public var name: Name
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID? = nil
  /// The client, if any.
  public var client: ClientID? = nil
  /// The colour: one byte each of red, green and blue.
  public var color: Int32 = 0x0b_83d9
  /// The hourly rate, in hundredths of the currency.
  public var rate: Int64? = nil
  /// The estimated time.
  public var estimate: ElapsedTime? = nil
  /// Whether new entries are billable by default.
  public var isBillable: Bool = false
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The project that it is merged into, if any.
  public var mergedInto: ProjectID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a project.
  public init(name: Name, workspace: WorkspaceID? = nil, client: ClientID? = nil) {
    self.name = name
    self.workspace = workspace
    self.client = client
  }

  /// Returns whether both are in the same workspace and of the same client.
  public func isRival(of other: Project) -> Bool {
    workspace == other.workspace && client == other.client
  }
}

/// The changes of the fields of a project.
public struct ProjectChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Project

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `workspace`.
  public var workspace: Change<WorkspaceID?>?
  /// The change of `client`.
  public var client: Change<ClientID?>?
  /// The change of `color`.
  public var color: Change<Int32>?
  /// The change of `rate`.
  public var rate: Change<Int64?>?
  /// The change of `estimate`.
  public var estimate: Change<ElapsedTime?>?
  /// The change of `isBillable`.
  public var isBillable: Change<Bool>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `mergedInto`.
  public var mergedInto: Change<ProjectID?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Project: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(workspace) || entity.has(client) || entity.has(mergedInto)
  }
}
