public import Retrace
public import RetraceStorage
import RetraceSystem

/// A store of a feature, derived from the store of the app: a part of its state and of its actions.
///
/// A view has no state of its own and appends nothing itself: what it sends, the store records. It
/// keeps the store open. It does no work while nothing observes it, and selectors and views below
/// it are not asked while its own input is unchanged.
///
/// A view is also the view model of a screen. Its state is then what the screen shows, formatted,
/// and its actions are the events of the screen. Tests and previews use
/// ``init(_:handling:)``, which needs no store.
///
/// ```swift
/// enum TeaEvent { case addTapped, closeTapped }
///
/// func teaScreen(of store: Store<CounterApp>) -> StoreView<String, TeaEvent> {
///   store.view({ $0.counters.count }, map: { "\($0) teas" }) { event in
///     event == .addTapped ? .added(name: "tea") : nil
///   }
/// }
/// ```
public final class StoreView<State: Sendable, Action: Sendable>: StateSource {
  /// Queues actions, which fixes their position among all batches, and returns what waits for the
  /// outcome.
  typealias Queue = @Sendable ([Action]) throws(StoreError) -> Outcome
  /// Waits until queued actions are durable, and returns the refusal of a command.
  typealias Outcome = @Sendable () async throws(StoreError) -> (any Error)?
  typealias SendBlocking = @Sendable ([Action]) throws(StoreError) -> (any Error)?

  private let node: StateNode<State>
  private let current: @Sendable () -> State
  private let queue: Queue
  private let carryOutBlocking: SendBlocking

  init(
    _ node: StateNode<State>, current: @escaping @Sendable () -> State, queue: @escaping Queue,
    sendBlocking: @escaping SendBlocking
  ) {
    self.node = node
    self.current = current
    self.queue = queue
    carryOutBlocking = sendBlocking
  }

  /// The view itself.
  public var view: StoreView { self }

  /// The latest state.
  ///
  /// - Complexity: As selecting and comparing the inputs of the view and of those above it; the
  ///   mapping, if the input changed and no observer has had it mapped.
  public var state: State { current() }

  // MARK: Sending

  /// Sends actions as one batch, and returns when they are durable.
  ///
  /// Actions that the view drops are left out of the batch. If nothing is left, nothing is
  /// recorded. In a view of ``Store/intents``, actions and commands are carried out in order.
  ///
  /// - Returns: The refusal of a command, after which the rest is dropped; otherwise `nil`.
  /// - Throws: As ``Store/carryOut(_:answering:)``.
  @discardableResult
  public func send(_ actions: [Action]) async throws(StoreError) -> (any Error)? {
    if Task.isCancelled { throw StoreError.cancelled }
    return try await queued(actions)()
  }

  /// Sends one action, and returns when it is durable; see ``send(_:)-([Action])``.
  @discardableResult
  public func send(_ action: Action) async throws(StoreError) -> (any Error)? {
    try await send([action])
  }

  /// Queues actions as one batch; returns what waits for the outcome.
  ///
  /// - Throws: As ``send(_:)-([Action])``, before anything is queued.
  func queued(_ actions: [Action]) throws(StoreError) -> Outcome { try queue(actions) }

  /// Sends actions as one batch, and blocks until they are durable; see ``send(_:)-([Action])``.
  ///
  /// - Throws: As ``Store/carryOutBlocking(_:answering:)``.
  @discardableResult
  public func sendBlocking(_ actions: [Action]) throws(StoreError) -> (any Error)? {
    try carryOutBlocking(actions)
  }

  // MARK: Observing

  /// Calls `body` with the latest state at once, and again after each change.
  ///
  /// Calls are serialised and in the order of the log, as those of ``Store/observe(_:)`` are. The
  /// observation ends with ``Observation/cancel()`` or when it is dropped. It does not keep the
  /// store open.
  public func observe(_ body: @escaping @Sendable (State) -> Void) -> Observation {
    let damage = node.damage
    return node.observe { _ in
      true
    } _: { observed in
      if observed.isSound { body(observed.value) } else { damage.set() }
    }
  }

