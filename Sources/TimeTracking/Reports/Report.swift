import CivilTime
public import RetraceState

/// The time and money of entries in a range.
public struct Report: Hashable, Sendable {
  /// What was asked for.
  public var query: ReportQuery
  /// The figures of all entries.
  public var total: ReportFigures
  /// The time that entries share with another entry of the same user that counts: the sum of the
  /// entries' times less that of the time in which there was any entry.
  public var overlap: ElapsedTime
  /// The outermost groups: days, weeks and months in their order, others by time, longest first,
  /// and equal ones by id.
  public var groups: [ReportGroup]
}

/// The entries of a report that have something in common.
public struct ReportGroup: Hashable, Sendable {
  /// What they have in common.
  public var key: ReportKey
  /// Their figures.
  public var figures: ReportFigures
  /// The groups of the next level.
  public var groups: [ReportGroup]
}

/// The figures of a report or a group.
///
/// Times and amounts of the groups add up to those of what they are groups of, unless they are
/// groups of ``ReportGrouping/eachTag``. The numbers of entries do not, because an entry that is
/// cut counts in each group that has a part of it.
public struct ReportFigures: Hashable, Sendable {
  /// The number of entries.
  public var entries: Int
  /// The exact sums.
  public var exact: ReportSums
  /// The sums of rounded times; `nil` if the query asks for none.
  public var rounded: ReportSums?
}

/// Sums of times, and what the times cost.
public struct ReportSums: Hashable, Sendable {
  /// The time.
  public var time: ElapsedTime = .zero
  /// The part of it that is billable.
  public var billable: ElapsedTime = .zero
  /// The part of the billable time that has no rate, so that it is in no amount; exact, also of
  /// rounded times.
  public var unrated: ElapsedTime = .zero
  /// The price of the billable time by the rates of the entries, an amount for each currency, in
  /// the order of the currencies' codes.
  ///
  /// They are exact, also those of rounded times.
  public var amounts: [Amount] = []

  mutating func add(_ other: ReportSums) {
    time = time.adding(other.time)
    billable = billable.adding(other.billable)
    unrated = unrated.adding(other.unrated)
    for amount in other.amounts { add(amount) }
  }

  mutating func add(_ amount: Amount) {
    for index in amounts.indices where amounts[index].hasCurrency(amount.currency) {
      amounts[index].parts = amounts[index].parts.addingClamped(amount.parts)
      return
    }
    amounts.append(amount)
  }

  /// Puts the amounts into the order of their currencies.
  mutating func sortAmounts() {
    amounts.sort { ($0.currency ?? "").utf8.lexicographicallyPrecedes(($1.currency ?? "").utf8) }
  }

  /// Returns the sums of the time after rounding: its billable part and the rest are rounded by
  /// themselves, and amounts at several rates keep their proportions.
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
  /// Returns whether the amount is in a currency.
  func hasCurrency(_ other: String?) -> Bool {
    guard let currency, let other else { return currency == nil && other == nil }
    return currency.utf8.elementsEqual(other.utf8)
  }
}

extension DomainState {
  /// Returns the report of a query.
  ///
  /// Entries that are deleted or belong to an import that is not visible do not count. Each entry
  /// counts with the part of it that is in the range, in whole seconds; a running one until
  /// `moment`. Entries of one user that overlap count in full, both of them.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - moment: Until when a running entry counts.
  /// - Complexity: O(*n* × levels + *n* log *n*) for the *n* entries that end in the range or
  ///   within 999 hours after it. Days of the entries count as entries if days, weeks or months are
  ///   asked for, in `grouping` or in `rounding`.
  public func report(_ query: ReportQuery, at moment: Moment) -> Report {
    var builder = ReportBuilder(query, in: self)
    var matcher = EntryMatcher(query.filter, in: self, at: moment)
    forEachPart(in: query.range, at: moment) { id, entry, part in
      if matcher.matches(id, entry) { builder.add(id, entry, part, of: entry.span(at: moment)) }
    }
    return builder.finish()
  }

  /// Returns the names of what the entries of a group have in common: one for each tag, the first
  /// day of a week or month, and none if there is no such project, client, task, tag, workspace or
  /// description.
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

  /// Calls `body` with each visible entry that has a part in a range, and with that part of its
  /// span.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - moment: Until when a running entry counts.
  ///   - user: Whose entries; `nil` for those of all users.
  /// - Complexity: O(entries that end in the range or within 999 hours after it).
  func forEachPart(
    in range: Range<Moment>, at moment: Moment, of user: UserID? = nil,
    _ body: (TimeEntryID, TimeEntry, Range<Moment>) -> Void
  ) {
    guard !range.isEmpty else { return }
    forEachEntry(from: range.lowerBound, to: range.upperBound, of: user) { id, entry in
      let span = entry.span(at: moment)
      if span.lowerBound < range.lowerBound, span.upperBound <= range.lowerBound { return }
      let start = max(span.lowerBound, range.lowerBound)
      body(id, entry, start..<max(start, min(span.upperBound, range.upperBound)))
    }
  }
}
