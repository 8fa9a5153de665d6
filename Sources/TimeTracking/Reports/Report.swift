import CivilTime
public import RetraceState

/// A report of the time and money of entries in a range.
public struct Report: Hashable, Sendable {
  /// The query.
  public var query: ReportQuery
  /// The figures of all entries.
  public var total: ReportFigures
  /// The overlap of counted entries: for each user, the sum of the entries' times minus the time
  /// covered by any entry, summed over the users.
  public var overlap: ElapsedTime
  /// The outermost groups.
  ///
  /// Days, weeks and months are in chronological order, others by time, longest first, and by id
  /// where times are equal.
  public var groups: [ReportGroup]
}

/// A group of entries in a report.
public struct ReportGroup: Hashable, Sendable {
  /// The common property of the entries.
  public var key: ReportKey
  /// The figures of the entries.
  public var figures: ReportFigures
  /// The groups of the next level.
  public var groups: [ReportGroup]
}

/// The figures of a report or a group.
///
/// Times and amounts of groups add up to the figures of their parent, except for groups of
/// ``ReportGrouping/eachTag``. Numbers of entries do not, because an entry that is cut counts in
/// each group with a part of it.
public struct ReportFigures: Hashable, Sendable {
  /// The number of entries.
  public var entries: Int
  /// The exact sums.
  public var exact: ReportSums
  /// The sums of rounded times; `nil` if the query asks for none.
  public var rounded: ReportSums?
}

/// Sums of times and amounts.
public struct ReportSums: Hashable, Sendable {
  /// The time.
  public var time: ElapsedTime = .zero
  /// The billable part of the time.
  public var billable: ElapsedTime = .zero
  /// The billable time without a rate, which is in no amount; it is exact, even in rounded sums.
  public var unrated: ElapsedTime = .zero
  /// The amounts for the billable time by the rates of the entries, one for each currency, ordered
  /// by currency code.
  ///
  /// They are exact, even for rounded times.
  public var amounts: [Amount] = []

  mutating func add(_ other: ReportSums) {
    time = time.adding(other.time)
    billable = billable.adding(other.billable)
    unrated = unrated.adding(other.unrated)
    for amount in other.amounts { add(amount) }
  }

  mutating func add(_ amount: Amount) {
    for index in amounts.indices where amounts[index].hasCurrency(amount.currency) {
      amounts[index] = amounts[index].adding(amount)
      return
    }
    amounts.append(amount)
  }

  /// Sorts the amounts by currency.
  mutating func sortAmounts() {
    amounts.sort { ($0.currency ?? "").utf8.lexicographicallyPrecedes(($1.currency ?? "").utf8) }
  }

  /// Returns the sums after rounding.
  ///
  /// The billable time and the rest are rounded separately, and amounts at several rates keep their
  /// proportions.
  func rounded(_ rounding: ReportRounding) -> ReportSums {
    let rest = ElapsedTime(microseconds: time.microseconds - billable.microseconds)
    var sums = ReportSums(billable: rounding.rounded(billable), unrated: unrated)
    sums.time = sums.billable.adding(rounding.rounded(rest))
    sums.amounts = amounts.map { amount in
      var amount = amount
      amount.parts = amount.parts.scaled(by: sums.billable, over: billable)
      return amount
    }
    return sums
  }
}

extension Amount {
  func hasCurrency(_ other: String?) -> Bool {
    guard let currency, let other else { return currency == nil && other == nil }
    return currency.utf8.elementsEqual(other.utf8)
  }
}

extension DomainState {
  /// Returns the report of a query.
  ///
  /// Only visible entries count. Each counts with its part in the range, in whole seconds, and a
  /// running one until `moment`. Overlapping entries count in full.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - moment: The end of running entries.
  /// - Complexity: O(*n* × levels + *n* log *n*) for the *n* entries that end in the range or
  ///   within 999 hours after it. If the query groups by days, weeks or months, or rounds days,
  ///   each day of an entry counts as an entry.
  public func report(_ query: ReportQuery, at moment: Moment) -> Report {
    EndedReport(query, in: self).report(at: moment)
  }

  /// Returns the names for the key of a group: one for each tag, the first day of a week or month,
  /// and an empty array if the key has no entity or description.
  ///
  /// - Complexity: O(tags).
  public func names(of key: ReportKey) -> [String] {
    switch key {
    case .workspace(let id): [id.flatMap { workspaces.read($0) { $0.name.text } }].compactMap { $0 }
    case .client(let id): [id.flatMap { clients.read($0) { $0.name.text } }].compactMap { $0 }
    case .project(let id): [id.flatMap { projects.read($0) { $0.name.text } }].compactMap { $0 }
    case .task(let id): [id.flatMap { tasks.read($0) { $0.name.text } }].compactMap { $0 }
    case .tags(let ids): ids.compactMap { tags.read($0) { $0.name.text } }
    case .eachTag(let id): [id.flatMap { tags.read($0) { $0.name.text } }].compactMap { $0 }
    case .user(let id): [users.read(id) { $0.name.text }].compactMap { $0 }
    case .description(let text): text.isEmpty ? [] : [text]
    case .day(let date), .week(let date), .month(let date): [date.description]
    }
  }

  /// Calls `body` with each visible entry that has a part in a range, and with that part.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - isRunning: Whether only running entries are wanted, or only ended ones; `nil` for both.
  ///   - moment: The end of running entries.
  ///   - user: The user; `nil` for all users.
  /// - Complexity: O(entries that end in the range or within 999 hours after it); O(running
  ///   entries) if only these are wanted.
  func forEachPart(
    in range: Range<Moment>, isRunning: Bool? = nil, at moment: Moment, of user: UserID? = nil,
    _ body: (TimeEntryID, TimeEntry, Range<Moment>) -> Void
  ) {
    guard !range.isEmpty else { return }
    func visit(_ id: TimeEntryID, _ entry: TimeEntry) {
      let span = entry.span(at: moment)
      if span.lowerBound < range.lowerBound, span.upperBound <= range.lowerBound { return }
      let start = max(span.lowerBound, range.lowerBound)
      body(id, entry, start..<max(start, min(span.upperBound, range.upperBound)))
    }
    guard isRunning == true else {
      return forEachEntry(from: range.lowerBound, to: range.upperBound, of: user) { id, entry in
        if isRunning == nil || !entry.isRunning { visit(id, entry) }
      }
    }
    forEachRunningEntry { id, entry in
      if entry.start < range.upperBound, user == nil || entry.user == user { visit(id, entry) }
    }
  }
}
