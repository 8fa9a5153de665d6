import Synchronization

/// An observer's hold on a store: dropping it ends the observation.
public final class Observation: Sendable {
  private let isActive = Mutex(true)

  init() {}

  /// Ends the observation; the body is not called again once this has returned, except for a call
  /// that is under way.
  public func cancel() { isActive.withLock { $0 = false } }

  var isCancelled: Bool { isActive.withLock { !$0 } }
}

/// The observers of a store, in the order in which they came.
struct ObserverList<State: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let observation: Observation?
    let body: @Sendable (State) -> Void
  }

  private var entries: [Entry] = []

  mutating func add(_ body: @escaping @Sendable (State) -> Void) -> Observation {
    let observation = Observation()
    entries.append(Entry(observation: observation, body: body))
    return observation
  }

  /// The bodies of the observers that are still there.
  var bodies: [@Sendable (State) -> Void] {
    mutating get {
      guard entries.count > 0 else { return [] }
      entries.removeAll { $0.observation?.isCancelled ?? true }
      return entries.map(\.body)
    }
  }
}
