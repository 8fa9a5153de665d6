import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a user.
public struct UserID: EntityID { @usableFromInline var number: Int64 }

/// Somebody whose time is tracked.
public struct User: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The address for mail.
  public var email: String? = nil
  /// The workspace of new entries, unless another is said.
  public var workspace: WorkspaceID? = nil
  /// The price of an hour, in hundredths of the currency.
  public var rate: Int64? = nil
  /// Whether it is out of use, and not offered any more.
  public var isArchived: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// When it was changed last.
  public var modified: Moment = Moment(microseconds: 0)
  /// When it was deleted.
  public var deleted: Moment?

  /// Makes a user.
  public init(name: Name, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }

  /// Returns whether both are in the same place.
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
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?

  /// Makes a value without changes.
  public init() {}
}
