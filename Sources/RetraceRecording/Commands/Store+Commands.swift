public import Retrace
import RetraceStorage

extension Store {
  /// Decides a command inside the write transaction, and appends it with its facts as one batch.
  ///
  /// The app's decider gets the state after the last record of the log; no other process can append
  /// between the decision and the commit. The moment of the batch is sampled right before the first
  /// decision of its group. When the call returns, the command and its facts are durable or, with
  /// relaxed durability, acknowledged.
  ///
  /// A refused command appends nothing, unless it comes from a scene: then it is recorded with its
  /// refusal, so that a replay shows what the user was told. If the program crashes while it
  /// decides the command or reduces the facts, the next open of the store records the command in a
  /// `crashed` record.
  ///
  /// A command performed again with the same key is appended once: the second call returns the
  /// facts that the log has, even if the decider would refuse the command now.
  ///
  /// If the task is cancelled while the command waits in the queue, the command is removed and
  /// nothing is recorded. After its commit has begun, a cancellation has no effect.
  ///
  /// ```swift
  /// let warmed = try await heater.perform(.warm(to: 21), from: .commandLine)
  /// print(warmed.facts)
  /// ```
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - origin: Where the command comes from, which is recorded; not `effect`, because a record of
  ///     that origin names the effect as its cause. In an undoable app not `undo`, because
  ///     ``undo()`` and ``redo()`` make the restores.
  ///   - key: The idempotency key of the command, 1 to 64 bytes of UTF-8. A refused command leaves
  ///     it unused.
  /// - Complexity: As the decider, and as `send` for the facts.
  /// - Throws: ``CommandError/refused(_:after:)`` with the decider's refusal;
  ///   ``CommandError/store(_:)`` with `recordTooLarge` for a command or facts above the limits
  ///   of the log, `keyReused` if the key belongs to another batch, `invalidRecord` if no decider
  ///   handles the command, if the origin is not allowed or if the key is not 1 to 64 bytes, or an
  ///   error that `send` throws.
  @discardableResult
  public func perform(
    _ command: App.Command, from origin: RecordedCommand.Origin = .program, key: String? = nil
  ) async throws(CommandError<App>) -> Performed<App> {
    try await perform { writer throws(StoreError) in
      try writer.encode(command, from: origin, key: key)
    }
  }

  /// Performs a command and blocks until it is durable; see ``perform(_:from:key:)``.
  ///
  /// If the writer is idle, the calling thread decides, reduces, commits and notifies the observers
  /// itself, on its own stack.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - origin: Where the command comes from, which is recorded; not `effect`.
  ///   - key: The idempotency key of the command, 1 to 64 bytes of UTF-8.
  ///   - closing: Whether the session is closed in the same commit. Programs that perform one
  ///     command and end pass `true`. A command that is not accepted, or that the log has under its
  ///     key, does not close the session.
  /// - Throws: As ``perform(_:from:key:)``, but never `overloaded` or `cancelled`; the store error
  ///   `reentrant` from an observer or a transaction.
  @discardableResult
  public func performBlocking(
    _ command: App.Command, from origin: RecordedCommand.Origin = .program, key: String? = nil,
    closing: Bool = false
  ) throws(CommandError<App>) -> Performed<App> {
    let receipt: Receipt<App>
    do throws(StoreError) {
      try writer.refuseReentrancy("performBlocking")
      let batch = try writer.encode(command, from: origin, key: key)
      receipt =
        closing ? try writer.commitClosing(batch) : try writer.commitBlocking(batch)
      if receipt.decision == nil { try commitRepeatedBlocking() }
    } catch {
      throw .store(error)
    }
    return try receipt.performed(in: storage)
  }

  /// Performs the command of a batch, which `encode` makes unless the task is cancelled.
  func perform(
    _ encode: (Writer<App>) throws(StoreError) -> PendingBatch<App>
  ) async throws(CommandError<App>) -> Performed<App> {
    let receipt: Receipt<App>
    do throws(StoreError) {
      if Task.isCancelled { throw StoreError.cancelled }
      receipt = try await SentBatch(try encode(writer), to: writer).receipt()
      if receipt.decision == nil { try await commitRepeated() }
    } catch {
      throw .store(error)
    }
    return try receipt.performed(in: storage)
  }

  /// Commits waiting records, because the facts of a repeated command are read from the log.
  ///
  /// Always runs a job: other threads append meanwhile, so only a job knows whether records wait.
  func commitRepeated() async throws(StoreError) {
    guard storage.isDeferring else { return }
    let writer = writer
    try await run { access throws(StoreError) in try writer.commitWaiting(access) }
  }

  /// Commits waiting records, blocking the thread; see ``commitRepeated()``.
  func commitRepeatedBlocking() throws(StoreError) {
    guard storage.isDeferring else { return }
    let writer = writer
    try storage.performWriting { access throws(StoreError) in try writer.commitWaiting(access) }
  }
}

extension Writer {
  /// Encodes a command as a batch, on the sender's thread.
  func encode(
    _ command: App.Command, from origin: RecordedCommand.Origin, key: String? = nil,
    at moment: Moment? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    if origin == .effect { throw StoreError.commandWithoutCause }
    if origin == .undo, App.self is any UndoableApp.Type { throw StoreError.undoneByHand }
    return try encodeChecked(command, from: origin, key: key, at: moment)
  }

  /// Encodes a command of any origin as a batch.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - origin: The origin.
  ///   - key: The caller's idempotency key.
  ///   - target: The sequence of the command that an undo or a redo takes back.
  ///   - moment: The moment of sending; `nil` for the present.
  func encodeChecked(
    _ command: App.Command, from origin: RecordedCommand.Origin, key: String? = nil,
    restoring target: Int64? = nil, at moment: Moment? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    let bytes = command.encoded()
    if let schema = AppSchemas.of(App.self).commands?.command,
      let failure = ActionEncoder<App>.limitFailure(of: bytes, schema, name: "command")
    {
      throw failure
    }
    let payload = EncodedActions([bytes])
    var batchKey = target.map { BatchKey(ofRestore: $0, bytes) }
    if let key { batchKey = try BatchKey(key, ofCommand: bytes) }
    return PendingBatch(
      actions: [], encoded: payload,
      command: PendingCommand(command, encoded: bytes, from: origin), bytes: payload.bytes.count,
      moment: moment ?? configuration.clock(), key: batchKey, isAwaited: true)
  }

  /// Commits a batch after all queued ones, and closes the session in the same commit.
  func commitClosing(_ batch: PendingBatch<App>) throws(StoreError) -> Receipt<App> {
    try log.performWriting { access throws(StoreError) in
      self.drain(access)
      if let failure = self.queue.failure { throw failure }
      return try self.commit([batch], closing: true, access).singleReceipt()
    }
  }
}
