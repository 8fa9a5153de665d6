import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The id of a user's preferences.
public struct PreferenceSetID: EntityID { @usableFromInline var number: Int64 }

/// A user's preferences.
public struct PreferenceSet: TableEntity, TrackedEntity {
  /// The user.
  public var user: UserID
  /// The first day of a week: 0 is Sunday, 6 is Saturday.
  public var firstWeekday: Int32 = 1
  /// The start of a day, as the time since midnight on the clock.
  public var dayStart: ElapsedTime = ElapsedTime(microseconds: 0)
  /// The default policy for entries that overlap, lie in the future or are long.
  public var policy: Policy = .refuse
  /// The id of the time zone of reports; `nil` for the zone of the machine.
  public var zone: String? = nil
  /// The ISO 4217 code of the currency of rates without a workspace; `nil` for none.
  public var currency: String? = nil
  /// The style of dates on screens and in lists.
  public var dateFormat: DateStyle = .yearMonthDay
  /// The style of durations on screens and in lists.
  public var durationFormat: RecordedDurationStyle = .improved
  /// Whether screens and lists count the hours of a day to 24, and not twice to 12.
  public var is24Hours: Bool = true
  /// How long an entry runs before the user is asked whether the work goes on; `nil` for no
  /// question.
  public var asksAfter: ElapsedTime? = nil
  /// Whether the timer shows similar entries of a day as one row.
  public var groupsSimilar: Bool = true
  /// Whether the app adds entries with a start and an end, and starts none.
  public var isManual: Bool = false
  /// The ids in other systems.
  public var externalIDs: [ExternalID] = []
  /// The moment of the last change.
  public var modified: Moment = Moment(microseconds: 0)
  /// The moment of the deletion, if it is deleted.
  public var deleted: Moment?

  /// Creates the preferences of a user.
  public init(user: UserID) {
    self.user = user
  }
}

/// The changes of the fields of the preferences of a user.
public struct PreferenceSetChanges: EntityChanges {
  /// The entity.
  public typealias Entity = PreferenceSet

  /// The change of `user`.
  public var user: Change<UserID>?
  /// The change of `firstWeekday`.
  public var firstWeekday: Change<Int32>?
  /// The change of `dayStart`.
  public var dayStart: Change<ElapsedTime>?
  /// The change of `policy`.
  public var policy: Change<Policy>?
  /// The change of `zone`.
  public var zone: Change<String?>?
  /// The change of `currency`.
  public var currency: Change<String?>?
  /// The change of `dateFormat`.
  public var dateFormat: Change<DateStyle>?
  /// The change of `durationFormat`.
  public var durationFormat: Change<RecordedDurationStyle>?
  /// The change of `is24Hours`.
  public var is24Hours: Change<Bool>?
  /// The change of `asksAfter`.
  public var asksAfter: Change<ElapsedTime?>?
  /// The change of `groupsSimilar`.
  public var groupsSimilar: Change<Bool>?
  /// The change of `isManual`.
  public var isManual: Change<Bool>?
  /// The change of `externalIDs`.
  public var externalIDs: Change<[ExternalID]>?
  /// The change of `deleted`.
  public var deleted: Change<Moment?>?
}

extension PreferenceSet: ReferringEntity {
  func refers(to entity: EntityReference) -> Bool { entity.has(user) }
}
