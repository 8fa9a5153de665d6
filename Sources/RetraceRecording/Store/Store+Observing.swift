public import RetraceArchitecture
import RetraceStorage
import Synchronization

extension Store {
  /// Calls the body with the latest state at once, and again after each batch that changed it.
  ///
  /// What other processes commit comes too, within milliseconds; see ``follow()``.
  ///
  /// Calls come one at a time and in order, each after the commit, and the last one has the latest
  /// state. They come from the writer: from its thread, or from one that sends and blocks, such as
  /// by ``sendBlocking(_:key:)``; what is committed during the first call comes from the thread
  /// that observes. From within a call only ``enqueue(_:key:)`` is allowed. Cancel by
  /// ``Observation/cancel()`` or by dropping the observation, which does not keep the store open.
  public func observe(_ body: @escaping @Sendable (App.State) -> Void) -> Observation {
    observe { shown in body(shown.state) }
  }

  /// Calls the body with what a selection of the state maps to, at once and after each change of
  /// the selected input; the mapping runs only when the input differs.
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
      // The observer is called again with a state that is sound.
      if shown.isSound { body(output) } else { last.withLock { $0 = nil } }
    }
  }

  /// The states of the store, from the latest one on.
  ///
  /// A consumer that is slower than the commits skips states: the newest one waits for it, and no
  /// other. The sequence ends when the store is closed or dropped, after the last state; it does
  /// not keep the store open. Each call makes a sequence of its own, for one consumer.
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
    // What the body saw of damaged pages was not there; it is called again.
    if !writer.publisher.latest.isSound { try? writer.refoldSoon() }
    return observation
  }

  /// Folds what other processes commit as it comes, and tells the observers, until the store is
  /// closed.
  ///
  /// Observing starts this. While no process commits, nothing is done; where the system gives no
  /// reports of writes, the end of the log is looked at twenty times a second.
  ///
  /// - Complexity: O(1), and a thread; calls after the first do nothing.
  public func follow() { writer.follow() }
}
