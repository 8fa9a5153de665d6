import Retrace
import RetraceFilter
import RetraceToolSupport
import TimeTracking

/// The context in which a verb makes commands about time entries.
struct EntryContext {
  var domain: DomainState
  var userName: String
  /// The user; `nil` if the store has no user of the name.
  var user: UserID?
  /// Whether an option names the user.
  var namesUser = false
  /// The preferences of the user; `nil` without any.
  var preferences: PreferenceSet?
  /// The zone, the weeks and the days of the user.
  var calendar: ReportCalendar
  /// The present.
  var now: Moment
  /// The readings of ambiguous times that the user chose.
  var readings = ChosenReadings()
  /// The filters that have names.
  var savedFilters: SavedFilters

  /// The user, who is created if no user has the name.
  var reference: Reference<UserID> { user.map { .id($0) } ?? .name(Name(userName)) }

  /// The rules of the zone in which times are read and shown.
  var rules: ZoneRules { calendar.rules }

  /// The context of expressions of time.
  var expressions: ExpressionContext { expressions(after: nil) }

  /// The context of a time at which a running entry stops.
  ///
  /// After midnight, 23:00 means the day before if the entry was running then. Of two times that
  /// clocks show alike, one in the future is not meant.
  var stopExpressions: ExpressionContext {
    expressions(after: user.flatMap { domain.runningEntry(of: $0) }?.1.start).ofPast
  }

  private func expressions(after earliest: Moment?) -> ExpressionContext {
    calendar.expressionContext(at: now, after: earliest)
  }
}

extension TrackerOptions {
  /// Returns the context of the verbs of a user.
  ///
  /// Times are read in the zone in which they are shown: of the option, of the preferences or of
  /// the process.
  ///
  /// - Parameter process: The zone of the process or of the option.
  func entryContext(
    of name: String, in domain: DomainState, _ process: ZoneRules, _ now: Moment
  ) throws(ToolFailure) -> EntryContext {
    let user = domain.user(named: name)
    let preferences = user.flatMap { domain.preferences(of: $0)?.set }
    let calendar = try context.calendar(
      of: name, preferences, zone: try givenZone(), process: process)
    return EntryContext(
      domain: domain, userName: name, user: user, namesUser: namesUser,
      preferences: preferences, calendar: calendar, now: now, readings: context.readings,
      savedFilters: context.settings.savedFilters)
  }

  /// Returns the result of `body` for the latest entities, without opening the store for writing.
  ///
  /// - Parameters:
  ///   - creating: As for ``read(creating:_:)``.
  ///   - body: It may be called twice, so it must not print. The entities read pages of the store,
  ///     so it must not return them.
  func readEntries<Result>(
    creating: Bool = false, _ body: (EntryContext) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    let name = try userName()
    let (rules, now) = (try zone(), try currentMoment())
    return try read(creating: creating) { (domain) throws(ToolFailure) in
      try body(try entryContext(of: name, in: domain, rules, now))
    }
  }
}

extension EntryContext {
  /// Returns a note for each deleted name that a copy of an entry leaves out.
  func deletedNotes(on entry: TimeEntry) -> [String] {
    func note<ID, Entity: MergeableEntity>(
      _ kind: String, _ table: EntityTable<ID, Entity>, _ id: ID
    ) -> String? where Entity.ID == ID {
      guard table.resolve(id) == nil else { return nil }
      return table.read(id) { "the \(kind) \($0.name.text) is deleted, so it is left out" }
    }
    let project = entry.project.flatMap { note("project", domain.projects, $0) }
    let task = entry.task.flatMap { note("task", domain.tasks, $0) }
    return [project, task].compactMap { $0 }
      + entry.tags.compactMap { note("tag", domain.tags, $0) }
  }

  /// Returns the time between two entries, if any, and the part of it that other entries of their
  /// user have.
  func pause(
    between one: TimeEntryID, and other: TimeEntryID
  ) -> (whole: ElapsedTime, taken: ElapsedTime)? {
    guard let one = domain.timeEntries[one], let other = domain.timeEntries[other] else {
      return nil
    }
    let (first, second) = one.start <= other.start ? (one, other) : (other, one)
    guard let end = first.end, end < second.start else { return nil }
    var taken: Int64 = 0
    domain.forEachEntry(from: end, to: second.start, of: first.user) { _, entry in
      let (from, to) = (max(end, entry.start), min(second.start, entry.end ?? now))
      if from < to { taken += to.elapsed(since: from).microseconds }
    }
    let whole = second.start.elapsed(since: end)
    return (whole, min(whole, ElapsedTime(microseconds: taken)))
  }

  /// Returns the refusal of a verb that needs a running entry.
  func nothingRunning(_ what: String) -> ToolFailure {
    let refusal = ToolFailure.refused(what, .entry(.nothingRunning), in: domain, rules)
    return MissingUser(userName, in: domain)?.failure(what) ?? refusal
  }

  /// Returns the refusal of a verb that needs an entry that has ended.
  func nothingEnded(_ what: String) -> ToolFailure {
    if let missing = MissingUser(userName, in: domain) { return missing.failure(what) }
    return .refused(
      "There is no entry that has ended.",
      advice: "Start an entry: `track start DESCRIPTION`.", what: what)
  }
}
