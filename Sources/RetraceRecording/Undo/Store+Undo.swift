public import Retrace
public import RetraceStorage

extension Store where App: UndoableApp {
  /// Undoes the newest change of this store's user that is not undone, in whatever process and
  /// session it was made.
  ///
  /// The user is the login name that ``StoreConfiguration/origin`` gives. The undo is a command
  /// with the origin `undo`; when the call returns it is durable or, with relaxed durability,
  /// acknowledged. A field that has another value now than after the change keeps it: the fact
  /// names the fields that were not restored, see `Restored.unrestored`.
  ///
  /// A change is taken back by one fact. If the edits of a change are too long for one action, it
  /// cannot be undone, and neither can the user's earlier changes.
  ///
  /// - Complexity: O(records after the user's newest command, and between the change and the user's
  ///   command before it), and as decoding the change and ``perform(_:from:key:)``.
  /// - Returns: The result of the command; `nil` if there is nothing to undo.
  /// - Throws: As ``perform(_:from:key:)``; the store errors `invalidConfiguration` without a login
  ///   name, `recordTooLarge` for a change that is too long, `incompatible` for one with a retired
  ///   fact, `damaged` for an invalid link. The app's refusal, which says that the undo is stale if
  ///   other facts came first in all 64 attempts.
  @discardableResult
  public func undo() async throws(CommandError<App>) -> Performed<App>? {
    try await restore(.newest(isRedo: false, since: nil))
  }

  /// Redoes the newest undo of this store's user after which the user changed nothing.
  ///
  /// - Complexity: As ``undo()``.
  /// - Returns: The result of the command; `nil` if there is nothing to redo.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func redo() async throws(CommandError<App>) -> Performed<App>? {
    try await restore(.newest(isRedo: true, since: nil))
  }

  /// Undoes a change and blocks until that is durable; see ``undo()``.
  ///
  /// - Parameter closing: Whether the session is closed in the same commit; see
  ///   ``performBlocking(_:from:key:closing:)``.
  /// - Throws: As ``undo()``, and the store error `reentrant` from an observer or a transaction.
  @discardableResult
  public func undoBlocking(closing: Bool = false) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(.newest(isRedo: false, since: nil), closing: closing)
  }

  /// Undoes the newest change as ``undoBlocking(closing:)`` does, of those that the user did not
  /// make before a moment.
  ///
  /// The moment of a redone change is the moment at which it was first made.
  ///
  /// - Returns: The result of the command; `nil` if there is nothing to undo or only older changes.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func undoBlocking(
    since moment: Moment
  ) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(.newest(isRedo: false, since: moment))
  }

  /// Redoes an undo and blocks until that is durable; see ``redo()``.
  ///
  /// - Parameter closing: As for ``undoBlocking(closing:)``.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func redoBlocking(closing: Bool = false) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(.newest(isRedo: true, since: nil), closing: closing)
  }

  /// The maximum number of attempts at a restore; other facts can make each attempt stale.
  private static var attemptsMax: Int { 64 }

  private func restore(_ wanted: WantedRestore) async throws(CommandError<App>) -> Performed<App>? {
    var attempt = 0
    while true {
      attempt += 1
      let writer = writer
      let found: Restore<App.Edit>?
      do throws(StoreError) {
        found = try await run { access throws(StoreError) in
          try writer.findRestore(wanted, recordsVoid: true, access)?.restore
        }
      } catch {
        throw .store(error)
      }
      guard let restore = found else { return nil }
      do throws(CommandError<App>) {
        let performed = try await perform(restore)
        // Another process took the same command back meanwhile.
        if !performed.wasRepeated || attempt == Self.attemptsMax { return performed }
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error.ofRestore(restore) }
      }
    }
  }

  private func restoreBlocking(
    _ wanted: WantedRestore, closing: Bool = false
  ) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(wanted, closing: closing, recordsVoid: true)?.performed
  }

  /// Makes an undo or a redo and blocks until that is durable; see ``undo()``.
  ///
  /// - Parameters:
  ///   - wanted: What is taken back.
  ///   - closing: As for ``undoBlocking(closing:)``.
  ///   - recordsVoid: Whether a restore is recorded that changes nothing, because everything is
  ///     left as it is.
  ///   - answer: Returns the actions that tell the user what the restore led to, which are
  ///     committed with it; not for one with `closing`. If the facts were already in the log, it is
  ///     not called.
  /// - Returns: The restore; `nil` if there is nothing to take back.
  /// - Throws: As ``undoBlocking(closing:)``.
  package func restoreBlocking(
    _ wanted: WantedRestore, closing: Bool, recordsVoid: Bool,
    answering answer: InputAnswer<App>? = nil
  ) throws(CommandError<App>) -> MadeRestore<App>? {
    var attempt = 0
    while true {
      attempt += 1
      let found: MadeRestore<App>?
      do throws(StoreError) {
        try writer.refuseReentrancy(wanted.isRedo ? "redoBlocking" : "undoBlocking")
        found = try storage.performWriting { access throws(StoreError) in
          try self.writer.findRestore(wanted, recordsVoid: recordsVoid, access)
        }
      } catch {
        throw .store(error)
      }
      guard var made = found, made.rest == nil else { return found }
      do throws(CommandError<App>) {
        // A stale restore is found anew.
        let isLast = attempt == Self.attemptsMax
        let performed = try performBlocking(
          made.restore, closing: closing,
          answering: isLast ? answer : answer.map { Self.unlessStale($0) })
        made.performed = performed
        if !performed.wasRepeated || attempt == Self.attemptsMax { return made }
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error.ofRestore(made.restore) }
      }
    }
  }
}

