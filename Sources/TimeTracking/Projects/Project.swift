import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a project.
public struct ProjectID: EntityID { @usableFromInline var number: Int64 }

/// What time is spent on.
public struct Project: TableEntity, MergeableEntity {
  /// The type of the id.
  public typealias ID = ProjectID

  /// The name.
  public var name: Name
  /// The workspace that it belongs to, if any.
  public var workspace: WorkspaceID? = nil
  /// The client that it is for, if any.
  public var client: ClientID? = nil
  /// The colour, as red, green and blue in one byte each.
  public var color: Int32 = 0x0b_83d9
  /// The price of an hour, in hundredths of the currency.
  public var rate: Int64? = nil
  /// The time that it is expected to take.
  public var estimate: ElapsedTime? = nil
  /// Whether new entries are billable.
  public var isBillable: Bool = false
  /// Whether it is out of use, and not offered any more.
  public var isArchived: Bool = false
  /// The one that this is an alias of.
  public var mergedInto: ProjectID? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// When it was changed last.
  public var modified: Moment = Moment(microseconds: 0)
  /// When it was deleted.
  public var deleted: Moment?

  /// Makes a project.
  public init(name: Name, workspace: WorkspaceID? = nil, client: ClientID? = nil) {
    self.name = name
    self.workspace = workspace
    self.client = client
  }

  /// Returns whether both are in the same place.
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

  /// Makes a value without changes.
  public init() {}
}
