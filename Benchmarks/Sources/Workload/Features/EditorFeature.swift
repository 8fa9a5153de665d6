public import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// An entry is changed.
public enum EditorAction: Recordable, Codable {
  /// Another description.
  case described(EntryID, String)
  /// Several fields.
  case patched(EntryID, EntryPatch)
  /// Another project, or none.
  case assigned(EntryID, ProjectID?)
  /// Other tags.
  case tagged(EntryID, [TagID])
  /// Billable if it was not, and the other way round.
  case billingToggled(EntryID)
  /// Another task, or none.
  case tasked(EntryID, Int64?)
  /// Another duration.
  case timed(EntryID, ElapsedTime)
  /// A copy of an entry was added.
  case duplicated(EntryID)
  /// Another colour.
  case colored(EntryID, Int32)
}

extension Timeline {
  mutating func describe(_ id: EntryID, _ text: String) {
    change(id) { $0.description = text }
  }

  mutating func patch(_ id: EntryID, _ patch: EntryPatch) {
    change(id) { entry in
      if let description = patch.description { entry.description = description }
      if let project = patch.project { entry.project = project }
      if let tags = patch.tags { entry.tags = tags }
      if let start = patch.start { entry.start = start }
      if let duration = patch.duration { entry.duration = duration }
      if let isBillable = patch.isBillable { entry.isBillable = isBillable }
    }
  }

  mutating func assign(_ id: EntryID, _ project: ProjectID?) {
    change(id) { $0.project = project }
  }

  mutating func tag(_ id: EntryID, _ tags: [TagID]) {
    change(id) { $0.tags = tags }
  }

  mutating func toggleBilling(_ id: EntryID) {
    change(id) { $0.isBillable.toggle() }
  }

  mutating func task(_ id: EntryID, _ task: Int64?) {
    change(id) { $0.task = task }
  }

  mutating func time(_ id: EntryID, _ duration: ElapsedTime) {
    change(id) { $0.duration = duration }
  }

  mutating func duplicate(_ id: EntryID) {
    guard let entry = entries[id] else { return missing &+= 1 }
    insert(entry)
  }

  mutating func color(_ id: EntryID, _ color: Int32) {
    change(id) { $0.color = color }
  }
}

/// Reduces ``EditorAction``.
public struct EditorReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes an entry.
  public func reduce(
    _ state: inout Timeline, _ action: EditorAction, at moment: Moment
  ) -> Effect<EditorAction, Never> {
    switch action {
    case .described(let id, let text): state.describe(id, text)
    case .patched(let id, let patch): state.patch(id, patch)
    case .assigned(let id, let project): state.assign(id, project)
    case .tagged(let id, let tags): state.tag(id, tags)
    case .billingToggled(let id): state.toggleBilling(id)
    case .tasked(let id, let task): state.task(id, task)
    case .timed(let id, let duration): state.time(id, duration)
    case .duplicated(let id): state.duplicate(id)
    case .colored(let id, let color): state.color(id, color)
    }
    return .none
  }
}
