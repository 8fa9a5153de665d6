public import Retrace
package import RetraceStorage

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
    try await restore(isRedo: false)
  }

  /// Redoes the newest undo of this store's user after which the user changed nothing.
  ///
  /// - Complexity: As ``undo()``.
  /// - Returns: The result of the command; `nil` if there is nothing to redo.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func redo() async throws(CommandError<App>) -> Performed<App>? {
    try await restore(isRedo: true)
  }

  /// Undoes a change and blocks until that is durable; see ``undo()``.
  ///
  /// - Parameter closing: Whether the session is closed in the same commit; see
  ///   ``performBlocking(_:from:key:closing:)``.
  /// - Throws: As ``undo()``, and the store error `reentrant` from an observer or a transaction.
  @discardableResult
  public func undoBlocking(closing: Bool = false) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(isRedo: false, closing: closing)
  }

  /// Undoes a change as ``undoBlocking(closing:)`` does, unless the user made it before a moment.
  ///
  /// The moment of a redone change is the moment at which it was first made.
  ///
  /// - Returns: The result of the command; `nil` if there is nothing to undo or only older changes.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func undoBlocking(
    since moment: Moment
  ) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(isRedo: false, since: moment)
  }

  /// Redoes an undo and blocks until that is durable; see ``redo()``.
  ///
  /// - Parameter closing: As for ``undoBlocking(closing:)``.
  /// - Throws: As ``undoBlocking(closing:)``.
  @discardableResult
  public func redoBlocking(closing: Bool = false) throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(isRedo: true, closing: closing)
  }

  /// The maximum number of attempts at a restore; other facts can make each attempt stale.
  private static var attemptsMax: Int { 64 }

  private func restore(isRedo: Bool) async throws(CommandError<App>) -> Performed<App>? {
    var attempt = 0
    while true {
      attempt += 1
      let writer = writer
      let found: Restore<App.Edit>?
      do throws(StoreError) {
        found = try await run { access throws(StoreError) in
          try writer.findRestore(isRedo: isRedo, access)
        }
      } catch {
        throw .store(error)
      }
      guard let restore = found else { return nil }
      do throws(CommandError<App>) {
        return try await perform(restore)
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error.ofRestore(restore) }
      }
    }
  }

  private func restoreBlocking(
    isRedo: Bool, since moment: Moment? = nil, closing: Bool = false
  ) throws(CommandError<App>) -> Performed<App>? {
    var attempt = 0
    while true {
      attempt += 1
      let found: Restore<App.Edit>?
      do throws(StoreError) {
        try writer.refuseReentrancy(isRedo ? "redoBlocking" : "undoBlocking")
        found = try storage.performWriting { access throws(StoreError) in
          try self.writer.findRestore(isRedo: isRedo, since: moment, access)
        }
      } catch {
        throw .store(error)
      }
      guard let restore = found else { return nil }
      do throws(CommandError<App>) {
        return try performBlocking(restore, closing: closing)
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error.ofRestore(restore) }
      }
    }
  }
}

extension Store where App: UndoableApp {
  /// Performs a restore, whose origin only the store may give.
  private func perform(
    _ restore: Restore<App.Edit>
  ) async throws(CommandError<App>) -> Performed<App> {
    try await perform { writer throws(StoreError) in
      try writer.encodeChecked(App.command(for: restore), from: .undo)
    }
  }

  private func performBlocking(
    _ restore: Restore<App.Edit>, closing: Bool
  ) throws(CommandError<App>) -> Performed<App> {
    let receipt: Receipt<App>
    do throws(StoreError) {
      let batch = try writer.encodeChecked(App.command(for: restore), from: .undo)
      receipt = closing ? try writer.commitClosing(batch) : try writer.commitBlocking(batch)
    } catch {
      throw .store(error)
    }
    return try receipt.performed(in: storage)
  }
}

extension CommandError where App: UndoableApp {
  /// Whether the app refused a restore as stale, because another fact was appended first.
  fileprivate var isStale: Bool {
    guard case .refused(let refusal, _) = self else { return false }
    return App.isStaleRestore(refusal)
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
  /// Commits and folds all records that wait, and returns the next undo or redo; `nil` if there is
  /// nothing to undo or redo.
  ///
  /// - Parameter moment: A moment before which no change is taken back; `nil` for no limit.
  func findRestore(
    isRedo: Bool, since moment: Moment? = nil, _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> Restore<App.Edit>? {
    drain(access)
    if let failure = queue.failure { throw failure }
    try catchUp(access)
    try commitWaiting(access)
    let latest = publisher.latest
    return try log.withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(view, login: configuration.origin.login)
      return try search.restore(
        isRedo: isRedo, since: moment, through: latest.sequence,
        count: App.editCount(in: latest.state), view)
    }
  }
}

extension LogStorage {
  /// Calls `body` with the undos or redos that a store would make one after the other, until it
  /// returns `false`; writes nothing.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - login: The login name of the user whose changes are taken back.
  ///   - isRedo: Whether to redo.
  ///   - moment: A moment before which no change is taken back; `nil` for no limit.
  ///   - last: The last record to look at.
  ///   - count: The number of facts with edits up to that record.
  ///   - body: Receives each restore, which is made as if the restores before it were in the log.
  /// - Complexity: As `Store.undo()`, but without the command.
  /// - Throws: As `Store.undo()` before the command; what `body` throws.
  package func forEachRestore<App: UndoableApp>(
    of app: App.Type, by login: String, isRedo: Bool, since moment: Moment?,
    through last: UInt64, count: Int64,
    _ body: (Restore<App.Edit>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(view, login: login)
      var previous: Restore<App.Edit>?
      while let restore = try search.restore(
        isRedo: isRedo, since: moment, after: previous, through: last,
        count: previous.map { $0.expectedCount + 1 } ?? count, view), try body(restore)
      {
        previous = restore
      }
    }
  }
}
