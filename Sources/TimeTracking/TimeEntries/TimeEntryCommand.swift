import CivilTime
public import RetraceAvro
public import RetraceState

/// A command about time entries.
public enum TimeEntryCommand: Recordable, Equatable {
  /// Start an entry, now or at a moment; the running entry of the user ends then.
  case start(
    TimeEntryDraft, at: Moment?, policy: Policy,
    rules: RuleSet = .latest  // recorded: default .first
  )
  /// Stop the running entry of a user, now or at a moment.
  case stop(UserID, at: Moment?, policy: Policy)
  /// Record an entry that has ended.
  case add(
    TimeEntryDraft, start: Moment, end: Moment, policy: Policy,
    rules: RuleSet = .latest  // recorded: default .first
  )
  /// Start an entry with the fields of an earlier one, now or at a moment.
  case resume(
    TimeEntryID, at: Moment?, zone: RecordedZone, policy: Policy,
    rules: RuleSet = .latest  // recorded: default .first
  )
  /// Change fields of an entry, given the values that the user saw.
  case correct(
    TimeEntryID, TimeEntryCorrection, policy: Policy,
    rules: RuleSet = .latest,  // recorded: default .first
    reason: String?)
  /// Delete an entry.
  case delete(TimeEntryID, reason: String?)
  /// Split an entry at a moment within it: it ends there, and a copy of it begins there.
  case split(
    TimeEntryID, at: Moment,
    policy: Policy = .refuse,  // recorded: default .allow
    reason: String?)
  /// Join two entries of one user. The one that began first gets the later end and the tags and
  /// texts of the other, which is deleted.
  case join(
    TimeEntryID, TimeEntryID, policy: Policy,
    rules: RuleSet = .latest,  // recorded: default .first
    reason: String?)
  /// Perform commands in order, as one change: all of them, or none if one is refused.
  indirect case several([TimeEntryCommand])
}

extension TimeEntryCommand {
  /// The number of commands, without ``several(_:)`` itself.
  public var count: Int {
    guard case .several(let commands) = self else { return 1 }
    return commands.reduce(0) { $0 + $1.count }
  }

  /// The reason that the user gave, if any.
  ///
  /// For several commands, it is the first reason.
  package var reason: String? {
    switch self {
    case .correct(_, _, policy: _, rules: _, let reason), .delete(_, let reason),
      .split(_, at: _, policy: _, let reason),
      .join(_, _, policy: _, rules: _, let reason):
      reason
    case .several(let commands): commands.lazy.compactMap { $0.reason }.first
    case .start, .stop, .add, .resume: nil
    }
  }

  /// Returns the command with another policy; deletions have no policy.
  public func with(_ policy: Policy) -> TimeEntryCommand {
    switch self {
    case .start(let draft, let at, policy: _, let rules):
      .start(draft, at: at, policy: policy, rules: rules)
    case .stop(let user, let at, policy: _): .stop(user, at: at, policy: policy)
    case .add(let draft, let start, let end, policy: _, let rules):
      .add(draft, start: start, end: end, policy: policy, rules: rules)
    case .resume(let id, let at, let zone, policy: _, let rules):
      .resume(id, at: at, zone: zone, policy: policy, rules: rules)
    case .correct(let id, let correction, policy: _, let rules, let reason):
      .correct(id, correction, policy: policy, rules: rules, reason: reason)
    case .join(let id, let other, policy: _, let rules, let reason):
      .join(id, other, policy: policy, rules: rules, reason: reason)
    case .split(let id, let at, policy: _, let reason):
      .split(id, at: at, policy: policy, reason: reason)
    case .several(let commands): .several(commands.map { $0.with(policy) })
    case .delete: self
    }
  }

  /// The command after the user has confirmed that an entry runs since more than 12 hours ago.
  ///
  /// All other rules and the policy still hold.
  public var withoutRunningLimit: TimeEntryCommand {
    func unlimited(_ rules: RuleSet) -> RuleSet { rules.limitsRunning ? .second : rules }
    return switch self {
    case .start(let draft, let at, let policy, let rules):
      .start(draft, at: at, policy: policy, rules: unlimited(rules))
    case .resume(let id, let at, let zone, let policy, let rules):
      .resume(id, at: at, zone: zone, policy: policy, rules: unlimited(rules))
    case .correct(let id, let correction, let policy, let rules, let reason):
      .correct(id, correction, policy: policy, rules: unlimited(rules), reason: reason)
    case .join(let id, let other, let policy, let rules, let reason):
      .join(id, other, policy: policy, rules: unlimited(rules), reason: reason)
    case .several(let commands): .several(commands.map { $0.withoutRunningLimit })
    case .stop, .add, .delete, .split: self
    }
  }
}

extension TimeEntryCommand {
  /// Returns the command with the values that only the edge knows, ready to be performed.
  ///
  /// A correction that moves the start of an entry across a change of the clocks gets the zone's
  /// new offset. A start or a stop without a time gets a whole second, as by
  /// ``inWholeSeconds(at:in:)``. The command line and the screens prepare each command once.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - state: The state on which the command is decided.
  ///   - zone: Returns the recorded zone of an entry for another start.
  /// - Complexity: O(entries that end within 999 hours after now).
  public func prepared(
    at now: Moment, in state: DomainState, zone: (TimeEntry, _ start: Moment) -> RecordedZone
  ) -> TimeEntryCommand {
    inZones(of: state, zone).inWholeSeconds(at: now, in: state)
  }

