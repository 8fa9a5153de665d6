import RetraceArchitecture
public import RetraceRecording
import RetraceState
import RetraceStorage
public import TimeTracking

/// What a one-shot command asks of the tracker.
public enum TrackerRequest: Hashable, Sendable {
  /// Start an entry; users, projects and tags that are not known are created.
  case start(StartRequest)
  /// Stop the user's running entry.
  case stop(user: String)
  /// Start an entry like the user's latest one.
  case `continue`(user: String)
}

/// What a new entry is to be like, by names.
public struct StartRequest: Hashable, Sendable {
  /// The user's name.
  public var user: String
  /// What is done.
  public var description: String
  /// The project's name.
  public var project: String?
  /// The tags' names.
  public var tags: [String]
  /// Whether the entry can be billed.
  public var isBillable: Bool

  /// Makes a request.
  public init(
    user: String, description: String, project: String?, tags: [String], isBillable: Bool
  ) {
    self.user = user
    self.description = description
    self.project = project
    self.tags = tags
    self.isBillable = isBillable
  }
}

/// What became of a request.
public struct TrackerAnswer: Sendable {
  /// The sequence of the last action, durable.
  public var sequence: UInt64
  /// The entry that was started or stopped.
  public var entry: TimeEntryID
  /// The entry that ended because another was started.
  public var stopped: TimeEntryID?
  /// The state right after the request.
  public var state: AppState
}

extension Tracker {
  /// Carries out a request as one commit: session opened, actions, session closed.
  ///
  /// What is refused writes nothing.
  ///
  /// - Throws: The refusal, or the store's error.
  public func run(
    _ request: TrackerRequest
  ) throws(TransactionError<Refusal>) -> TrackerAnswer {
    let zone = self.zone
    let (receipt, entries) = try store.transactBlocking(closing: true) {
      (state, moment) throws(Refusal) in
      let plan = try request.plan(on: copy state, zone: zone.recorded(at: moment))
      return (actions: plan.actions, value: (about: plan.entry, stopped: plan.stopped))
    }
    do throws(StoreError) { try store.closeBlocking() } catch { throw .store(error) }
    return TrackerAnswer(
      sequence: receipt.sequence, entry: entries?.about ?? TimeEntryID(value: 0),
      stopped: entries?.stopped, state: receipt.state)
  }
}

extension TrackerRequest {
  /// The actions that carry out the request on a state, the entry that it is about, and the one
  /// that ends by it.
  func plan(
    on state: AppState, zone: RecordedZone
  ) throws(Refusal) -> (actions: [AppAction], entry: TimeEntryID, stopped: TimeEntryID?) {
    switch self {
    case .start(let request):
      let running = state.library.user(named: request.user).flatMap { state.timeline.running[$0] }
      return (try request.actions(on: state, zone: zone), state.timeline.entries.nextID, running)
    case .stop(let name):
      guard let user = state.library.user(named: name), let entry = state.timeline.running[user]
      else { throw .nothingRunning }
      return ([.timeline(.stopped(user: user))], entry, nil)
    case .continue(let name):
      guard let user = state.library.user(named: name) else { throw .unknownUser }
      if state.timeline.running[user] != nil { throw .alreadyRunning }
      guard let latest = state.recentEntries(of: user, limit: 1).first else {
        throw .unknownEntry
      }
      return (
        [.timeline(.continued(latest.id, user: user, zone: zone))],
        state.timeline.entries.nextID, nil
      )
    }
  }
}

extension StartRequest {
  /// The actions that start the entry, those that create what is not known first.
  ///
  /// Ids are counters of the state, so that those of what is created here are known.
  func actions(on state: AppState, zone: RecordedZone) throws(Refusal) -> [AppAction] {
    var actions: [AppAction] = []
    let library = state.library
    if user.isEmpty || project?.isEmpty == true || tags.contains(where: \.isEmpty) {
      throw .nameEmpty
    }
    let userID = library.user(named: user) ?? library.users.nextID
    if userID == library.users.nextID { actions.append(.library(.userCreated(name: user))) }
    var projectID: ProjectID?
    if let project {
      projectID = library.project(named: project)
      if projectID == nil {
        projectID = library.projects.nextID
        actions.append(.library(.projectCreated(name: project, workspace: nil)))
      }
    }
    var tagIDs: [TagID] = []
    var created: [String: TagID] = [:]
    for tag in tags {
      if let known = library.tag(named: tag) ?? created[tag] {
        tagIDs.append(known)
        continue
      }
      let next = TagID(value: library.tags.nextID.value + Int64(created.count))
      created[tag] = next
      tagIDs.append(next)
      actions.append(.library(.tagCreated(name: tag, workspace: nil)))
    }
    let details = EntryDetails(
      description: description, project: projectID, tags: tagIDs, isBillable: isBillable)
    actions.append(.timeline(.started(details, user: userID, zone: zone, start: nil)))
    return actions
  }
}
