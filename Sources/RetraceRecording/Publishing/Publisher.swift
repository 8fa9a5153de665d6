import Retrace
import RetraceStorage
import RetraceSystem
import Synchronization

/// The latest state, and the observers that are notified of every new state.
///
/// A new observer gets the state published when it is added and everything published later. Adding
/// and publishing share one lock, so an observer neither misses a state nor ends on an older one.
final class Publisher<App: ReplayableApp>: Sendable {
  private struct State {
    var latest: PublishedState<App>
    var observers: [Observer<App.State>] = []
    var commitObservers: [Observer<Commit<App>>] = []
    var isFinished = false
  }

  private let state: Lock<State>
  /// Whether there are observers; stores of command-line tools mostly have none.
  private let hasObservers = Atomic(false)

  init(_ published: PublishedState<App>) {
    state = Lock(State(latest: published))
  }

  var latest: PublishedState<App> { state.withLock { $0.latest } }

  /// Whether the state after each batch is needed.
  var isObserved: Bool { hasObservers.load(ordering: .sequentiallyConsistent) }

  /// Adds an observer and calls it with the latest state.
  ///
  /// - Parameters:
  ///   - onEnd: Called after the last state, if the store closes first.
  ///   - body: Called with each state, never concurrently.
  func observe(
    onEnd: Observer<App.State>.End? = nil, _ body: @escaping Observer<App.State>.Body
  ) -> Observation {
    add(Observer<App.State>(body, onEnd: onEnd), to: \.observers) {
      [.init(value: $0.state, pages: $0.pages)]
    }
  }

  /// Adds an observer of commits, which is called with each later commit.
  ///
  /// - Parameters:
  ///   - onEnd: Called after the last commit, if the store closes first.
  ///   - body: Called with each commit, never concurrently.
  func observeCommits(
    onEnd: Observer<Commit<App>>.End? = nil, _ body: @escaping @Sendable (Commit<App>) -> Void
  ) -> Observation {
    add(Observer<Commit<App>>({ body($0.value) }, onEnd: onEnd), to: \.commitObservers) { _ in [] }
  }

  private typealias List<Value: Sendable> = any WritableKeyPath<State, [Observer<Value>]> & Sendable

  /// Adds an observer to one of the lists, and calls it with the values that it begins with.
  private func add<Value>(
    _ observer: Observer<Value>, to list: List<Value>,
    beginningWith values: (PublishedState<App>) -> [Observed<Value>]
  ) -> Observation {
    let isFinished = state.withLock { state in
      observer.add(values(state.latest))
      guard !state.isFinished else { return true }
      state[keyPath: list].append(observer)
      noteObservers(of: state)
      return false
    }
    observer.deliver()
    if isFinished { observer.finish() }
    return Observation { [weak self] in
      observer.cancel()
      self?.remove(observer, from: list)
    }
  }

  private func remove<Value>(_ observer: Observer<Value>, from list: List<Value>) {
    let removed = state.withLock { state -> Observer<Value>? in
      guard let index = state[keyPath: list].firstIndex(where: { $0 === observer }) else {
        return nil
      }
      defer { noteObservers(of: state) }
      return state[keyPath: list].remove(at: index)
    }
    withExtendedLifetime(removed) {}
  }

  /// Notes whether there are observers of either kind; called within the lock.
  private func noteObservers(of state: State) {
    let isObserved = state.observers.count + state.commitObservers.count > 0
    hasObservers.store(isObserved, ordering: .sequentiallyConsistent)
  }

  /// Publishes a state without notifying observers.
  ///
  /// - Returns: The state published before.
  @discardableResult
  func replaceLatest(_ latest: PublishedState<App>) -> PublishedState<App> {
    state.withLock { state in
      defer { state.latest = latest }
      return state.latest
    }
  }

  /// Publishes a state, and notifies observers of the states that led to it, without repeating
  /// equal states.
  ///
  /// Observers of commits are notified before observers of states.
  ///
  /// - Parameters:
  ///   - latest: The state.
  ///   - states: Returns the states that led to it, in order; called only if there are observers.
  ///   - commits: Returns the commits after the state before; called only if they are observed.
  ///   - repeating: Whether observers also get a state that equals the one before, because that one
  ///     may have had damaged pages.
  /// - Returns: The state published before, and whether any observer was notified.
  func publish(
    _ latest: PublishedState<App>, through states: () -> [App.State],
    commits: (PublishedState<App>) -> [Commit<App>] = { _ in [] }, repeating: Bool = false
  ) -> (before: PublishedState<App>, isNotified: Bool) {
    var observers: [Observer<App.State>]?
    var commitObservers: [Observer<Commit<App>>]?
    let before = state.withLock { state in
      defer { state.latest = latest }
      if isObserved {
        observers = state.observers
        commitObservers = state.commitObservers.count > 0 ? state.commitObservers : nil
      }
      return state.latest
    }
    // Returns early, because `notify` instantiates generic types at run time.
    guard let observers else { return (before, false) }
    if let commitObservers {
      let made = commits(before).map { Observed(value: $0, pages: latest.pages) }
      for observer in commitObservers { observer.add(made) }
      for observer in commitObservers { observer.deliver() }
    }
    let isNotified = notify(
      observers, of: states(), after: before.state, pages: latest.pages, repeating: repeating)
    return (before, isNotified)
  }

  /// Notifies observers of states; returns whether there was one to notify them of.
  private func notify(
    _ observers: [Observer<App.State>], of states: [App.State], after state: App.State,
    pages: StoredPages?, repeating: Bool
  ) -> Bool {
    var observed: [Observed<App.State>] = []
    var previous = state
    for state in states where repeating || state != previous {
      observed.append(.init(value: state, pages: pages))
      previous = state
    }
    guard !observed.isEmpty else { return false }
    for observer in observers { observer.add(observed) }
    for observer in observers { observer.deliver() }
    return true
  }

  /// Ends all observations after their queued states.
  func finish() {
    let (observers, commitObservers) = takeObservers()
    for observer in commitObservers { observer.finish() }
    for observer in observers { observer.finish() }
  }

  /// Ends all observations at once; a call that has begun may still be running after this.
  func cancelAll() {
    let (observers, commitObservers) = takeObservers()
    for observer in commitObservers { observer.finishNow() }
    for observer in observers { observer.finishNow() }
  }

  /// Removes all observers, because the store ends, and returns them.
  private func takeObservers() -> ([Observer<App.State>], [Observer<Commit<App>>]) {
    state.withLock { state in
      state.isFinished = true
      hasObservers.store(false, ordering: .sequentiallyConsistent)
      defer { (state.observers, state.commitObservers) = ([], []) }
      return (state.observers, state.commitObservers)
    }
  }
}
