public import RetraceArchitecture
import RetraceStorage
import Synchronization

extension Store {
  /// Calls `body` with the latest state at once, and again after each batch that changed it.
  ///
  /// Commits of other processes are included, within milliseconds; see ``follow()``.
  ///
  /// Calls are serialised, in order, each after the commit; the last call has the latest state. The
  /// writer makes them: on its own thread, or on a thread that sends and blocks, such as by
  /// ``sendBlocking(_:key:)``. States committed during the first call are delivered by the
  /// observing thread. Within a call only ``enqueue(_:key:)`` is allowed. Cancel with
  /// ``Observation/cancel()`` or by dropping the observation, which does not keep the store open.
  public func observe(_ body: @escaping @Sendable (App.State) -> Void) -> Observation {
    observe { shown in body(shown.state) }
  }

  /// Calls `body` with a value mapped from an input selected from the state, at once and after each
  /// change of the input.
  ///
  /// The mapping runs only when the input differs from the one before.
  public func select<Input: Equatable & Sendable, Output>(
    _ input: @escaping @Sendable (App.State) -> Input,
    map: @escaping @Sendable (Input) -> Output,
    _ body: @escaping @Sendable (Output) -> Void
  ) -> Observation {
    let last = Mutex<Input?>(nil)
    return observe { shown in
      let next = input(shown.state)
      let isNew = last.withLock { last in
        defer { last = next }
        return last != next
      }
      guard isNew else { return }
      let output = map(next)
      // If the state is not sound, the observer is called again with one that is.
      if shown.isSound { body(output) } else { last.withLock { $0 = nil } }
    }
  }

  /// The states of the store, from the latest one on.
  ///
  /// A consumer that is slower than the commits skips states: only the newest one is buffered. The
  /// sequence ends after the last state when the store is closed or dropped; it does not keep the
  /// store open. Each access returns a new sequence, for one consumer.
  ///
  /// ```swift
  /// for await state in store.states { show(state) }
  /// ```
  public var states: AsyncStream<App.State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observe(end: { continuation.finish() }) { shown in
        continuation.yield(shown.state)
      }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  private func observe(
    end: Observer<App>.End? = nil, _ body: @escaping Observer<App>.Body
  ) -> Observation {
    let observation = writer.publisher.observe(end: end, body)
    follow()
    // What the body read from damaged pages was wrong, so it is called again.
    if !writer.publisher.latest.isSound { try? writer.refoldSoon() }
    return observation
  }

  /// Folds commits of other processes as they arrive, and notifies the observers, until the store
  /// is closed.
  ///
  /// Observing starts this. It does no work while no process commits. Where the system does not
  /// report writes to the file, it polls the end of the log twenty times a second.
  ///
  /// - Complexity: O(1), and one thread; calls after the first do nothing.
  public func follow() { writer.follow() }
}
