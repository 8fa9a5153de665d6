public import Observation
import RetraceStorage
import RetraceSystem

/// The state of a store or a view on the main actor, for apps with a run loop.
///
/// It mirrors the latest state, and can be observed with Swift's Observation. While the main actor
/// is busy, commits are skipped: it gets the newest state only.
///
/// ```swift
/// import Observation
///
/// @MainActor func showTotal(of store: Store<CounterApp>) {
///   let counters = MainActorStore(store.view({ $0.counters.count }) { $0 })
///   withObservationTracking {
///     print(counters.state)
///   } onChange: {
///     print("The count changed.")
///   }
///   counters.send(.added(name: "tea"))
/// }
/// ```
@MainActor
public final class MainActorStore<State: Sendable, Action: Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private let view: StoreView<State, Action>
  private var latest: State
  private var observation: Observation?

  /// Mirrors a store or a view, which stays open as long as this object lives.
  public init(_ source: some StateSource<State, Action>) {
    let view = source.view
    self.view = view
    latest = view.state
    let inbox = Inbox<State>()
    observation = view.observe { [weak self] state in
      guard inbox.put(state) else { return }
      Task { @MainActor [weak self] in
        if let state = inbox.take() { self?.set(state) }
      }
    }
    // The first state has arrived already.
    if let state = inbox.take() { latest = state }
  }

  /// The state.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return latest
  }

  /// Sends actions as one batch.
  ///
  /// The position of the batch among all batches is fixed when the call returns.
  ///
  /// - Returns: The task that waits until the batch is durable; its value is the refusal of a
  ///   command, if there is one. Cancelling it before the commit begins removes the batch.
  @discardableResult
  public func send(_ actions: Action...) -> Task<(any Error)?, any Error> {
    // Queued here, not in the task, because tasks of the main actor may run out of order.
    let outcome = Result { () throws(StoreError) in try view.queued(actions) }
    return Task { try await outcome.get()() }
  }

  private func set(_ state: State) {
    registrar.withMutation(of: self, keyPath: \.state) { latest = state }
  }
}

/// The newest state on its way to the main actor.
private final class Inbox<State: Sendable>: Sendable {
  private let newest = Lock<State?>(nil)

  /// Replaces the state, and returns whether there was none.
  func put(_ state: State) -> Bool {
    newest.withLock { newest in
      defer { newest = state }
      if case nil = newest { return true }
      return false
    }
  }

  func take() -> State? { newest.withLock { $0.take() } }
}
