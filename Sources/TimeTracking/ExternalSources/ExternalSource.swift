import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a source.
public struct SourceID: EntityID { @usableFromInline var number: Int64 }

/// Another system that entities were imported from.
public struct ExternalSource: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a source.
  public init(name: Name) {
    self.name = name
  }

  /// Returns `true`: no two sources have the same name.
  public func isRival(of other: ExternalSource) -> Bool { true }
}

/// The changes of the fields of a source.
public struct ExternalSourceChanges: EntityChanges {
  /// The entity.
  public typealias Entity = ExternalSource

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}
