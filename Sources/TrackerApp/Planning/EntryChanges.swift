public import Retrace
public import RetraceRecording
public import TimeTracking
public import TrackerFeatures

/// The changes that a command about time entries made.
public struct EntryChanges: Sendable {
  /// The inserted entries, in order; the command's own entry is the last one.
  public var inserted: [TimeEntryID] = []
  /// The entries that ran and ended.
  public var stopped: [TimeEntryID] = []
  /// The other entries that changed, in order.
  public var changed: [TimeEntryID] = []
  /// The names of the projects, tasks and tags that were created, in order.
  public var created: [CreatedName] = []
  /// All edits, in order.
  public var edits: [DomainEdit] = []
  /// The sequence of the command whose change an undo took back or a redo brought back; `nil` for
  /// other commands.
  public var change: UInt64?
  /// The edits that an undo or a redo was to make.
  public var wanted: [DomainEdit] = []
  /// The fields that an undo or a redo left as they were.
  public var unrestored: [UnrestoredField] = []
  /// The state right after the command.
  public var state: DomainState
  /// The sequence of the last record, which is durable.
  public var sequence: UInt64

  /// Whether an undo or a redo changes nothing, because it leaves everything as it is.
  public var isVoid: Bool { edits.isEmpty && !unrestored.isEmpty }

  /// Collects the changes of a command that was performed.
  public init(_ performed: Performed<TimeTracker>) {
    self.init(
      performed.facts, state: performed.receipt.state.domain, sequence: performed.receipt.sequence)
  }

  /// Collects the changes of an undo or a redo.
  ///
  /// - Parameters:
  ///   - made: The undo or redo.
  ///   - domain: The state, if nothing was recorded.
  init(_ made: MadeRestore<TimeTracker>, in domain: DomainState) {
    if let performed = made.performed {
      self.init(performed)
    } else {
      self.init([TrackerAction](), state: domain, sequence: 0)
      change = made.restore.links.change.map { UInt64(clamping: $0) }
      unrestored = made.rest ?? []
    }
    wanted = made.restore.edits
  }

  /// Collects the changes of some facts.
  init(_ facts: some Sequence<TrackerAction>, state: DomainState, sequence: UInt64) {
    self.state = state
    self.sequence = sequence
    for fact in facts {
      if let restored = TimeTracker.restored(in: fact) {
        change = restored.links.change.map { UInt64(clamping: $0) }
        unrestored += restored.unrestored
      }
      for edit in TimeTracker.edits(of: fact) {
        edits.append(edit)
        switch edit {
        case .project(.inserted(_, let project)): created.append(.project(project.entity.name))
        case .task(.inserted(_, let task)):
          created.append(.task(task.entity.name, of: task.entity.project))
        case .tag(.inserted(_, let tag)): created.append(.tag(tag.entity.name))
        default: break
        }
        guard case .entry(let edit) = edit else { continue }
        switch edit {
        case .inserted(let id, _): inserted.append(id)
        case .changed(let id, let changes):
          let isStop = changes.end.map { $0.before == nil && $0.after != nil } ?? false
          if isStop { stopped.append(id) } else { changed.append(id) }
        case .removed(let id, _): changed.append(id)
        }
      }
    }
  }
}

/// An entity that a command created because the store did not know its name.
public enum CreatedName: Hashable, Sendable {
  /// A project.
  case project(Name)
  /// A task of a project.
  case task(Name, of: ProjectID)
  /// A tag.
  case tag(Name)
}

extension EntryChanges {
  /// Collects the changes of the facts of a restore, which are not recorded, and applies the facts
  /// to a state.
  init(
    of facts: [DomainFact], _ restore: Restore<DomainEdit>, on state: inout DomainState,
    at moment: Moment
  ) {
    state.reduce(facts, at: moment)
    self.init(facts.map { .fact($0) }, state: state, sequence: 0)
    wanted = restore.edits
  }

  /// Returns what each of several commands changed, with the state after all of them.
  ///
  /// An entry that several commands change belongs to the command that inserted it, or else to the
  /// last one that changed it.
  ///
  /// - Parameters:
  ///   - facts: The facts of all commands.
  ///   - counts: The expected number of facts of each command. If their sum is not the number of
  ///     facts, because another process has changed the state, all facts form one part.
  ///   - state: The state after the commands.
  ///   - sequence: The sequence of the last record.
  static func parts(
    of facts: [TrackerAction], counts: [Int], state: DomainState, sequence: UInt64
  ) -> [EntryChanges] {
    let counts = counts.reduce(0, +) == facts.count ? counts : [facts.count]
    var rest = facts[...]
    var parts: [EntryChanges] = []
    for count in counts {
      parts.append(EntryChanges(rest.prefix(count), state: state, sequence: sequence))
      rest = rest.dropFirst(count)
    }
    var known = Set(parts.flatMap(\.inserted))
    for index in parts.indices.reversed() {
      parts[index].changed.removeAll { !known.insert($0).inserted }
      parts[index].stopped.removeAll { !known.insert($0).inserted }
    }
    return parts
  }
}

extension DomainState {
  /// Applies facts that are not recorded.
  mutating func reduce(_ facts: [DomainFact], at moment: Moment) {
    for fact in facts { _ = DomainReducer().reduce(&self, fact, at: moment) }
  }
}
