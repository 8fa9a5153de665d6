public import RetraceArchitecture
import RetraceLog
import RetraceStorage

extension Store where App: UndoableApp {
  /// Undoes the newest change of this store's user that is not undone, in whatever process and
  /// session it was made.
  ///
  /// The user is the login name that ``StoreConfiguration/origin`` gives. The undo is a command
  /// with the origin `undo`; when the call returns it is durable or, with relaxed durability,
  /// acknowledged. Changes that others made since are kept: the fact names the fields that were not
  /// restored, see ``Restored/unrestored``.
  ///
  /// - Complexity: O(records after the user's newest command), that of decoding the change, and
  ///   that of ``perform(_:from:key:)``.
  /// - Returns: The result of the command; `nil` if there is nothing to undo.
  /// - Throws: As ``perform(_:from:key:)``; the app's refusal, such as that a name is taken now.
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
  /// - Throws: As ``undo()``, and the store error `reentrant` from an observer or a transaction.
  @discardableResult
  public func undoBlocking() throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(isRedo: false)
  }

  /// Redoes an undo and blocks until that is durable; see ``redo()``.
  ///
  /// - Throws: As ``undoBlocking()``.
  @discardableResult
  public func redoBlocking() throws(CommandError<App>) -> Performed<App>? {
    try restoreBlocking(isRedo: true)
  }

  /// How often a restore is made again after a fact came between making and deciding it.
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
        return try await perform(App.command(for: restore), from: .undo)
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error }
      }
    }
  }

  private func restoreBlocking(isRedo: Bool) throws(CommandError<App>) -> Performed<App>? {
    var attempt = 0
    while true {
      attempt += 1
      let found: Restore<App.Edit>?
      do throws(StoreError) {
        try writer.refuseReentrancy(isRedo ? "redoBlocking" : "undoBlocking")
        found = try storage.performWriting { access throws(StoreError) in
          try self.writer.findRestore(isRedo: isRedo, access)
        }
      } catch {
        throw .store(error)
      }
      guard let restore = found else { return nil }
      do throws(CommandError<App>) {
        return try performBlocking(App.command(for: restore), from: .undo)
      } catch {
        guard attempt < Self.attemptsMax, error.isStale else { throw error }
      }
    }
  }
}

extension CommandError where App: UndoableApp {
  /// Whether the command is a restore for which a fact came too early.
  fileprivate var isStale: Bool {
    guard case .refused(let refusal, _) = self else { return false }
    return App.isStaleRestore(refusal)
  }
}

extension Writer where App: UndoableApp {
  /// Folds and commits what waits, and makes an undo or a redo; `nil` if there is none.
  func findRestore(
    isRedo: Bool, _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> Restore<App.Edit>? {
    drain(access)
    if let failure = queue.failure { throw failure }
    try catchUp(access)
    try commitWaiting(access)
    let latest = publisher.latest
    let login = configuration.origin.login
    return try log.withReadView { view throws(StoreError) in
      var search = try UndoSearch<App>(view, login: login)
      return try search.restore(
        isRedo: isRedo, through: latest.sequence, count: App.editCount(in: latest.state), view)
    }
  }
}
