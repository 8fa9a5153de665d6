public import RetraceArchitecture
public import RetraceState

/// Carries out what happens to time entries and records whether it could be.
public struct TimelineReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the entries, or leaves them as they are and records why.
  ///
  /// - Complexity: O(1) in the entries; O(tags of the entry).
  public func reduce(
    _ state: inout AppState, _ action: TimelineAction, at moment: Moment
  ) -> Effect<TimelineAction, any TrackerEnvironment> {
    state.record(state.perform(action, at: moment))
    return .none
  }
}

extension AppState {
  /// Carries an action out, or changes nothing and answers why not.
  mutating func perform(_ action: TimelineAction, at moment: Moment) -> Refusal? {
    switch action {
    case .started(let details, let user, let zone, let start):
      return self.start(details, user: user, zone: zone, at: start ?? moment)
    case .stopped(let user):
      guard library.users.contains(user) else { return .unknownUser }
      return timeline.stop(user, at: moment) ? nil : .nothingRunning
    case .continued(let id, let user, let zone):
      guard let entry = timeline.entries[id] else { return .unknownEntry }
      return start(entry.details, user: user, zone: zone, at: moment)
    case .created(let closed):
      return create(closed)
    case .edited(let id, let changes):
      return edit(id, changes)
    case .deleted(let id):
      return timeline.remove(id) ? nil : .unknownEntry
    }
  }

  private mutating func start(
    _ details: EntryDetails, user: UserID, zone: RecordedZone, at start: Moment
  ) -> Refusal? {
    if let refusal = refusal(of: details, user: user) { return refusal }
    _ = timeline.start(
      entry(details, user: user, start: start, duration: nil, zone: zone, externalID: nil))
    return nil
  }

  private mutating func create(_ closed: ClosedEntry) -> Refusal? {
    if let refusal = refusal(of: closed.details, user: closed.user) { return refusal }
    guard closed.duration >= .zero else { return .negativeDuration }
    timeline.entries.insert(
      entry(
        closed.details, user: closed.user, start: closed.start, duration: closed.duration,
        zone: closed.zone, externalID: closed.externalID))
    return nil
  }

  /// Why details cannot be those of an entry, if they cannot.
  private func refusal(of details: EntryDetails, user: UserID) -> Refusal? {
    guard library.users.contains(user) else { return .unknownUser }
    if let project = details.project, !library.projects.contains(project) {
      return .unknownProject
    }
    guard details.tags.allSatisfy({ library.tags.contains($0) }) else { return .unknownTag }
    return nil
  }

  private func entry(
    _ details: EntryDetails, user: UserID, start: Moment, duration: ElapsedTime?,
    zone: RecordedZone, externalID: String?
  ) -> TimeEntry {
    TimeEntry(
      user: user, workspace: workspace(of: details.project), description: details.description,
      project: details.project, tags: details.tags.sortedUnique, start: start,
      duration: duration, recordedZone: zone, isBillable: details.isBillable,
      externalID: externalID)
  }

  private func workspace(of project: ProjectID?) -> WorkspaceID? {
    project.flatMap { library.projects.read($0) { $0.workspace } ?? nil }
  }
}

extension AppState {
  /// Changes an entry in all the fields given, or in none.
  private mutating func edit(_ id: TimeEntryID, _ changes: [EntryChange]) -> Refusal? {
    guard var entry = timeline.entries[id] else { return .unknownEntry }
    for change in changes {
      switch change {
      case .description(let description): entry.description = description
      case .project(let project):
        if let project, !library.projects.contains(project) { return .unknownProject }
        entry.project = project
        entry.workspace = workspace(of: project)
      case .tags(let tags):
        guard tags.allSatisfy({ library.tags.contains($0) }) else { return .unknownTag }
        entry.tags = tags.sortedUnique
      case .start(let start, let zone):
        entry.start = start
        entry.recordedZone = zone
      case .duration(let duration):
        if let duration, duration < .zero { return .negativeDuration }
        entry.duration = duration
      case .billable(let isBillable): entry.isBillable = isBillable
      }
    }
    let running = timeline.running[entry.user]
    if entry.isRunning && running != nil && running != id { return .alreadyRunning }
    if entry.isRunning {
      timeline.running[entry.user] = id
    } else if running == id {
      timeline.running[entry.user] = nil
    }
    timeline.entries.modify(id) { $0 = entry }
    return nil
  }
}

extension TimeEntry {
  /// What the entry is about.
  public var details: EntryDetails {
    EntryDetails(
      description: description, project: project, tags: tags, isBillable: isBillable)
  }
}

extension [TagID] {
  /// The ids in order, each once.
  var sortedUnique: [TagID] {
    if count < 2 { return self }
    var result: [TagID] = []
    for id in sorted() where result.last != id { result.append(id) }
    return result
  }
}
