import Retrace

/// One execution of the effect of a record: its merged parts run concurrently, its concatenated
/// parts one after the other.
struct EffectRun<App: ReplayableApp>: Sendable {
  /// The way to recover a leaf of a session that has ended.
  enum RecoveryStep: Sendable {
    case runAgain
    /// The action that the leaf declared for this case is sent.
    case send(App.Action)
  }

  let caused: CausedEffect<App>
  /// The leaves in flight when the effect was started; all others have ended.
  let inFlight: EffectsInFlight
  let handlers: EffectRunner<App>.Handlers
  /// Whether the session of the effect has ended, so that delays count from the moment of the
  /// cause.
  var isRecovery = false
  /// The recovery steps of leaves by ordinal; only for an effect of a session that has ended.
  var recoverySteps: [UInt32: RecoveryStep] = [:]

  /// The work of the effect, with the ordinals of its first leaves; throttled work is delayed to
  /// the start that the fold computed.
  private let works: [(work: EffectWork<App.Action, App.Environment>, first: UInt32)]

  init(
    _ caused: CausedEffect<App>, inFlight: EffectsInFlight,
    handlers: EffectRunner<App>.Handlers
  ) {
    self.caused = caused
    self.inFlight = inFlight
    self.handlers = handlers
    var works: [(work: EffectWork<App.Action, App.Environment>, first: UInt32)] = []
    var next: UInt32 = 0
    for step in caused.effect.steps {
      guard let work = step.work else { continue }
      let first = next
      next += UInt32(work.leafCount)
      guard case .throttle = step.content else {
        works.append((work, first))
        continue
      }
      let wait = Self.wait(of: caused, first..<next, inFlight)
      works.append((wait > .zero ? work.delayed(by: wait) : work, first))
    }
    self.works = works
  }

  /// Returns the time from the cause to the start of throttled work with given leaves.
  private static func wait(
    of caused: CausedEffect<App>, _ ordinals: Range<UInt32>, _ inFlight: EffectsInFlight
  ) -> ElapsedTime {
    for leaf in caused.effect.leaves where ordinals.contains(leaf.ordinal) {
      let id = EffectLeafID(cause: caused.cause, ordinal: leaf.ordinal)
      guard let flying = inFlight.leaf(id) else { continue }
      return flying.due.elapsed(since: caused.moment.adding(leaf.delay))
    }
    return .zero
  }

  /// Returns the leaves in flight that can run here.
  ///
  /// A leaf that follows one that cannot run, in a concatenation, is not included.
  func reachable(in runner: EffectRunner<App>) -> [EffectLeafID] {
    var ids: [EffectLeafID] = []
    for (work, first) in works {
      var ordinal = first
      _ = reach(work, isReached: true, in: runner, &ordinal, &ids)
    }
    return ids
  }

  /// Appends those leaves of a part that can run here.
  ///
  /// - Returns: Whether each leaf of the part has ended or can run here.
  private func reach(
    _ work: EffectWork<App.Action, App.Environment>, isReached: Bool,
    in runner: EffectRunner<App>, _ ordinal: inout UInt32, _ ids: inout [EffectLeafID]
  ) -> Bool {
    switch work.content {
    case .leaf(let leaf):
      defer { ordinal += 1 }
      let id = EffectLeafID(cause: caused.cause, ordinal: ordinal)
      guard inFlight.contains(id) else { return true }
      guard isReached, canRun(leaf, ordinal, in: runner) else { return false }
      ids.append(id)
      return true
    case .cancellable(_, let inner), .delay(_, let inner):
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
    await run(works, after: .zero, in: runner)
  }

  /// Runs parts concurrently, and returns whether all their leaves have ended.
  private func run(
    _ parts: [(work: EffectWork<App.Action, App.Environment>, first: UInt32)],
    after delay: ElapsedTime, in runner: EffectRunner<App>
  ) async -> Bool {
    if parts.count == 1 {
      return await run(parts[0].work, from: parts[0].first, after: delay, in: runner)
    }
    return await withTaskGroup(of: Bool.self) { group in
      for (work, first) in parts {
        group.addTask { await run(work, from: first, after: delay, in: runner) }
      }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  /// Runs a part.
  ///
  /// - Parameters:
  ///   - work: The part.
  ///   - first: The ordinal of its first leaf.
  ///   - delay: The sum of the delays around it.
  /// - Returns: Whether all its leaves have ended; `false` if one of them cannot run here.
  private func run(
    _ work: EffectWork<App.Action, App.Environment>, from first: UInt32,
    after delay: ElapsedTime, in runner: EffectRunner<App>
  ) async -> Bool {
    switch work.content {
    case .leaf(let leaf):
      return await run(leaf, first, in: runner)
    case .cancellable(_, let inner):
      return await run(inner, from: first, after: delay, in: runner)
    case .delay(let time, let inner):
      let whole = delay.adding(time)
      let rest =
        isRecovery
        ? min(whole, caused.moment.adding(whole).elapsed(since: runner.now())) : time
      if rest > .zero {
        try? await runner.clock.sleep(for: .microseconds(rest.microseconds))
        guard !Task.isCancelled else { return false }
      }
      return await run(inner, from: first, after: whole, in: runner)
    case .merge(let parts):
      return await run(numbered(parts, from: first), after: delay, in: runner)
    case .concatenate(let parts):
      for (part, next) in numbered(parts, from: first) {
        guard await run(part, from: next, after: delay, in: runner) else { return false }
      }
      return true
    }
  }

  /// Returns parts with the ordinals of their first leaves.
  private func numbered(
    _ parts: [EffectWork<App.Action, App.Environment>], from first: UInt32
  ) -> [(work: EffectWork<App.Action, App.Environment>, first: UInt32)] {
    var next = first
    return parts.map { part in
      defer { next += UInt32(part.leafCount) }
      return (part, next)
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
      var end = LeafAnswer(id: id, outcome: .finished, settlement: settlement)
      var actions: [App.Action] = []
      do {
        (actions, end.outcome) = try await answer(of: leaf, ordinal, settlement, in: runner)
      } catch is CancellationError {
        end.outcome = .cancelled
      } catch {
        end.outcome = .failed
        end.error = "\(error)"
      }
      handlers.end(end, actions)
    }
    return true
  }

  /// Runs a leaf, and returns its last answer and how it ended.
  private func answer(
    of leaf: AnyEffectLeaf<App.Action, App.Environment>, _ ordinal: UInt32,
    _ settlement: Settlement?, in runner: EffectRunner<App>
  ) async throws -> ([App.Action], EffectFinished.Outcome) {
    if case .send(let action) = recoverySteps[ordinal] { return ([action], .replaced) }
    if let answer = leaf.immediateActions { return (answer, .finished) }
    guard let environment = runner.environment else { return ([], .finished) }
    let earlier = LeafAnswer(
      id: EffectLeafID(cause: caused.cause, ordinal: ordinal), settlement: settlement)
    let sender = EffectSender<App.Action> { try await handlers.answer(earlier, $0) }
    return (try await leaf.run(in: environment, send: sender), .finished)
  }
}
