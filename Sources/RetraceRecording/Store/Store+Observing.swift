public import Retrace
import RetraceStorage
import RetraceSystem

extension Store {
  /// Calls `body` with the latest state at once, and again after each batch that changed it.
  ///
  /// Commits of other processes are included, within milliseconds; see ``follow()``.
  ///
  /// Calls are serialised and in the order of the log. Each follows its commit, and the last one
  /// has the latest state. Of a group that is being committed when the observer is added, it may
  /// get fewer states, but always the last one. The first call is made on the caller's thread, and
  /// so are the calls for states committed meanwhile. All others are made by the writer: on its own
  /// thread, or on a thread blocked in a call such as ``sendBlocking(_:key:)``. Within a call only
  /// ``enqueue(_:key:)`` is allowed.
  ///
  /// The observation ends with ``Observation/cancel()`` or when it is dropped. It does not keep the
  /// store open.
  public func observe(_ body: @escaping @Sendable (App.State) -> Void) -> Observation {
    observe { observed in body(observed.value) }
  }

  /// The states of the store, from the latest one on.
  ///
  /// A consumer that is slower than the commits skips states: only the newest one is buffered. The
  /// sequence ends after the last state when the store is closed or dropped; it does not keep the
  /// store open. Each access returns a new sequence, for one consumer.
  ///
  /// ```swift
  /// for await state in store.states { print(state.counters.count) }
  /// ```
  public var states: AsyncStream<App.State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observe(onEnd: { continuation.finish() }) { observed in
        continuation.yield(observed.value)
      }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  private func observe(
    onEnd: Observer<App.State>.End? = nil, _ body: @escaping Observer<App.State>.Body
  ) -> Observation {
    let observation = writer.publisher.observe(onEnd: onEnd, body)
    follow()
    writer.refoldIfDamaged()
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
