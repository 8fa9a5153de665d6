public import RetraceArchitecture
import Synchronization

extension Store {
  /// Calls the body with the latest state at once, and again after each batch that changed it.
  ///
  /// What other processes commit comes too, within milliseconds; see ``follow()``.
  ///
  /// The later calls come from the writer, after the commit: from its thread, or from one that
  /// sends and blocks, such as by ``sendBlocking(_:key:)``. From there only
  /// ``enqueue(_:key:)`` is allowed. Cancel by dropping the observation.
  public func observe(_ body: @escaping @Sendable (App.State) -> Void) -> Observation {
    // Before the state is read: what is published then is read, or told.
    wasObserved.store(true, ordering: .sequentiallyConsistent)
    let observation = observers.withLock { $0.add(body) }
    let latest = latest
    body(latest.state)
    follow()
    // What the body saw of damaged pages was not there.
    if !latest.isSound, (try? refold()) != nil { body(state) }
    return observation
  }

  /// Calls the body with what a selection of the state maps to, at once and after each change of
  /// the selected input; the mapping runs only when the input differs.
  public func select<Input: Equatable & Sendable, Output>(
    _ input: @escaping @Sendable (App.State) -> Input,
    map: @escaping @Sendable (Input) -> Output,
    _ body: @escaping @Sendable (Output) -> Void
  ) -> Observation {
    let last = Mutex<Input?>(nil)
    return observe { state in
      let next = input(state)
      let isNew = last.withLock { last in
        defer { last = next }
        return last != next
      }
      guard isNew else { return }
      let output = map(next)
      // The observer is called again with a state that is sound.
      if self.isSound { body(output) } else { last.withLock { $0 = nil } }
    }
  }
}