  /// Returns the command with the offset of an entry's zone at the new start.
  private func inZones(
    of state: DomainState, _ zone: (TimeEntry, Moment) -> RecordedZone
  ) -> TimeEntryCommand {
    switch self {
    case .correct(let id, var correction, let policy, let rules, let reason):
      guard let start = correction.changes.start?.after, correction.changes.zone == nil,
        let entry = state.timeEntries[id]
      else { return self }
      let zone = zone(entry, start)
      if zone == entry.zone { return self }
      correction.changes.zone = Change(from: entry.zone, to: zone)
      return .correct(id, correction, policy: policy, rules: rules, reason: reason)
    case .several(let commands): return .several(commands.map { $0.inZones(of: state, zone) })
    case .start, .stop, .add, .resume, .delete, .split, .join: return self
    }
  }

  /// Returns the command with the latest whole second as its time if it starts or stops an entry
  /// without a time.
  ///
  /// A start in the same second as the start or end of another entry of the user keeps the moment
  /// of the decision, so that it comes after that entry.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - state: The state on which the command is decided.
  /// - Complexity: O(entries that end within 999 hours after now).
  public func inWholeSeconds(at now: Moment, in state: DomainState) -> TimeEntryCommand {
    let second = now.wholeSecond
    func start(of user: UserID?) -> Moment? {
      guard second < now else { return nil }
      guard let user else { return second }
      // If the clock was set back, the new entry starts with the running one, see
      // `TimeEntries.start(_:isNow:_:_:in:)`.
      if let running = state.runningEntry(of: user), running.entry.start >= second { return nil }
      var isFree = true
      state.forEachEntry(from: second, to: now, of: user) { _, entry in
        if entry.start >= second || !entry.isRunning && entry.sortKey <= now.microseconds {
          isFree = false
        }
      }
      return isFree ? second : nil
    }
    switch self {
    case .start(let draft, nil, let policy, let rules):
      let user: UserID? =
        switch draft.user {
        case .id(let id): id
        case .name(let name): state.user(named: name)
        }
      return .start(draft, at: start(of: user), policy: policy, rules: rules)
    case .stop(let user, nil, let policy):
      guard second < now, let running = state.runningEntry(of: user)?.entry, running.start <= now
      else { return self }
      return .stop(user, at: max(second, running.start), policy: policy)
    case .resume(let id, nil, let zone, let policy, let rules):
      let user = state.timeEntries.read(id) { $0.user }
      return .resume(id, at: start(of: user), zone: zone, policy: policy, rules: rules)
    case .several(let commands):
      return .several(commands.map { $0.inWholeSeconds(at: now, in: state) })
    case .start, .stop, .resume, .add, .correct, .delete, .split, .join: return self
    }
  }
}

/// The fields of a new entry.
public struct TimeEntryDraft: Recordable, Hashable {
  /// The user.
  public var user: Reference<UserID>
  /// The workspace; `nil` for the workspace of the project or, without a project, of the user.
  public var workspace: WorkspaceID?
  /// The description of the work.
  public var description: String = ""
  /// The project.
  public var project: Reference<ProjectID>?
  /// The task of the project.
  public var task: Reference<TaskID>?
  /// The tags.
  public var tags: [Reference<TagID>] = []
  /// The zone of the machine, with the offset at the start.
  public var zone: RecordedZone
  /// Whether it is billable; `nil` for the default of the project.
  public var isBillable: Bool?
  /// The annotations.
  public var annotations: [String] = []

  /// Creates a draft without project and tags.
  public init(user: Reference<UserID>, description: String = "", zone: RecordedZone) {
    self.user = user
    self.description = description
    self.zone = zone
  }
}

/// A correction of an entry.
public struct TimeEntryCorrection: Recordable, Equatable {
  /// The changed fields, with the values that the user saw.
  public var changes: TimeEntryChanges = TimeEntryChanges()  // recorded: constant default
  /// The name of the new project, which may have to be created.
  ///
  /// The change of `project` in `changes` then has the value that the user saw as both its values.
  public var project: Name?
  /// The names of tags to add, which may have to be created.
  public var addedTags: [Name] = []

  /// Creates a correction without changes.
  public init() {}
}

/// A refusal of a command about time entries.
public enum TimeEntryRefusal: Recordable, Hashable, Error {
  /// An entity that the entry refers to cannot be used or created.
  case entity(EntityRefusal)  // recorded: record
  /// The user has no running entry.
  case nothingRunning
  /// The entry would overlap others of the user.
  case overlaps([TimeEntryID])
  /// The entry would overlap more entries than can be adjusted at once.
  case tooManyOverlaps(Int64)
  /// The entry would begin or end in the future.
  case inFuture(Moment)
  /// The entry would be longer than usual, or longer than allowed.
  case tooLong(ElapsedTime)
  /// The end is before the start. A running entry that starts in the future cannot be stopped now.
  case endsBeforeStart
  /// The value of a field is not allowed, such as a text that is too long.
  case invalid(field: String)
  /// Another entry of the user runs.
  case anotherRuns(TimeEntryID)
  /// The moment is not within the entry.
  case outside(Moment)
  /// The entries cannot be joined: they are the same, or they have a ``JoinObstacle``.
  case cannotJoin
  /// The entries cannot be joined, because of the obstacle between them.
  case apart(TimeEntryID, TimeEntryID, JoinObstacle)
  /// The entry would get a rate, and is not billable.
  case notBillable
  /// Other corrections of the same change would take the time that these entries get.
  case takenByOthers([TimeEntryID])
  /// The entry would run, and its start is longer ago than an entry usually takes.
  case runsSince(Moment)
}