extension Store where App: UndoableApp {
  /// Returns the answer without that to a stale restore, which is made again.
  private static func unlessStale(_ answer: @escaping InputAnswer<App>) -> InputAnswer<App> {
    { outcome in
      if case .failure(let refusal) = outcome, App.isStaleRestore(refusal) { return [] }
      return answer(outcome)
    }
  }
}

// MARK: A change by its sequence

extension Store where App: UndoableApp {
  /// Undoes the change of one command, whatever was changed, undone and redone after it.
  ///
  /// Only a change of this store's user is undone. The undo counts as the newest one, so ``redo()``
  /// takes it back first.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command that made the change.
  ///   - taking: Whether the fields get the values from before the change even if they have been
  ///     changed since. Otherwise they keep their values, and the fact names them, as for
  ///     ``undo()``. Fields whose values would break a rule of the app keep theirs in any case.
  /// - Complexity: As ``undo()``, and O(undos and redos of the change). In a log of a build that
  ///   could not undo single changes, O(records after the change).
  /// - Returns: The result of the command; `nil` if the change is not in effect, see
  ///   ``statusBlocking(ofChange:)``, or if it is undone but for fields that keep their values.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func undo(
    _ change: UInt64, taking: Bool = false
  ) async throws(CommandError<App>) -> Performed<App>? {
    try await restore(.change(change, isRedo: false, taking: taking))
  }

  /// Brings the change of one command back, whatever was changed, undone and redone after its
  /// undo.
  ///
  /// The fields get the values that they had before the undo. The change counts as the newest one
  /// after that, so ``undo()`` takes it back first.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command that made the change.
  ///   - taking: Whether the fields get the values that the change gave them, even if they have
  ///     been changed since.
  /// - Complexity: As ``undo(_:taking:)``.
  /// - Returns: The result of the command; `nil` if the change is not undone, see
  ///   ``statusBlocking(ofChange:)``.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func restore(
    _ change: UInt64, taking: Bool = false
  ) async throws(CommandError<App>) -> Performed<App>? {
    try await restore(.change(change, isRedo: true, taking: taking))
  }

  /// Undoes the change of one command and blocks until that is durable; see ``undo(_:taking:)``.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command that made the change.
  ///   - taking: As for ``undo(_:taking:)``.
  ///   - closing: As for ``undoBlocking(closing:)``.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func undoBlocking(
    _ change: UInt64, taking: Bool = false, closing: Bool = false
  ) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(.change(change, isRedo: false, taking: taking), closing: closing)
  }

  /// Brings the change of one command back and blocks until that is durable; see
  /// ``restore(_:taking:)``.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command that made the change.
  ///   - taking: As for ``restore(_:taking:)``.
  ///   - closing: As for ``undoBlocking(closing:)``.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func restoreBlocking(
    _ change: UInt64, taking: Bool = false, closing: Bool = false
  ) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(.change(change, isRedo: true, taking: taking), closing: closing)
  }

  /// Returns whether the change of a command is in effect.
  ///
  /// - Complexity: O(undos and redos of the change). In a log of a build that could not undo single
  ///   changes, O(records after the change).
  /// - Throws: The store errors of ``undo()``.
  public func statusBlocking(ofChange change: UInt64) throws(StoreError) -> ChangeStatus {
    try search("statusBlocking") { (search, view) throws(StoreError) in
      try search.status(ofChange: change, view)
    }
  }

  /// Returns the sequence of the change of this store's user whose undo is the newest one in
  /// effect; `nil` if the newest commands of all users have no such change.
  ///
  /// It can be brought back with ``restoreBlocking(_:taking:closing:)``, also where ``redo()`` has
  /// nothing to redo, because something was changed after the undo.
  ///
  /// - Parameter commandsMax: The number of commands to look at.
  /// - Complexity: O(records of the commands).
  /// - Throws: The store errors of ``undo()``.
  public func newestUndoneBlocking(
    among commandsMax: Int = 1_000
  ) throws(StoreError) -> UInt64? {
    try search("newestUndoneBlocking") { (search, view) throws(StoreError) in
      try search.newestUndone(commandsMax: commandsMax, view)
    }
  }

  /// Returns the sequence of the newest change of this store's user whose edits satisfy a
  /// condition; `nil` if the newest commands of all users have no such change.
  ///
  /// - Parameters:
  ///   - commandsMax: The number of commands to look at.
  ///   - isWanted: The condition.
  /// - Complexity: O(records of the commands).
  /// - Throws: The store errors of ``undo()``.
  package func newestChangeBlocking(
    among commandsMax: Int = 1_000, where isWanted: @escaping @Sendable ([App.Edit]) -> Bool
  ) throws(StoreError) -> UInt64? {
    try search("newestChangeBlocking") { (search, view) throws(StoreError) in
      try search.newestChange(commandsMax: commandsMax, view, where: isWanted)
    }
  }

  /// Commits and folds all records that wait, and returns the result of a search in the log.
  private func search<Result: Sendable>(
    _ caller: String,
    _ body: @Sendable (inout UndoSearch<App>, borrowing ReadView) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writer.refuseReentrancy(caller)
    return try storage.performWriting { access throws(StoreError) in
      try self.writer.search(access, body)
    }
  }
}

