import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a workspace.
public struct WorkspaceID: EntityID { @usableFromInline var number: Int64 }

/// A group of clients, projects and tags with a currency.
public struct Workspace: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The ISO 4217 code of the currency of rates.
  public var currency: String = "EUR"
  /// The hourly rate, in hundredths of the currency.
  public var rate: Int64? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a workspace.
  public init(name: Name) {
    self.name = name
  }

  /// Returns `true`: no two workspaces have the same name.
  public func isRival(of other: Workspace) -> Bool { true }
}

/// The changes of the fields of a workspace.
public struct WorkspaceChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Workspace

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `currency`.
  public var currency: Change<String>?
  /// The change of `rate`.
  public var rate: Change<Int64?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}
