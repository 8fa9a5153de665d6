public import Retrace
import RetraceStorage

extension Store {
  /// Calls `body` with the latest state inside the write transaction, and appends the actions it
  /// returns.
  ///
  /// In an app with commands, they are actions of scenes; see ``perform(_:from:key:)``.
  ///
  /// No other process can append between the call of the body and the commit. All other writers
  /// wait, so the body should be fast. The body is a pure function of the state. It is called once,
  /// and a second time only if a stored page that the state reads is damaged; then the actions, the
  /// value and the error of the first call are discarded. A call of the store within the body is
  /// refused as `reentrant`, except `enqueue`.
  ///
  /// If the task is cancelled before the body is called, nothing is done. After that, a
  /// cancellation has no effect, and the result is returned.
  ///
  /// ```swift
  /// let (receipt, id) = try await store.transact { state, _ in
  ///   (actions: [.added(name: "tea")], value: state.counters.nextID)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - closing: Whether the session is closed in the same commit, as a one-shot command does.
  ///   - key: The idempotency key of the request, 1 to 64 bytes of UTF-8. If the log has a batch
  ///     with this key, nothing is appended, and the receipt has that batch's sequences and the
  ///     latest state. The body is then not called, because on the latest state it could refuse the
  ///     request.
  ///   - body: Returns the actions of the batch and a value for the caller; if it throws, no action
  ///     is appended.
  /// - Returns: The receipt and the value; the value is `nil` if the log has the key.
  /// - Throws: ``TransactionError``; the store error `cancelled` if the task was cancelled before
  ///   the body was called.
  @discardableResult
  public func transact<Value: Sendable, Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @escaping @Sendable (borrowing App.State, Moment) throws(Refusal) -> (
        actions: [App.SceneAction], value: Value
      )
  ) async throws(TransactionError<Refusal>) -> (receipt: Receipt<App>, value: Value?) {
    let moment = try beginTransaction(key: key, Refusal.self)
    typealias Outcome = Result<Transacted<App, Value>, TransactionError<Refusal>>
    let (job, writer) = (PendingJob<Outcome>(), writer)
    storage.submitWriting { access in
      guard job.begin() else { return }
      do throws(TransactionError<Refusal>) {
        let (receipt, value) = try writer.transact(
          closing: closing, key: key, at: moment, access, body)
        job.end(.success(Transacted(receipt: receipt, value: value)))
      } catch {
        job.end(.failure(error))
      }
    }
    guard let outcome = await job.outcome() else { throw .store(.cancelled) }
    let transacted = try outcome.get()
    return (transacted.receipt, transacted.value)
  }

  /// Appends the actions that `body` decides on the latest state; see the form with a value.
  @discardableResult
  public func transact<Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @escaping @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.SceneAction]
  ) async throws(TransactionError<Refusal>) -> Receipt<App> {
    try await transact(closing: closing, key: key) { (state, moment) throws(Refusal) in
      (actions: try body(state, moment), value: ())
    }.receipt
  }

  /// Appends the actions that `body` decides on the latest state, and blocks until they are
  /// durable; see `transact`.
  ///
  /// - Throws: As `transact`; `reentrant` from an observer.
  @discardableResult
  public func transactBlocking<Value: Sendable, Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @Sendable (borrowing App.State, Moment) throws(Refusal) -> (
        actions: [App.SceneAction], value: Value
      )
  ) throws(TransactionError<Refusal>) -> (receipt: Receipt<App>, value: Value?) {
    do throws(StoreError) {
      try writer.refuseReentrancy("transactBlocking")
    } catch {
      throw .store(error)
    }
    let moment = try beginTransaction(key: key, Refusal.self)
    let transacted = try storage.performWriting {
      (access) throws(TransactionError<Refusal>) -> Transacted<App, Value> in
      let (receipt, value) = try self.writer.transact(
        closing: closing, key: key, at: moment, access, body)
      return Transacted(receipt: receipt, value: value)
    }
    return (transacted.receipt, transacted.value)
  }

  /// Appends the actions that `body` decides on the latest state, and blocks until they are
  /// durable; see `transact`.
  @discardableResult
  public func transactBlocking<Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body: @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.SceneAction]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    try transactBlocking(closing: closing, key: key) { (state, moment) throws(Refusal) in
      (actions: try body(state, moment), value: ())
    }.receipt
  }

  /// Checks the key of a transaction and samples its moment.
  private func beginTransaction<Refusal: Error>(
    key: String?, _ refusal: Refusal.Type
  ) throws(TransactionError<Refusal>) -> Moment {
    do throws(StoreError) {
      if let key { try BatchKey.check(key) }
    } catch {
      throw .store(error)
    }
    return writer.configuration.clock()
  }
}

private struct Transacted<App: ReplayableApp, Value: Sendable>: Sendable {
  var receipt: Receipt<App>
  var value: Value?
}
