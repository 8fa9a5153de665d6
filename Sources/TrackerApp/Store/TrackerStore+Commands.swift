public import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TimeTracking
public import TrackerFeatures

extension TrackerStore {
  /// Performs a command of the command line.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - closing: Whether to end the session in the commit of the command, and to close the store.
  ///     The store is closed after an error, too.
  /// - Complexity: As the decision; two disk flushes.
  /// - Throws: The refusal, with nothing written; the errors of the store.
  public func perform(
    _ command: DomainCommand, closing: Bool
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    try perform([command], closing: closing)
  }

  /// Performs the commands of a plan, as one change.
  ///
  /// The commands are decided again, inside the write transaction. If they are refused because
  /// another process has taken the whole second that the plan uses for the present, they are
  /// decided with the exact moment of the decision.
  ///
  /// - Parameters:
  ///   - plan: A plan with at least one command and without a refusal.
  ///   - closing: As for ``perform(_:closing:)``.
  /// - Returns: The changes of each command, which are durable.
  /// - Complexity: As the decision; two disk flushes.
  /// - Throws: The refusal of a command, with nothing written; the errors of the store.
  public func perform(
    _ plan: EntryPlan, closing: Bool
  ) throws(CommandError<TimeTracker>) -> [EntryChanges] {
    let performed = try perform(plan.alternatives, closing: closing)
    return EntryChanges.parts(
      of: performed.facts, counts: plan.facts.map(\.count),
      state: performed.receipt.state.domain, sequence: performed.receipt.sequence)
  }

  /// Performs the first of some commands that is not refused.
  private func perform(
    _ alternatives: [DomainCommand], closing: Bool
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    let result: Result<Performed<TimeTracker>, CommandError<TimeTracker>>
    do throws(CommandError<TimeTracker>) {
      result = .success(try performFirst(of: alternatives, closing: closing))
    } catch {
      result = .failure(error)
    }
    guard closing else { return try result.get() }
    do throws(StoreError) {
      try close()
    } catch {
      // A refusal is more useful to the user than an error of closing.
      if case .success = result { throw .store(error) }
    }
    return try result.get()
  }

  private func performFirst(
    of alternatives: [DomainCommand], closing: Bool
  ) throws(CommandError<TimeTracker>) -> Performed<TimeTracker> {
    for command in alternatives.dropLast() {
      do throws(CommandError<TimeTracker>) {
        return try store.performBlocking(command, from: .commandLine, closing: closing)
      } catch {
        guard case .refused = error else { throw error }
      }
    }
    return try store.performBlocking(
      alternatives[alternatives.count - 1], from: .commandLine, closing: closing)
  }

  /// Undoes or redoes the newest change of this store's user.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment; changes that were first made before it are not undone. `nil` for no
  ///     limit.
  ///   - closing: Whether to end the session in the same commit.
  ///   - recordsVoid: Whether it is recorded if it changes nothing, so that the next one goes on
  ///     with the change before; see ``EntryChanges/isVoid``.
  /// - Returns: What changed; `nil` if there is nothing to undo or redo.
  /// - Throws: As `Store.undoBlocking`.
  public func undoOrRedo(
    isRedo: Bool, since moment: Moment? = nil, closing: Bool = false, recordsVoid: Bool = false
  ) throws(CommandError<TimeTracker>) -> EntryChanges? {
    try store.restoreBlocking(
      .newest(isRedo: isRedo, since: moment), closing: closing, recordsVoid: recordsVoid
    ).map { EntryChanges($0, in: domain) }
  }

