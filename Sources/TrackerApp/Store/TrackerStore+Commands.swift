public import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
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
  /// The state right after the command.
  public var state: DomainState
  /// The sequence of the last record, which is durable.
  public var sequence: UInt64

  /// The entries that the facts of a command edited.
  public init(_ performed: Performed<TimeTracker>) {
    self.init(
      performed.facts, state: performed.receipt.state.domain, sequence: performed.receipt.sequence)
  }

  /// The entries that some facts edited.
  private init(_ facts: some Sequence<TrackerAction>, state: DomainState, sequence: UInt64) {
    self.state = state
    self.sequence = sequence
    for fact in facts {
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
  /// Decides a command on a state without performing it, and returns what it would change.
  ///
  /// An entry that it starts or stops now begins or ends with a whole second.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - state: The state; that after the command when the call returns.
  ///   - moment: The present.
  /// - Complexity: As the decision.
  /// - Throws: The refusal; the state is then unchanged.
  public static func preview(
    _ command: TimeEntryCommand, on state: inout DomainState, at moment: Moment
  ) throws(DomainRefusal) -> EntryChanges {
    let command = command.inWholeSeconds(at: moment, in: state)
    let facts = try DomainDecider().decide(.entry(command), on: state, at: moment)
    return EntryChanges(of: facts, on: &state, at: moment)
  }

  /// Reduces facts that are not recorded.
  fileprivate init(of facts: [DomainFact], on state: inout DomainState, at moment: Moment) {
    for fact in facts { _ = DomainReducer().reduce(&state, fact, at: moment) }
    self.init(facts.map { .fact($0) }, state: state, sequence: 0)
  }

  /// Decides commands in order without performing them, and returns what each would change, as
  /// ``TrackerStore/perform(_:closing:performed:)`` does.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - state: The state; that after the commands, or before the one that is refused.
  ///   - moment: The present.
  /// - Complexity: As the decisions.
  /// - Throws: The refusal of a command.
  public static func preview(
    _ commands: [TimeEntryCommand], on state: inout DomainState, at moment: Moment
  ) throws(DomainRefusal) -> [EntryChanges] {
    var parts: [EntryChanges] = []
    let corrections = AdjustingCorrections(of: commands, in: state)
    func requireKept(or refusal: DomainRefusal? = nil) throws(DomainRefusal) {
      let lost = corrections.lost(in: state)
      if !lost.isEmpty { throw .entry(.takenByOthers(lost)) }
      if let refusal { throw refusal }
    }
    do throws(DomainRefusal) {
      for command in commands { parts.append(try preview(command, on: &state, at: moment)) }
    } catch {
      try requireKept(or: error)
    }
    try requireKept()
    for index in parts.indices { parts[index].state = state }
    nameOnce(in: &parts)
    return parts
  }

  /// Keeps an entry that several parts change in the one that inserted it, or else in the last.
  private static func nameOnce(in parts: inout [EntryChanges]) {
    var known = Set(parts.flatMap(\.inserted))
    for index in parts.indices.reversed() {
      parts[index].changed.removeAll { !known.insert($0).inserted }
      parts[index].stopped.removeAll { !known.insert($0).inserted }
    }
  }
}

extension EntryChanges {
  /// Returns what each of several commands changed, with the state after all of them.
  ///
  /// An entry that several of them change belongs to the one that inserted it, or else to the last.
  ///
  /// - Parameters:
  ///   - performed: What the commands led to as one change.
  ///   - commands: The commands.
  ///   - state: The state before them. If another process has changed it since, so that the
  ///     commands led to other facts, all changes are returned together.
  ///   - moment: The present.
  /// - Complexity: As the decisions.
  fileprivate static func parts(
    of performed: Performed<TimeTracker>, by commands: [TimeEntryCommand], from state: DomainState,
    at moment: Moment
  ) -> [EntryChanges] {
    let whole = EntryChanges(performed)
    var state = state
    var parts: [EntryChanges] = []
    var rest = performed.facts[...]
    for command in commands {
      let facts = try? DomainDecider().decide(.entry(command), on: state, at: moment)
      guard let facts, facts.count <= rest.count else { return [whole] }
      for fact in facts { _ = DomainReducer().reduce(&state, fact, at: moment) }
      let own = rest.prefix(facts.count)
      parts.append(EntryChanges(own, state: whole.state, sequence: whole.sequence))
      rest = rest.dropFirst(facts.count)
    }
    guard rest.isEmpty else { return [whole] }
    nameOnce(in: &parts)
    return parts
  }
}

extension TrackerStore {
  /// Performs a command.
  ///
  /// An entry that it starts or stops now begins or ends with a whole second, unless another
  /// process has changed the entries since, so that only the moment of the decision fits.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - closing: Whether the session ends with the command, in the same commit, and the store is
  ///     closed, also after an error.
  /// - Complexity: As the decision; two disk flushes.
  /// - Throws: The refusal, with nothing written; the errors of the store.
  public func perform(
    _ command: DomainCommand, closing: Bool
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    let result: Result<Performed<TimeTracker>, CommandError<TimeTracker>>
    do throws(CommandError<TimeTracker>) {
      result = .success(try performInWholeSeconds(command, closing: closing))
    } catch {
      result = .failure(error)
    }
    guard closing else { return try result.get() }
    do throws(StoreError) {
      try close()
    } catch {
      // The reason of a refusal says more than the error of closing.
      if case .success = result { throw .store(error) }
    }
    return try result.get()
  }

  private func performInWholeSeconds(
    _ command: DomainCommand, closing: Bool
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    if case .entry(let entry) = command {
      let whole = entry.inWholeSeconds(at: now(), in: domain)
      do throws(CommandError<TimeTracker>) {
        if whole != entry {
          return try store.performBlocking(.entry(whole), from: .commandLine, closing: closing)
        }
      } catch {
        guard case .refused = error else { throw error }
      }
    }
    return try store.performBlocking(command, from: .commandLine, closing: closing)
  }

  /// Performs a command about time entries, as ``perform(_:closing:)`` does any command.
  public func perform(
    _ command: TimeEntryCommand, closing: Bool
  ) throws(CommandError<TimeTracker>) -> EntryChanges {
    EntryChanges(try perform(.entry(command), closing: closing))
  }

  /// Performs commands about time entries in order, as one change.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - closing: Whether the session ends with them, in the same commit, and the store is closed.
  ///   - performed: Receives the changes of each command once they are durable.
  /// - Throws: The refusal of a command, with nothing written; the errors of the store.
  public func perform(
    _ commands: [TimeEntryCommand], closing: Bool, performed: (EntryChanges) -> Void
  ) throws(CommandError<TimeTracker>) {
    guard commands.count > 1 else {
      if let command = commands.first { performed(try perform(command, closing: closing)) }
      return
    }
    let (before, moment) = (domain, now())
    let change = try perform(.entry(.several(commands)), closing: closing)
    EntryChanges.parts(of: change, by: commands, from: before, at: moment).forEach(performed)
  }

  /// Undoes or redoes the newest change of this store's user.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment before which no change is undone; `nil` for no limit.
  ///   - closing: Whether the session ends with it, so that one commit does both. With a moment,
  ///     the session stays open.
  /// - Returns: What changed; `nil` if there is nothing to undo or redo.
  /// - Throws: As `Store.undoBlocking`.
  public func undoOrRedo(
    isRedo: Bool, since moment: Moment? = nil, closing: Bool = false
  ) throws(CommandError<TimeTracker>) -> EntryChanges? {
    let performed: Performed<TimeTracker>?
    if isRedo {
      performed = try store.redoBlocking(closing: closing)
    } else if let moment {
      performed = try store.undoBlocking(since: moment)
    } else {
      performed = try store.undoBlocking(closing: closing)
    }
    return performed.map { EntryChanges($0) }
  }

  /// Decides on the latest state what undos or redos of a login would change, and
  /// writes nothing.
  ///
  /// The store is opened read-only.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - foldTrial: How this program folds the log in a process of its own.
  ///   - login: The user whose changes are undone.
  ///   - isRedo: Whether to redo.
  ///   - count: How many changes at most.
  ///   - moment: A moment before which no change is undone; `nil` for no limit.
  ///   - now: The present.
  ///   - body: Receives what each would change, in order; it may be called twice. The states read
  ///     pages of the store, so it must not return them.
  /// - Complexity: O(records after the newest snapshot), plus the undos.
  /// - Throws: As ``undoOrRedo(isRedo:since:closing:)``; `storeMissing` if there is no store.
  public static func previewUndo<Result>(
    at path: String, foldTrial: FoldTrial? = nil, login: String, isRedo: Bool, count: Int,
    since moment: Moment? = nil, now: Moment, _ body: ([EntryChanges]) -> Result
  ) throws(CommandError<TimeTracker>) -> Result {
    var refusal: CommandError<TimeTracker>?
    let result: Result
    do throws(StoreError) {
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
      result = try storage.withState(of: TimeTracker.self) { state, use throws(StoreError) in
        var domain = state.domain
        var changes: [EntryChanges] = []
        refusal = nil
        try storage.forEachRestore(
          of: TimeTracker.self, by: login, isRedo: isRedo, since: moment,
          through: use.sequence, count: domain.undoableFacts
        ) { restore in
          do throws(DomainRefusal) {
            let facts = try DomainDecider().decide(.restore(restore), on: domain, at: now)
            changes.append(EntryChanges(of: facts, on: &domain, at: now))
          } catch {
            refusal = .refused(error, after: use.sequence)
            return false
          }
          return changes.count < count
        }
        return body(changes)
      }
    } catch {
      throw .store(error)
    }
    if let refusal { throw refusal }
    return result
  }
}
