import RetraceArchitecture
import RetraceLog
import RetraceState

/// One execution of the effect of a record: its merged parts run concurrently, its concatenated
/// parts one after the other.
struct EffectRun<App: ReplayableApp>: Sendable {
  /// The way to recover a leaf of a session that has ended.
  enum RecoveryStep: Sendable {
    /// The leaf runs again.
    case runAgain
    /// The action that the leaf declared for this case is sent.
    case send(App.Action)
  }

  let caused: CausedEffect<App>
  /// The leaves in flight when the effect was started; all others have ended.
  let inFlight: EffectsInFlight
  let onEnd: EffectRunner<App>.EndHandler
  /// The moment of the cause, from which delays count; only for an effect of a session that has
  /// ended.
  var causeMoment: Moment?
  /// The recovery steps of leaves by ordinal; only for an effect of a session that has ended.
  var recoverySteps: [UInt32: RecoveryStep] = [:]

  init(
    _ caused: CausedEffect<App>, inFlight: EffectsInFlight,
    onEnd: @escaping EffectRunner<App>.EndHandler
  ) {
    self.caused = caused
    self.inFlight = inFlight
    self.onEnd = onEnd
  }

  /// Returns the leaves in flight that can run here.
  ///
  /// A leaf that follows one that cannot run, in a concatenation, is not included.
  func reachable(in runner: EffectRunner<App>) -> [EffectLeafID] {
    var ids: [EffectLeafID] = []
    var ordinal: UInt32 = 0
    _ = reach(caused.effect, isReached: true, in: runner, &ordinal, &ids)
    return ids
  }

  /// Appends those leaves of a part that can run here.
  ///
  /// - Returns: Whether each leaf of the part has ended or can run here.
  private func reach(
    _ effect: Effect<App.Action, App.Environment>, isReached: Bool, in runner: EffectRunner<App>,
    _ ordinal: inout UInt32, _ ids: inout [EffectLeafID]
  ) -> Bool {
    switch effect.content {
    case nil, .cancel: return true
    case .leaf(let leaf):
      defer { ordinal += 1 }
      let id = EffectLeafID(cause: caused.cause, ordinal: ordinal)
      guard inFlight.contains(id) else { return true }
      guard isReached, canRun(leaf, ordinal, in: runner) else { return false }
      ids.append(id)
      return true
    case .cancellable(_, _, let inner), .delay(_, let inner):
      return reach(inner, isReached: isReached, in: runner, &ordinal, &ids)
    case .merge(let parts):
      return parts.reduce(true) { ended, part in
        reach(part, isReached: isReached, in: runner, &ordinal, &ids) && ended
      }
    case .concatenate(let parts):
      return parts.reduce(true) { ended, part in
        reach(part, isReached: isReached && ended, in: runner, &ordinal, &ids) && ended
      }
    }
  }

  /// Returns whether a leaf can run here; most leaves need an environment.
  private func canRun(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32,
    in runner: EffectRunner<App>
  ) -> Bool {
    if case .send = recoverySteps[ordinal] { return true }
    return runner.environment != nil || leaf.immediateActions != nil
  }

  /// Runs the whole effect, and returns whether all its leaves have ended.
  func run(in runner: EffectRunner<App>) async -> Bool {
    await run(caused.effect, from: 0, after: .zero, in: runner)
  }

  /// Runs a part.
  ///
  /// - Parameters:
  ///   - effect: The part.
  ///   - first: The ordinal of its first leaf.
  ///   - delay: The sum of the delays around it.
  /// - Returns: Whether all its leaves have ended; `false` if one of them cannot run here.
  private func run(
    _ effect: Effect<App.Action, App.Environment>, from first: UInt32, after delay: ElapsedTime,
    in runner: EffectRunner<App>
  ) async -> Bool {
    switch effect.content {
    case nil, .cancel:
      return true
    case .leaf(let leaf):
      return await run(leaf, first, in: runner)
    case .cancellable(_, _, let inner):
      return await run(inner, from: first, after: delay, in: runner)
    case .delay(let time, let inner):
      let whole = delay.adding(time)
      let rest = causeMoment.map { $0.adding(whole).elapsed(since: runner.now()) } ?? time
      if rest > .zero {
        try? await runner.clock.sleep(for: .microseconds(rest.microseconds))
        guard !Task.isCancelled else { return false }
      }
      return await run(inner, from: first, after: whole, in: runner)
    case .merge(let parts):
      return await withTaskGroup(of: Bool.self) { group in
        var next = first
        for part in parts {
          let start = next
          group.addTask { await run(part, from: start, after: delay, in: runner) }
          next += UInt32(part.leafCount)
        }
        return await group.reduce(true) { $0 && $1 }
      }
    case .concatenate(let parts):
      var next = first
      for part in parts {
        guard await run(part, from: next, after: delay, in: runner) else { return false }
        next += UInt32(part.leafCount)
      }
      return true
    }
  }

  private func run(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32,
    in runner: EffectRunner<App>
  ) async -> Bool {
    let id = EffectLeafID(cause: caused.cause, ordinal: ordinal)
    // The leaf ended before the effect was started, so the leaves after it may run.
    guard inFlight.contains(id) else { return true }
    guard canRun(leaf, ordinal, in: runner) else { return false }
    await runner.perform(id) { settlement in
      var end = LeafEnd(id: id, outcome: .finished, settlement: settlement)
      var actions: [App.Action] = []
      do {
        (actions, end.outcome) = try await answer(of: leaf, ordinal, in: runner)
      } catch is CancellationError {
        end.outcome = .cancelled
      } catch {
        end.outcome = .failed
        end.error = "\(error)"
      }
      onEnd(end, actions)
    }
    return true
  }

  private func answer(
    of leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32,
    in runner: EffectRunner<App>
  ) async throws -> ([App.Action], EffectFinished.Outcome) {
    if case .send(let action) = recoverySteps[ordinal] { return ([action], .replaced) }
    if let answer = leaf.immediateActions { return (answer, .finished) }
    guard let environment = runner.environment else { return ([], .finished) }
    return (try await leaf.run(in: environment), .finished)
  }
}