  /// Undoes the change of a command of this store's user, or brings it back, whatever was changed
  /// since.
  ///
  /// If that changes nothing, nothing is recorded; see ``EntryChanges/isVoid``.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command.
  ///   - isRedo: Whether to bring it back.
  ///   - taking: Whether fields that were changed since are set, too.
  ///   - closing: Whether to end the session in the same commit.
  /// - Returns: What changed; `nil` if the change is not in effect or not undone, see
  ///   ``status(ofChange:)``.
  /// - Throws: As `Store.undoBlocking`.
  public func restore(
    _ change: UInt64, isRedo: Bool, taking: Bool, closing: Bool = false
  ) throws(CommandError<TimeTracker>) -> EntryChanges? {
    try store.restoreBlocking(
      .change(change, isRedo: isRedo, taking: taking), closing: closing, recordsVoid: false
    ).map { EntryChanges($0, in: domain) }
  }

  /// Undoes the newest change, or redoes the newest undo, or else brings back the change whose undo
  /// is the newest one.
  ///
  /// - Parameters:
  ///   - isRedo: Whether to redo or bring back.
  ///   - recordsVoid: As for ``undoOrRedo(isRedo:since:closing:recordsVoid:)``.
  ///   - answer: Returns what the scene tells about the restore, in the same commit.
  /// - Returns: The restore; `nil` if no change is to be undone, or none is undone among the newest
  ///   commands.
  /// - Throws: As `Store.undoBlocking`.
  func undoOrBringBack(
    isRedo: Bool, recordsVoid: Bool,
    answering answer: InputAnswer<TimeTracker>? = nil
  ) throws(CommandError<TimeTracker>) -> MadeRestore<TimeTracker>? {
    let made = try store.restoreBlocking(
      .newest(isRedo: isRedo, since: nil), closing: false, recordsVoid: recordsVoid,
      answering: answer)
    if made != nil || !isRedo { return made }
    let newest: UInt64?
    do throws(StoreError) {
      newest = try store.newestUndoneBlocking()
    } catch {
      throw .store(error)
    }
    guard let newest else { return nil }
    return try store.restoreBlocking(
      .change(newest, isRedo: true, taking: false), closing: false, recordsVoid: recordsVoid,
      answering: answer)
  }

  /// Returns whether the change of a command is in effect.
  ///
  /// - Throws: As `Store.statusBlocking`.
  public func status(ofChange change: UInt64) throws(StoreError) -> ChangeStatus {
    try store.statusBlocking(ofChange: change)
  }

  /// Calls `body` with the changes that undos or redos of a login would make, and returns its
  /// result.
  ///
  /// The store is opened read-only, and nothing is written.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - login: The user whose changes are undone.
  ///   - isRedo: Whether to redo.
  ///   - count: The maximum number of changes.
  ///   - moment: A moment; changes that were first made before it are not undone. `nil` for no
  ///     limit.
  ///   - now: The present.
  ///   - body: Receives the changes of each undo or redo, in order. It may be called twice. It must
  ///     not return the states, which read pages of the store.
  /// - Complexity: O(records after the newest snapshot), plus the undos.
  /// - Throws: As ``undoOrRedo(isRedo:since:closing:recordsVoid:)``; `storeMissing` if there is no
  ///   store.
  public static func previewUndo<Result>(
    at path: String, foldTrial: FoldTrial? = nil, login: String, isRedo: Bool, count: Int,
    since moment: Moment? = nil, now: Moment, _ body: ([EntryChanges]) -> Result
  ) throws(CommandError<TimeTracker>) -> Result {
    var refusal: CommandError<TimeTracker>?
    let result = try readForPreview(at: path, foldTrial) {
      (state, storage, last) throws(StoreError) in
      var next = state
      var changes: [EntryChanges] = []
      refusal = nil
      try storage.forEachRestore(
        of: TimeTracker.self, by: login, isRedo: isRedo, since: moment, through: last, on: state
      ) { (restore) throws(StoreError) in
        guard changes.count < count else { return nil }
        do throws(DomainRefusal) {
          let facts = try DomainDecider().decide(.restore(restore), on: next.domain, at: now)
          changes.append(EntryChanges(of: facts, restore, on: &next.domain, at: now))
          return TriedRestore(restore, facts.first?.restoredEdits, state: next)
        } catch {
          refusal = .refused(error, after: last)
          return nil
        }
      }
      return body(changes)
    }
    if let refusal { throw refusal }
    return result
  }

