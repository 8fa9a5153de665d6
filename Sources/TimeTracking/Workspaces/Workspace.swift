import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a workspace.
public struct WorkspaceID: EntityID { @usableFromInline var number: Int64 }

/// A place for clients, projects and tags of its own.
public struct Workspace: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The code of the currency of rates, as in ISO 4217.
  public var currency: String = "EUR"
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

  /// Makes a workspace.
  public init(name: Name) {
    self.name = name
  }

  /// Returns whether both are in the same place.
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

  /// Makes a value without changes.
  public init() {}
}
