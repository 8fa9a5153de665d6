public import RetraceArchitecture
public import RetraceState
import RetraceStorage

extension Store {
  /// Decides on the latest state what to append, inside the write transaction.
  ///
  /// No other process can append between the body's look at the state and the commit: all others
  /// wait, so the body should not. The body is a pure function of the state: it is called once,
  /// and a second time only if a stored page that the state reads turned out to be damaged; of the
  /// first call nothing then counts, neither its actions nor its value nor what it threw. A call
  /// of the store within the body is refused as `reentrant`, except `enqueue`.
  ///
  /// If the task is cancelled before the body is called, nothing is done. Once the body has been
  /// called, the cancellation comes too late, and the result is returned.
  ///
  /// ```swift
  /// let (receipt, id) = try await store.transact { state, _ in
  ///   (actions: [.added(name: name)], value: state.counters.nextID)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - closing: Whether the session is closed in the same commit, as a one-shot command does.
  ///   - key: What the request is known by, 1 to 64 bytes of UTF-8. If the log has a batch of this
  ///     key, the body is not called, nothing is appended, and the receipt has that batch's
  ///     sequences and the latest state: what was carried out might be refused now.
  ///   - body: Returns the actions of the batch and a value for the caller; what it throws appends
  ///     nothing.
  /// - Returns: The receipt, and the value; `nil` for a key that the log has.
  /// - Throws: ``TransactionError``; its store error is `cancelled` if nothing was done.
  @discardableResult
  public func transact<Value: Sendable, Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @escaping @Sendable (borrowing App.State, Moment) throws(Refusal) -> (
        actions: [App.Action], value: Value
      )
  ) async throws(TransactionError<Refusal>) -> (receipt: Receipt<App>, value: Value?) {
    let moment = try beginTransaction(key: key, Refusal.self)
    typealias Outcome = Result<Transacted<App, Value>, TransactionError<Refusal>>
    let (job, writer) = (PendingJob<Outcome>(), writer)
    let outcome = await job.wait {
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
    }
    guard let outcome else { throw .store(.cancelled) }
    let transacted = try outcome.get()
    return (transacted.receipt, transacted.value)
  }

  /// Decides on the latest state what to append; see the form with a value.
  @discardableResult
  public func transact<Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @escaping @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) async throws(TransactionError<Refusal>) -> Receipt<App> {
    try await transact(closing: closing, key: key) { (state, moment) throws(Refusal) in
      (actions: try body(state, moment), value: ())
    }.receipt
  }

  /// Decides on the latest state what to append, and blocks until that is durable; see
  /// `transact`.
  ///
  /// - Throws: As `transact`; `reentrant` from an observer.
  @discardableResult
  public func transactBlocking<Value: Sendable, Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body:
      @Sendable (borrowing App.State, Moment) throws(Refusal) -> (
        actions: [App.Action], value: Value
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

  /// Decides on the latest state what to append, and blocks until that is durable; see
  /// `transact`.
  @discardableResult
  public func transactBlocking<Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body: @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    try transactBlocking(closing: closing, key: key) { (state, moment) throws(Refusal) in
      (actions: try body(state, moment), value: ())
    }.receipt
  }

  /// Checks the key of a transaction, and samples its moment.
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

/// What a transaction came to.
private struct Transacted<App: ReplayableApp, Value: Sendable>: Sendable {
  var receipt: Receipt<App>
  var value: Value?
}
