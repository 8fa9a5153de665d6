import CivilTime
public import RetraceAvro
public import RetraceState

/// A command about time entries.
public enum TimeEntryCommand: Recordable, Equatable {
  /// Start an entry, now or at a moment; the running entry of the user ends then.
  case start(TimeEntryDraft, at: Moment?, policy: Policy)
  /// Stop the running entry of a user, now or at a moment.
  case stop(UserID, at: Moment?, policy: Policy)
  /// Record an entry that has ended.
  case add(TimeEntryDraft, start: Moment, end: Moment, policy: Policy)
  /// Start an entry with the fields of another one, now or at a moment.
  case resume(TimeEntryID, at: Moment?, zone: RecordedZone, policy: Policy)
  /// Change fields of an entry, from the values that the user saw.
  case correct(TimeEntryID, TimeEntryCorrection, policy: Policy, reason: String?)
  /// Delete an entry.
  case delete(TimeEntryID, reason: String?)
  /// Split an entry at a moment within it: it ends there, and a copy of it begins there.
  case split(TimeEntryID, at: Moment, reason: String?)
  /// Join two entries of one user: the one that began first takes the time up to the end of both,
  /// the tags and the texts of the other, which is deleted.
  case join(TimeEntryID, TimeEntryID, policy: Policy, reason: String?)
  /// Carry out commands in order, as one change: all of them, or none if one is refused.
  indirect case several([TimeEntryCommand])
}

extension TimeEntryCommand {
  /// The number of commands in it that are no list of commands.
  public var count: Int {
    guard case .several(let commands) = self else { return 1 }
    return commands.reduce(0) { $0 + $1.count }
  }

  /// Why the user corrects, deletes, splits or joins entries; `nil` if no reason is given.
  ///
  /// Of several commands, it is the first reason.
  package var reason: String? {
    switch self {
    case .correct(_, _, policy: _, let reason), .delete(_, let reason),
      .split(_, at: _, let reason),
      .join(_, _, policy: _, let reason):
      reason
    case .several(let commands): commands.lazy.compactMap(\.reason).first
    case .start, .stop, .add, .resume: nil
    }
  }

  /// Returns the same command with another policy; a deletion and a split have none.
  public func with(_ policy: Policy) -> TimeEntryCommand {
    switch self {
    case .start(let draft, let at, policy: _): .start(draft, at: at, policy: policy)
    case .stop(let user, let at, policy: _): .stop(user, at: at, policy: policy)
    case .add(let draft, let start, let end, policy: _):
      .add(draft, start: start, end: end, policy: policy)
    case .resume(let id, let at, let zone, policy: _):
      .resume(id, at: at, zone: zone, policy: policy)
    case .correct(let id, let correction, policy: _, let reason):
      .correct(id, correction, policy: policy, reason: reason)
    case .join(let id, let other, policy: _, let reason):
      .join(id, other, policy: policy, reason: reason)
    case .several(let commands): .several(commands.map { $0.with(policy) })
    case .delete, .split: self
    }
  }
}

extension TimeEntryCommand {
  /// Returns the command with the latest whole second as its time, if it starts or stops an entry
  /// now.
  ///
  /// An entry that begins in the second in which another one of its user begins or ends keeps the
  /// moment of the decision, so that it begins after that one.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - state: The entities, on which the command is decided.
  /// - Complexity: O(entries that end within 999 hours after now).
  public func inWholeSeconds(at now: Moment, in state: DomainState) -> TimeEntryCommand {
    let second = now.wholeSecond
    func start(of user: UserID?) -> Moment? {
      guard second < now else { return nil }
      guard let user else { return second }
      // If the clock has gone back, the decision takes the start of the running entry.
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
    case .start(let draft, nil, let policy):
      let user: UserID? =
        switch draft.user {
        case .id(let id): id
        case .name(let name): state.user(named: name)
        }
      return .start(draft, at: start(of: user), policy: policy)
    case .stop(let user, nil, let policy):
      guard second < now, let running = state.runningEntry(of: user)?.entry, running.start <= now
      else { return self }
      return .stop(user, at: max(second, running.start), policy: policy)
    case .resume(let id, nil, let zone, let policy):
      let user = state.timeEntries.read(id) { $0.user }
      return .resume(id, at: start(of: user), zone: zone, policy: policy)
    case .several(let commands):
      return .several(commands.map { $0.inWholeSeconds(at: now, in: state) })
    case .start, .stop, .resume, .add, .correct, .delete, .split, .join: return self
    }
  }
}

/// What a new entry is about.
public struct TimeEntryDraft: Recordable, Hashable {
  /// Whose time it is.
  public var user: Reference<UserID>
  /// The workspace; that of the project, or else that of the user, if there is none.
  public var workspace: WorkspaceID?
  /// What is done.
  public var description: String = ""
  /// The project.
  public var project: Reference<ProjectID>?
  /// The task of the project.
  public var task: Reference<TaskID>?
  /// The tags.
  public var tags: [Reference<TagID>] = []
  /// The zone of the machine, with the offset at the start.
  public var zone: RecordedZone
  /// Whether it is billable; as the project is, if it is not said.
  public var isBillable: Bool?
  /// Remarks.
  public var annotations: [String] = []

  /// Makes a draft without a project and tags.
  public init(user: Reference<UserID>, description: String = "", zone: RecordedZone) {
    self.user = user
    self.description = description
    self.zone = zone
  }
}

/// What a user changed about an entry.
public struct TimeEntryCorrection: Recordable, Equatable {
  /// The changed fields, with the values that the user saw.
  public var changes: TimeEntryChanges = TimeEntryChanges()  // recorded: constant default
  /// The new project by name, if it may have to be created; `changes` then holds only what the user
  /// saw.
  public var project: Name?
  /// The tags to add by name, which may have to be created.
  public var addedTags: [Name] = []

  /// Makes a correction without changes.
  public init() {}
}

/// The reasons for which a command about time entries is refused.
public enum TimeEntryRefusal: Recordable, Hashable, Error {
  /// An entity that the entry refers to cannot be used or created.
  case record(RecordRefusal)
  /// Nothing of the user runs.
  case nothingRunning
  /// The entry would overlap others of the user.
  case overlaps([TimeEntryID])
  /// The entry would overlap more entries than can be adjusted at once.
  case tooManyOverlaps(Int64)
  /// The entry would begin or end in the future.
  case inFuture(Moment)
  /// The entry would be longer than usual, or longer than allowed.
  case tooLong(ElapsedTime)
  /// The end would lie before the start, also that of a running entry which begins in the future.
  case endsBeforeStart
  /// A text or a list is too long; the text names the field.
  case invalid(field: String)
  /// Another entry of the user runs.
  case anotherRuns(TimeEntryID)
  /// The moment does not lie within the entry.
  case outside(Moment)
  /// The entries cannot be joined: they are the same, or they have a ``JoinObstacle``.
  case cannotJoin
}
