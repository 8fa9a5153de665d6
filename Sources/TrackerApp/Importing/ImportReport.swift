import Retrace
public import TimeTracking
public import TrackerFormats

/// The outcome of an import, or the one that an import would have.
public struct ImportReport: Sendable {
  /// The rows that became entries, and those passed over.
  public var rows = RowCounts()
  /// The rows that differ from their entries, as many as are kept.
  public var differing: [DifferingRow] = []
  /// The times of the entries that clocks show twice.
  public var repeated = RepeatedTimes()
  /// The rows that were not understood.
  public var rejected = RejectedRows()
  /// The new rows whose rates are in another currency than the file says.
  public var relabeled: [RelabeledRates] = []
  /// The entries of another program that have no end, and were left out.
  public var running = 0
  /// The import of the new rows, if any.
  public var run: ImportRunID?
  /// The entries of the source that are not in the file any more, though it has rows of their
  /// users and covers their days; `nil` if a row was not understood, which may be theirs.
  ///
  /// If the day of that row is known, only the entries near it are left out.
  public var missing: [TimeEntryID]?
  /// The numbers of new rows with a rate, by their users and by the currency in the file.
  var rated: [Name: [String: Int]] = [:]

  /// Finds the rates that are in another currency, because imported entries are in no workspace.
  mutating func findRelabeled(in domain: DomainState) {
    for (user, counts) in rated.sorted(by: { $0.key.key < $1.key.key }) {
      let workspace = domain.user(named: Name(user.text, in: domain.users))
        .flatMap { domain.users.read($0) { $0.workspace } ?? nil }
      let present = workspace.flatMap { domain.workspaces.read($0) { $0.currency } }
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
  /// The rows passed over because an entry with their id of the source exists, as they say.
  public var known = 0
  /// The rows that an earlier run of the same import has created.
  public var resumed = 0
  /// The rows passed over whose entry has other values.
  public var differing = 0
  /// The rows passed over because an earlier row of the file has their id and other values.
  public var clashing = 0
  /// The rows passed over whose entry was deleted.
  public var deleted = 0
  /// The entries of the import without a duration.
  public var zeroDurations = 0
  /// The entries of the import that overlap another one of their user, once it is finished.
  public var overlaps = 0

  /// The names of projects of new rows without a client that several projects have.
  public var ambiguousProjects: Set<Name> = []
  /// The names of projects of new rows that only projects of workspaces have; the rows are of
  /// others, because an import is of no workspace.
  public var projectsElsewhere: Set<Name> = []
  /// The names of clients that were deleted, and whose projects are named by new rows without a
  /// client; both are made anew.
  public var deletedClients: Set<Name> = []

  /// The entries of the import, by this run and an earlier one.
  public var entries: Int { created + resumed }

  /// Makes the counts of no rows.
  public init() {}
}

/// The rows of a file that were not understood.
public struct RejectedRows: Sendable {
  /// The most rows that are kept; a file of nothing else must not fill the memory.
  public static var keptMax: Int { 10_000 }

  /// The rows that are kept, at most ``keptMax``.
  public private(set) var kept: [RowRejection] = []
  /// The number of rows that are not kept.
  public private(set) var more = 0
  /// The days of the rows; `nil` if one of them is not known.
  private(set) var days: Set<CivilDate>? = []

  /// The number of rows.
  public var count: Int { kept.count + more }

  /// Makes a value without rows.
  public init() {}

  mutating func add(_ rejections: [RowRejection]) {
    for rejection in rejections {
      if let day = rejection.day { days?.insert(day) } else { days = nil }
      if kept.count < Self.keptMax { kept.append(rejection) } else { more += 1 }
    }
  }
}

/// New rows of a user whose rates are in another currency than the file says.
public struct RelabeledRates: Sendable {
  /// The user.
  public let user: Name
  /// The number of rows.
  public let count: Int
  /// The currency that the file says.
  public let currency: String
  /// The currency of the entries, from the workspace of the user; `nil` without one.
  public let present: String?
}
