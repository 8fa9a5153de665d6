import RetraceArchitecture
import RetraceSystem

/// The leaf that a task runs, for the clock on which it sleeps.
enum CurrentLeaf {
  @TaskLocal static var id: EffectLeafID?
}

/// What a running leaf sent, or how it ended.
enum LeafEvent<Action: Sendable>: Sendable {
  case batch(EffectLeafID, [Action], CheckedContinuation<Void, any Error>)
  case ended(EffectLeafID, Result<[Action], any Error>)

  var id: EffectLeafID {
    switch self {
    case .batch(let id, _, _), .ended(let id, _): id
    }
  }
}

/// The leaves of a test store that run, and what they sent.
///
/// Leaves are started one after the other. A leaf is busy until it sends something or turns out to
/// wait, and the next one is started only when none is busy, so answers come in the order of the
/// effect.
final class LeafRuns<App: ReplayableApp>: Sendable {
  private struct State {
    var tasks: [EffectLeafID: Task<Void, Never>] = [:]
    var busy: EffectLeafID?
  }

  private let state = Lock(State())
  private let inbox = LeafInbox<App.Action>()

  deinit {
    cancelAll()
    inbox.close()
  }

  /// The ids of the leaves that run.
  var running: Set<EffectLeafID> { state.withLock { Set($0.tasks.keys) } }

  /// The leaf that may send something before the next one is started.
  var busy: EffectLeafID? { state.withLock { $0.busy } }

  /// Lets the next leaf be started, although the busy one has not ended.
  func setIdle() { state.withLock { $0.busy = nil } }

  /// Starts a leaf.
  func start(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, _ id: EffectLeafID,
    in environment: App.Environment
  ) {
    let inbox = inbox
    let task = Task {
      await CurrentLeaf.$id.withValue(id) {
        let sender = EffectSender<App.Action> { try await inbox.send($0, from: id) }
        do {
          inbox.add(.ended(id, .success(try await leaf.run(in: environment, send: sender))))
        } catch {
          inbox.add(.ended(id, .failure(error)))
        }
      }
    }
    state.withLock { state in
      state.tasks[id] = task
      state.busy = id
    }
  }

  /// Returns the oldest event; the leaf that sent it is busy again unless it has ended.
  func next() -> LeafEvent<App.Action>? {
    guard let event = inbox.next() else { return nil }
    state.withLock { state in
      if case .ended(let id, _) = event {
        state.tasks[id] = nil
        if state.busy == id { state.busy = nil }
      } else {
        state.busy = event.id
      }
    }
    return event
  }

  /// Waits until there is an event.
  ///
  /// - Parameters:
  ///   - time: The longest time to wait.
  ///   - isIdle: Whether no event can come, because the leaves sleep.
  /// - Returns: Whether there is one.
  func waitForEvent(within time: Duration, unless isIdle: () -> Bool) async -> Bool {
    let start = ContinuousClock.now
    while inbox.isEmpty {
      if isIdle() { return !inbox.isEmpty }
      if Task.isCancelled || ContinuousClock.now - start >= time { return false }
      if ContinuousClock.now - start < .milliseconds(1) {
        await Task.yield()
      } else {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    return true
  }

  /// Cancels leaves.
  func cancel(where isCancelled: (EffectLeafID) -> Bool) {
    let cancelled = state.withLock { state in
      let ids = state.tasks.keys.filter(isCancelled)
      if let busy = state.busy, ids.contains(busy) { state.busy = nil }
      return ids.compactMap { state.tasks.removeValue(forKey: $0) }
    }
    for task in cancelled { task.cancel() }
  }

  /// Cancels all leaves.
  func cancelAll() { cancel { _ in true } }
}

/// The events of running leaves, oldest first.
private final class LeafInbox<Action: Sendable>: Sendable {
  private struct State {
    var events: [LeafEvent<Action>] = []
    var isClosed = false
  }

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

  func next() -> LeafEvent<Action>? {
    state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }

  func add(_ event: LeafEvent<Action>) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.events.append(event) }
      return state.isClosed
    }
    if isClosed { Self.refuse(event) }
  }

  /// Adds a batch, and returns once the store has folded it.
  ///
  /// - Throws: `CancellationError` once the leaf is no longer in flight.
  func send(_ actions: [Action], from id: EffectLeafID) async throws {
    try await withCheckedThrowingContinuation { add(.batch(id, actions, $0)) }
  }

  /// Refuses what was not read, and all that comes later.
  func close() {
    let events = state.withLock { state in
      state.isClosed = true
      defer { state.events = [] }
      return state.events
    }
    for event in events { Self.refuse(event) }
  }

  private static func refuse(_ event: LeafEvent<Action>) {
    if case .batch(_, _, let reply) = event { reply.resume(throwing: CancellationError()) }
  }
}
