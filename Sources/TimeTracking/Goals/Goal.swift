import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a goal.
public struct GoalID: EntityID { @usableFromInline var number: Int64 }

/// A time that a user wants to spend in each period.
public struct Goal: TableEntity, NamedEntity {
  /// The name.
  public var name: Name
  /// The user.
  public var user: UserID
  /// The time to spend.
  public var target: ElapsedTime
  /// How often.
  public var period: GoalPeriod = .day
  /// Whether the target is the most to spend, and not the least.
  public var isLimit: Bool = false
  /// The project that counts; all if there is none.
  public var project: ProjectID? = nil
  /// The tag that counts; all entries if there is none.
  public var tag: TagID? = nil
  /// Whether it is out of use, and not offered any more.
  public var isArchived: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// When it was changed last.
  public var modified: Moment = Moment(microseconds: 0)
  /// When it was deleted.
  public var deleted: Moment?

  /// Makes a goal.
  public init(name: Name, user: UserID, target: ElapsedTime) {
    self.name = name
    self.user = user
    self.target = target
  }

  /// Returns whether both are in the same place.
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

  /// Makes a value without changes.
  public init() {}
}
