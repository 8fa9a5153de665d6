import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a user.
public struct UserID: EntityID { @usableFromInline var number: Int64 }

/// A person whose time is tracked.
public struct User: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The email address.
  public var email: String? = nil
  /// The default workspace of new entries.
  public var workspace: WorkspaceID? = nil
  /// The hourly rate, in hundredths of the currency.
  public var rate: Int64? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The moment until which the user has confirmed the time of the running entry, so that nothing
  /// before it is asked about again.
  public var confirmed: Moment? = nil
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a user.
  public init(name: Name, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }

  /// Returns `true`: no two users have the same name.
  public func isRival(of other: User) -> Bool { true }
}

/// The changes of the fields of a user.
public struct UserChanges: EntityChanges {
  /// The entity.
  public typealias Entity = User

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `email`.
  public var email: Change<String?>?
  /// The change of `workspace`.
  public var workspace: Change<WorkspaceID?>?
  /// The change of `rate`.
  public var rate: Change<Int64?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `confirmed`.
  public var confirmed: Change<Moment?>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension User: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool { entity.has(workspace) }
}