  /// Calls `body` with what the undo of the change of a command of a login would do, or the redo of
  /// its undo, and returns its result.
  ///
  /// The store is opened read-only, and nothing is written.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command; `nil` for the change whose undo is the newest one.
  ///   - path: The directory of the store.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - login: The user whose changes are undone.
  ///   - isRedo: Whether to bring the change back.
  ///   - taking: Whether fields that were changed since are set, too.
  ///   - now: The present.
  ///   - body: Receives the status of the change, and what would change; `nil` if nothing can be
  ///     restored. It may be called twice. It must not return the state, which reads pages of the
  ///     store.
  /// - Complexity: O(records after the newest snapshot), plus the undo.
  /// - Throws: As ``restore(_:isRedo:taking:closing:)``; `storeMissing` if there is no store.
  public static func previewRestore<Result>(
    of change: UInt64?, at path: String, foldTrial: FoldTrial? = nil, login: String, isRedo: Bool,
    taking: Bool, now: Moment, _ body: (ChangeStatus, EntryChanges?) -> Result
  ) throws(CommandError<TimeTracker>) -> Result {
    var refusal: CommandError<TimeTracker>?
    let result = try readForPreview(at: path, foldTrial) {
      (state, storage, last) throws(StoreError) in
      refusal = nil
      var change = change
      if change == nil {
        change = try storage.newestUndone(of: TimeTracker.self, by: login, through: last)
      }
      guard let change else { return body(.unknown, nil) }
      do throws(CommandError<TimeTracker>) {
        let (status, changes) = try storage.tryRestore(
          of: change, by: login, isRedo: isRedo, taking: taking, through: last, on: state, at: now)
        return body(status, changes)
      } catch {
        if case .store(let failure) = error { throw failure }
        refusal = error
        return body(.unknown, nil)
      }
    }
    if let refusal { throw refusal }
    return result
  }

  /// Calls `body` with the latest state, the storage and the sequence of its last record.
  private static func readForPreview<Result>(
    at path: String, _ foldTrial: FoldTrial?,
    _ body: (TrackerState, LogStorage, UInt64) throws(StoreError) -> Result
  ) throws(CommandError<TimeTracker>) -> Result {
    do throws(StoreError) {
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
      return try storage.withState(of: TimeTracker.self) { state, use throws(StoreError) in
        try body(copy state, storage, use.sequence)
      }
    } catch {
      throw .store(error)
    }
  }
}

extension LogStorage {
  /// Returns the status of a change of a login, and what its undo would do, or the redo of its
  /// undo; `nil` if nothing can be restored.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command.
  ///   - login: The user whose change it is.
  ///   - isRedo: Whether to bring the change back.
  ///   - taking: Whether fields that were changed since are set, too.
  ///   - last: The last record.
  ///   - state: The state after that record.
  ///   - now: The present.
  /// - Complexity: As `restore(ofChange:of:by:isRedo:taking:through:on:)`, plus the undo.
  /// - Throws: The refusal; the errors of reading the log.
  func tryRestore(
    of change: UInt64, by login: String, isRedo: Bool, taking: Bool, through last: UInt64,
    on state: TrackerState, at now: Moment
  ) throws(CommandError<TimeTracker>) -> (status: ChangeStatus, changes: EntryChanges?) {
    let found: (status: ChangeStatus, restore: Restore<DomainEdit>?)
    do throws(StoreError) {
      found = try restore(
        ofChange: change, of: TimeTracker.self, by: login, isRedo: isRedo, taking: taking,
        through: last, on: state)
    } catch {
      throw .store(error)
    }
    guard let restore = found.restore else { return (found.status, nil) }
    var domain = state.domain
    do throws(DomainRefusal) {
      let facts = try DomainDecider().decide(.restore(restore), on: domain, at: now)
      return (found.status, EntryChanges(of: facts, restore, on: &domain, at: now))
    } catch {
      throw .refused(error, after: last)
    }
  }
}
