import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a goal.
public struct GoalID: EntityID { @usableFromInline var number: Int64 }

/// A target for the time that a user spends in each period.
public struct Goal: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The user.
  public var user: UserID
  /// The target time.
  public var target: ElapsedTime
  /// The length of a period.
  public var period: GoalPeriod = .day
  /// Whether the target is a maximum instead of a minimum.
  public var isLimit: Bool = false
  /// The project whose entries count; `nil` for all projects.
  public var project: ProjectID? = nil
  /// The tag whose entries count; `nil` for all entries.
  public var tag: TagID? = nil
  /// Whether it is archived: kept, but no longer offered.
  public var isArchived: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates a goal.
  public init(name: Name, user: UserID, target: ElapsedTime) {
    self.name = name
    self.user = user
    self.target = target
  }

  /// Returns whether both are of the same user.
  public func isRival(of other: Goal) -> Bool { user == other.user }
}

/// The changes of the fields of a goal.
public struct GoalChanges: EntityChanges {
  /// The entity.
  public typealias Entity = Goal

  /// The change of `name`.
  public var name: Change<Name>?
  /// The change of `user`.
  public var user: Change<UserID>?
  /// The change of `target`.
  public var target: Change<ElapsedTime>?
  /// The change of `period`.
  public var period: Change<GoalPeriod>?
  /// The change of `isLimit`.
  public var isLimit: Change<Bool>?
  /// The change of `project`.
  public var project: Change<ProjectID?>?
  /// The change of `tag`.
  public var tag: Change<TagID?>?
  /// The change of `isArchived`.
  public var isArchived: Change<Bool>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension Goal: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool {
    entity.has(user) || entity.has(project) || entity.has(tag)
  }
}
