public import Retrace
public import TimeTracking
public import TrackerFormats

/// The result of an import, or of its preview.
public struct ImportReport: Sendable {
  /// The counts of the rows that became entries, and of skipped rows.
  public var rows = RowCounts()
  /// The rows that differ from their entries, up to a limit.
  public var differing: [DifferingRow] = []
  /// The times of the entries that clocks show twice.
  public var repeated = RepeatedTimes()
  /// The rows that were not understood.
  public var rejected = RejectedRows()
  /// The new rows whose rates get another currency than they have in the file.
  public var relabeled: [RelabeledRates] = []
  /// The number of running entries in the file, which are not imported.
  public var running = 0
  /// The import that has the new rows, if any.
  public var run: ImportRunID?
  /// The times of the entries that an import would create; empty for the report of an import.
  public internal(set) var planned: [PlannedTimes] = []
  /// The entries of the source that are missing in the file, although it has rows of their users
  /// and covers their days; `nil` if unknown.
  ///
  /// A rejected row may belong to such an entry. Entries on its day or on a day beside it are left
  /// out. If the day of a rejected row is unknown, the value is `nil`.
  public var missing: [TimeEntryID]?
  /// Notes of the reader on what the file has and its rows have not.
  public var notes: [String] = []
  /// The users of the entries of the import.
  public internal(set) var users: Set<Name> = []
  /// The number of new rows with a rate for each user and each currency in the file.
  var rated: [Name: [String: Int]] = [:]

  /// The time of rows that were left out: those that were rejected and whose time is known, and
  /// those with the id of an earlier row.
  ///
  /// It is below zero if a deduction was left out.
  public var timeLeftOut: ElapsedTime { rejected.time.adding(rows.clashingTime) }

  /// Sets ``relabeled``.
  ///
  /// Imported entries are in no workspace, so their rates are in the currency of their user.
  mutating func findRelabeled(in domain: DomainState) {
    for (user, counts) in rated.sorted(by: { $0.key.key < $1.key.key }) {
      let present = domain.user(named: Name(user.text, in: domain.users))
        .flatMap { domain.currency(of: $0) }
      for (currency, count) in counts.sorted(by: { $0.key < $1.key }) where currency != present {
        relabeled.append(
          RelabeledRates(user: user, count: count, currency: currency, present: present))
      }
    }
  }
}

/// The counts of the rows of an import.
public struct RowCounts: Hashable, Sendable {
  /// The entries created by this run.
  public var created = 0
  /// The skipped rows whose entry exists with the same values.
  public var known = 0
  /// The rows whose entry was created by an earlier run of the same import.
  public var resumed = 0
  /// The skipped rows whose entry has other values.
  public var differing = 0
  /// The skipped rows that have the id of an earlier row of the file, and other values.
  public var clashing = 0
  /// The time of the clashing rows.
  public var clashingTime = ElapsedTime.zero
  /// The skipped rows whose entry was deleted.
  public var deleted = 0
  /// The entries of the import without a duration.
  public var zeroDurations = 0
  /// The entries of the import that overlap another one of their user, once it is finished.
  public var overlaps = 0

  /// The project names of new rows without a client that are ambiguous.
  public var ambiguousProjects: Set<Name> = []
  /// The project names of new rows that only projects of workspaces have.
  ///
  /// The rows belong to new projects, because an import is in no workspace.
  public var projectsElsewhere: Set<Name> = []
  /// The names of deleted clients whose projects are named by new rows without a client.
  ///
  /// The import creates a new client and a new project.
  public var deletedClients: Set<Name> = []

  /// The entries of the import, created by this run or an earlier one.
  public var entries: Int { created + resumed }

  /// Creates counts of zero.
  public init() {}
}

/// The rows of a file that were not understood.
public struct RejectedRows: Sendable {
  /// The maximum number of kept rows, which bounds the memory for a file of rejected rows.
  public static var keptMax: Int { 10_000 }

  /// The rows that are kept, at most ``keptMax``.
  public private(set) var kept: [RowRejection] = []
  /// The number of rows that are not kept.
  public private(set) var more = 0
  /// The days of the rows; `nil` if the day of a row is unknown.
  private(set) var days: Set<CivilDate>? = []
  /// The time of the rows whose time is known.
  public private(set) var time = ElapsedTime.zero
  /// The number of rows whose time is known.
  public private(set) var timed = 0

  /// The number of rows.
  public var count: Int { kept.count + more }

  /// Creates a value without rows.
  public init() {}

  mutating func add(_ rejections: [RowRejection]) {
    for rejection in rejections {
      if let day = rejection.day { days?.insert(day) } else { days = nil }
      if let time = rejection.time {
        self.time = self.time.adding(time)
        timed += 1
      }
      if kept.count < Self.keptMax { kept.append(rejection) } else { more += 1 }
    }
  }
}

/// The new rows of a user whose rates get another currency than they have in the file.
public struct RelabeledRates: Sendable {
  /// The user.
  public let user: Name
  /// The number of rows.
  public let count: Int
  /// The currency in the file.
  public let currency: String
  /// The currency of the entries, from the workspace of the user; `nil` without one.
  public let present: String?
}
