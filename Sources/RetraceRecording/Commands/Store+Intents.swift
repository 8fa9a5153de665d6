public import Retrace
public import RetraceStorage

extension Store {
  /// Carries out what an input of the user means, all of it in one commit.
  ///
  /// Neighbouring actions of the scene are one batch; each command is decided on the state that the
  /// intents before it left, and recorded as coming from a scene. After a refused command the
  /// intents that follow are dropped, because they were meant for the state after the command, such
  /// as the end of a form. The log has the refusal, but a screen is made of the state, so what the
  /// user is told is an action of the scene, which `answer` returns.
  ///
  /// When the call returns, the log has the intents up to a refused command, the refusal and the
  /// answer; all of them are durable or, with relaxed durability, acknowledged. If the call throws
  /// or the program ends before it returns, the log has all of that or nothing. All records have
  /// one moment, sampled in the write transaction.
  ///
  /// If the task is cancelled before the write transaction begins, nothing is recorded. After that,
  /// a cancellation has no effect.
  ///
  /// ```swift
  /// let intents: [HeaterApp.Intent] = [.scene(.roomsChanged(["bath"])), .command(.warm(to: 21))]
  /// if let refusal = try await heater.carryOut(intents) { print("refused: \(refusal)") }
  /// ```
  ///
  /// - Parameters:
  ///   - intents: The intents of one input.
  ///   - answer: Returns the actions that tell the user about a refusal. It is called in the write
  ///     transaction, and a second time only if a stored page is damaged.
  /// - Complexity: As `send` or `perform` for each intent, but one commit.
  /// - Throws: As `send` and `perform`, but never `overloaded`.
  /// - Returns: The refusal, which the log has too; `nil` if all intents are carried out.
  public func carryOut(
    _ intents: [App.Intent],
    answering answer: @escaping @Sendable (App.Refusal) -> [App.SceneAction] = { _ in [] }
  ) async throws(StoreError) -> App.Refusal? {
    if intents.isEmpty { return nil }
    return try await Self.refusal(of: submit(intents, answering: answer))
  }

  /// Submits what an input means, for a caller that waits for the outcome.
  func submit(
    _ intents: [App.Intent],
    answering answer: @escaping @Sendable (App.Refusal) -> [App.SceneAction] = { _ in [] }
  ) -> PendingJob<Result<CarriedOut<App>, StoreError>> {
    let (job, writer) = (PendingJob<Result<CarriedOut<App>, StoreError>>(), writer)
    storage.submitWriting { access in
      guard job.begin() else { return }
      do throws(StoreError) {
        job.end(.success(try writer.carryOut(intents, answering: answer, access)))
      } catch {
        job.end(.failure(error))
      }
    }
    return job
  }

  /// Waits for the outcome of an input, and returns the refusal of its command.
  static func refusal(
    of job: PendingJob<Result<CarriedOut<App>, StoreError>>
  ) async throws(StoreError) -> App.Refusal? {
    guard let outcome = await job.outcome() else { throw StoreError.cancelled }
    return try outcome.get().refusal
  }

  /// Carries out what an input of the user means, and blocks until all of it is durable; see
  /// ``carryOut(_:answering:)``.
  ///
  /// - Throws: As `sendBlocking` and `performBlocking`.
  public func carryOutBlocking(
    _ intents: [App.Intent],
    answering answer: @Sendable (App.Refusal) -> [App.SceneAction] = { _ in [] }
  ) throws(StoreError) -> App.Refusal? {
    try performBlocking(intents, answering: answer).refusal
  }

  /// Carries out what an input of the user means, and returns the commands that were accepted, too;
  /// see ``carryOut(_:answering:)``.
  package func performBlocking(
    _ intents: [App.Intent], answering answer: @Sendable (App.Refusal) -> [App.SceneAction]
  ) throws(StoreError) -> CarriedOut<App> {
    if intents.isEmpty { return CarriedOut() }
    try writer.refuseReentrancy("carryOutBlocking")
    let writer = writer
    return try withoutActuallyEscaping(answer) { (answer) throws(StoreError) in
      try storage.performWriting { (access) throws(StoreError) in
        try writer.carryOut(intents, answering: answer, access)
      }
    }
  }
}

/// What became of the intents of an input.
package struct CarriedOut<App: ReplayableApp>: Sendable {
  /// The commands that were accepted, in order.
  package var performed: [Performed<App>] = []
  /// The refusal of the command after them, if one was refused.
  package var refusal: App.Refusal?
}

/// Returns what follows a command of an input in the same commit: actions that tell the user what
/// it led to.
package typealias InputAnswer<App: ReplayableApp> =
  @Sendable (Result<[App.Action], App.Refusal>) -> [App.SceneAction]

extension Writer {
  /// Commits what an input means.
  func carryOut(
    _ intents: [App.Intent],
    answering answer: @escaping @Sendable (App.Refusal) -> [App.SceneAction],
    _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> CarriedOut<App> {
    let result = try commitInput(
      answering: { if case .failure(let refusal) = $0 { answer(refusal) } else { [] } }, access
    ) { () throws(StoreError) in
      try self.batches(of: intents)
    }
    var carriedOut = CarriedOut<App>()
    for batch in result.receipts {
      switch batch.receipt.decision?.outcome {
      case .accepted(let facts, _):
        carriedOut.performed.append(
          Performed(receipt: batch.receipt, facts: facts, wasRepeated: false))
      case .refused(let refusal): carriedOut.refusal = refusal
      case .failed, nil: break
      }
    }
    return carriedOut
  }

  /// Commits the batches of one input, after all that are queued.
  ///
  /// - Parameters:
  ///   - answer: Returns what follows a command.
  ///   - access: The access of the writer's job.
  ///   - encode: Returns the batches, with one moment. It is called in the write transaction.
  func commitInput(
    answering answer: @escaping InputAnswer<App>, _ access: borrowing LogWriter.Access,
    _ encode: () throws(StoreError) -> [PendingBatch<App>]
  ) throws(StoreError) -> CommitResult<App> {
    drain(access)
    if let failure = queue.failure { throw failure }
    let context = GroupWriter<App>.CommitContext(
      isObserved: publisher.isObserved, scene: attachedScene, runsEffects: !effects.isIdle,
      isInput: true)
    return try runEngine(access) { (engine) throws(StoreError) in
      try engine.commit(closing: false, in: context, answering: answer, by: access) {
        _ throws(StoreError) in try encode()
      }
    }
  }

  /// Returns intents as batches of one moment: neighbouring actions of the scene are one batch.
  private func batches(of intents: [App.Intent]) throws(StoreError) -> [PendingBatch<App>] {
    let moment = configuration.clock()
    var batches: [PendingBatch<App>] = []
    var actions: [App.SceneAction] = []
    for intent in intents {
      switch intent {
      case .scene(let action): actions.append(action)
      case .command(let command):
        if actions.count > 0 { batches.append(try encode(sent: actions, at: moment)) }
        actions = []
        batches.append(try encode(command, from: .scene, at: moment))
      }
    }
    if actions.count > 0 { batches.append(try encode(sent: actions, at: moment)) }
    return batches
  }
}