  /// The states of the view, from the latest one on; see ``Store/states``.
  public var states: AsyncStream<State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = node.observe { _ in
        true
      } onEnd: {
        continuation.finish()
      } _: { observed in
        continuation.yield(observed.value)
      }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  @usableFromInline
  func observe<Value>(
    _ selector: Selector<State, Value>, _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation {
    let damage = node.damage
    return node.observe(selector.changeCheck()) { observed in
      let value = selector(observed.value)
      // If the state is not sound, the observer is called again with one that is.
      guard observed.isSound else {
        selector.forget()
        return damage.set()
      }
      body(value)
    }
  }

  // MARK: Deriving

  @usableFromInline
  func derived<ViewState, ViewAction: Sendable>(
    _ selector: Selector<State, ViewState>,
    action: @escaping @Sendable (ViewAction) -> Action?
  ) -> StoreView<ViewState, ViewAction> {
    let (current, queue, sendBlocking) = (current, queue, carryOutBlocking)
    let isSound = node.isSound
    return StoreView<ViewState, ViewAction>(node.derived(selector)) {
      let value = selector(current())
      if !isSound() { selector.forget() }
      return value
    } queue: { actions throws(StoreError) in
      try queue(actions.compactMap(action))
    } sendBlocking: { actions throws(StoreError) in
      try sendBlocking(actions.compactMap(action))
    }
  }

  var withoutActions: StoreView<State, Never> {
    StoreView<State, Never>(node, current: current) { _ throws(StoreError) in
      { () throws(StoreError) in nil }
    } sendBlocking: { _ throws(StoreError) in
      nil
    }
  }
}

extension Store: StateSource {
  /// The store as a view, which sends scene actions.
  public var view: StoreView<App.State, App.SceneAction> {
    StoreView(root) { [self] in
      state
    } queue: { [self] actions throws(StoreError) in
      let sent = try queue(actions)
      return { () throws(StoreError) in
        _ = try await sent.receipt()
        return nil
      }
    } sendBlocking: { [self] actions throws(StoreError) in
      try sendBlocking(actions)
      return nil
    }
  }

  /// The store as a view that carries out intents: scene actions are sent, commands performed.
  ///
  /// ```swift
  /// let panel = heater.intents.view({ $0.thermostat.degrees }) { (degrees: Int64) in
  ///   .command(.warm(to: degrees))
  /// }
  /// if let refusal = try await panel.send(21) as? HeaterRefusal { print("refused: \(refusal)") }
  /// ```
  public var intents: StoreView<App.State, App.Intent> {
    StoreView(root) { [self] in
      state
    } queue: { [self] intents throws(StoreError) in
      if intents.isEmpty { return { () throws(StoreError) in nil } }
      let job = submit(intents)
      return { () throws(StoreError) in try await Self.refusal(of: job) }
    } sendBlocking: { [self] intents throws(StoreError) in
      try carryOutBlocking(intents)
    }
  }
}

extension StoreView {
  /// Creates a view without a store: for tests of a screen, and previews.
  ///
  /// ```swift
  /// let mock = StoreView<String, Bool>("0 teas") { state, events in
  ///   if events.contains(true) { state = "1 tea" }
  /// }
  /// try mock.sendBlocking([true])
  /// print(mock.state)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The first state.
  ///   - handle: Called with each batch that is sent; changes the state.
  public convenience init(
    _ state: State,
    handling handle: @escaping @Sendable (inout State, [Action]) -> Void = { _, _ in }
  ) {
    let source = MockSource<State>(state)
    let send: SendBlocking = { actions throws(StoreError) in
      if !actions.isEmpty { source.change { handle(&$0, actions) } }
      return nil
    }
    self.init(source.node) {
      source.state
    } queue: { actions throws(StoreError) in
      let refusal = try send(actions)
      return { () throws(StoreError) in refusal }
    } sendBlocking: { actions throws(StoreError) in
      try send(actions)
    }
  }
}

/// The state of a view without a store.
private final class MockSource<State: Sendable>: Sendable {
  private struct Latest {
    var state: State
    /// Passes the states on in order; `nil` while nothing observes the view.
    var queue: Observer<State>?
  }

  private let latest: Lock<Latest>

  init(_ state: State) { latest = Lock(Latest(state: state)) }

  var state: State { latest.withLock { $0.state } }

  /// The node of a view.
  var node: StateNode<State> {
    StateNode(damage: DamageFlag()) { [self] node, attachment in
      let queue = Observer<State>(
        { [weak node] observed in
          node?.publish(observed, of: attachment, isForced: false)
        }, onEnd: nil)
      latest.withLock { latest in
        queue.add([Observed(value: latest.state, pages: nil)])
        latest.queue = queue
      }
      queue.deliver()
      return Observation { [self] in
        queue.cancel()
        latest.withLock { if $0.queue === queue { $0.queue = nil } }
      }
    }
  }

  func change(_ body: (inout State) -> Void) {
    let queue = latest.withLock { latest in
      body(&latest.state)
      latest.queue?.add([Observed(value: latest.state, pages: nil)])
      return latest.queue
    }
    queue?.deliver()
  }
}