extension Store where App: UndoableApp {
  /// Performs a restore, whose origin only the store may give.
  private func perform(
    _ restore: Restore<App.Edit>
  ) async throws(CommandError<App>) -> Performed<App> {
    try await perform { writer throws(StoreError) in
      try writer.encode(restore)
    }
  }

  private func performBlocking(
    _ restore: Restore<App.Edit>, closing: Bool, answering answer: InputAnswer<App>?
  ) throws(CommandError<App>) -> Performed<App> {
    let receipt: Receipt<App>
    do throws(StoreError) {
      if let answer {
        let writer = writer
        receipt = try storage.performWriting { access throws(StoreError) in
          let result = try writer.commitInput(answering: answer, access) {
            () throws(StoreError) in [try writer.encode(restore)]
          }
          return try result.singleReceipt()
        }
      } else {
        let batch = try writer.encode(restore)
        receipt = closing ? try writer.commitClosing(batch) : try writer.commitBlocking(batch)
      }
    } catch {
      throw .store(error)
    }
    return try receipt.performed(in: storage)
  }
}

extension CommandError where App: UndoableApp {
  /// Whether another fact was appended before a restore, so that the app refused it as stale, or
  /// another restore took the same command back.
  fileprivate var isStale: Bool {
    switch self {
    case .refused(let refusal, _): App.isStaleRestore(refusal)
    case .store(let error): error.code == .keyReused
    }
  }

  /// Returns the error in the words of an undo, because the user cannot split a change.
  fileprivate func ofRestore(_ restore: Restore<App.Edit>) -> CommandError {
    guard case .store(let error) = self, error.code == .recordTooLarge else { return self }
    return .store(
      StoreError(
        .recordTooLarge, what: "Nothing was undone.",
        why: "The change of record \(restore.links.target) has too many edits for one record.",
        advice: "Change the values back with the app's commands, a part at a time."))
  }
}

extension Writer where App: UndoableApp {
  /// Encodes a restore as a batch, whose key names the command that it takes back.
  fileprivate func encode(_ restore: Restore<App.Edit>) throws(StoreError) -> PendingBatch<App> {
    try encodeChecked(
      App.command(for: restore), from: .undo, restoring: restore.links.target)
  }

  /// Commits and folds all records that wait, and returns the wanted undo or redo; `nil` if there
  /// is nothing to undo or redo.
  ///
  /// - Parameters:
  ///   - wanted: What is taken back.
  ///   - recordsVoid: Whether a restore that changes nothing is made like any other.
  ///   - access: The access to the log.
  func findRestore(
    _ wanted: WantedRestore, recordsVoid: Bool, _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> MadeRestore<App>? {
    try search(access) { (search, view) throws(StoreError) in
      let count = App.editCount(in: publisher.latest.state)
      let restore: Restore<App.Edit>? =
        switch wanted {
        case .newest(let isRedo, let moment):
          try search.restore(isRedo: isRedo, since: moment, count: count, view)
        case .change(let change, let isRedo, let taking):
          try search.restore(
            ofChange: change, isRedo: isRedo, taking: taking, count: count, view)
        }
      guard let restore else { return nil }
      let rest = recordsVoid ? nil : try search.rest(ofVoid: restore, view)
      return MadeRestore(restore: restore, rest: rest)
    }
  }

  /// Commits and folds all records that wait, and returns the result of a search in the log.
  fileprivate func search<Result>(
    _ access: borrowing LogWriter.Access,
    _ body: (inout UndoSearch<App>, borrowing ReadView) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    drain(access)
    if let failure = queue.failure { throw failure }
    try catchUp(access)
    try commitWaiting(access)
    let latest = publisher.latest
    return try log.withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(
        view, login: configuration.origin.login, through: latest.sequence, state: latest.state,
        keyLimit: log.keyLimit)
      return try body(&search, view)
    }
  }
}

/// A restore that a store made, unless it would have changed nothing.
package struct MadeRestore<App: UndoableApp>: Sendable {
  package var restore: Restore<App.Edit>
  /// What the restore would have left as it is; `nil` if it was made.
  package var rest: [UnrestoredField]?
  /// The result of the command; `nil` if nothing was recorded.
  package var performed: Performed<App>?
}

/// A restore that a store would make, and the contents of the fact that it would lead to.
package struct TriedRestore<App: UndoableApp>: Sendable {
  package var restore: Restore<App.Edit>
  package var restored: Restored<App.Edit>?
  /// The state after it.
  package var state: App.State

  package init(_ restore: Restore<App.Edit>, _ restored: Restored<App.Edit>?, state: App.State) {
    (self.restore, self.restored, self.state) = (restore, restored, state)
  }
}

extension LogStorage {
  /// Calls `body` with the undos or redos that a store would make one after the other, until it
  /// returns `nil`; writes nothing.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - login: The login name of the user whose changes are taken back.
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment; changes that were first made before it are not taken back. `nil` for no
  ///     limit.
  ///   - last: The last record to look at.
  ///   - state: The state after that record.
  ///   - body: Receives each restore, which is made as if the restores before it were in the log,
  ///     and returns what it leads to.
  /// - Complexity: As `Store.undo()`, but without the command.
  /// - Throws: As `Store.undo()` before the command; what `body` throws.
  package func forEachRestore<App: UndoableApp>(
    of app: App.Type, by login: String, isRedo: Bool, since moment: Moment?,
    through last: UInt64, on state: App.State,
    _ body: (Restore<App.Edit>) throws(StoreError) -> TriedRestore<App>?
  ) throws(StoreError) {
    try withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(
        view, login: login, through: last, state: state, keyLimit: keyLimit)
      var previous: Restore<App.Edit>?
      var count = App.editCount(in: state)
      while let restore = try search.restore(
        isRedo: isRedo, since: moment, after: previous, count: count, view),
        let tried = try body(restore)
      {
        search.assume(restore, tried.restored, leadingTo: tried.state)
        count = App.editCount(in: tried.state)
        previous = restore
      }
    }
  }

  /// Returns the undo of a change, or the redo of its undo, that a store would make, and the status
  /// of the change; writes nothing.
  ///
  /// - Parameters:
  ///   - change: The sequence of the command that made the change.
  ///   - app: The app.
  ///   - login: The login name of the user whose changes are taken back.
  ///   - isRedo: Whether to redo.
  ///   - taking: Whether values that were set since are overwritten.
  ///   - last: The last record to look at.
  ///   - state: The state after that record.
  /// - Complexity: As `Store.undo(_:taking:)`, but without the command.
  /// - Throws: As `Store.undo(_:taking:)` before the command.
  package func restore<App: UndoableApp>(
    ofChange change: UInt64, of app: App.Type, by login: String, isRedo: Bool, taking: Bool,
    through last: UInt64, on state: App.State
  ) throws(StoreError) -> (status: ChangeStatus, restore: Restore<App.Edit>?) {
    try withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(
        view, login: login, through: last, state: state, keyLimit: keyLimit)
      let restore = try search.restore(
        ofChange: change, isRedo: isRedo, taking: taking, count: App.editCount(in: state), view)
      return (try search.status(ofChange: change, view), restore)
    }
  }

  /// Returns the sequence of the change whose undo is the newest one in effect; see
  /// `Store.newestUndoneBlocking(among:)`.
  package func newestUndone<App: UndoableApp>(
    of app: App.Type, by login: String, among commandsMax: Int = 1_000, through last: UInt64
  ) throws(StoreError) -> UInt64? {
    try withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(view, login: login, through: last, keyLimit: keyLimit)
      return try search.newestUndone(commandsMax: commandsMax, view)
    }
  }
}
