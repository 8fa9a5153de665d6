/// A store, or a view of one: what features select from, observe and send to.
///
/// ```swift
/// func showCount(of source: some StateSource<CounterState, CounterAction>) -> Observation {
///   source.select({ $0.counters.count }) { count in print("\(count) counters") }
/// }
/// ```
public protocol StateSource<State, Action>: Sendable {
  /// The state.
  associatedtype State: Sendable
  /// The actions that can be sent.
  associatedtype Action: Sendable

  /// The source as a view.
  var view: StoreView<State, Action> { get }
}

// MARK: Observing

extension StateSource {
  /// Calls `body` with the value of a selector at once, and after each change of its input.
  ///
  /// The body is called as ``StoreView/observe(_:)`` calls its body.
  @inlinable
  public func select<Value>(
    _ selector: Selector<State, Value>, _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation { view.observe(selector, body) }

  /// Selects an input from each state, and calls `body` with the mapped input at once and after
  /// each change of the input.
  ///
  /// `map` is called only if the input differs from the one before.
  @inlinable
  public func select<Input: Equatable & Sendable, Value: Sendable>(
    _ input: @escaping @Sendable (State) -> Input, map: @escaping @Sendable (Input) -> Value,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation { select(Selector(input, map: map), body) }

  /// Calls `body` with a value of the state at once, and after each change of the value.
  @inlinable
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation { select(Selector(value, map: { $0 }), body) }

  /// Calls `body` with a value of the state at once, and after each change that counts.
  ///
  /// - Parameters:
  ///   - value: Selects the value.
  ///   - areEqual: Returns whether a new value, the second one, counts as unchanged.
  ///   - body: Called with the value.
  @inlinable
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value,
    by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation { select(Selector(value, by: areEqual, map: { $0 }), body) }

  /// Calls `body` with a value of the state at once, and after each change, but never with `nil`.
  ///
  /// While there is no value, the last one counts as unchanged.
  @inlinable
  public func compactSelect<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value?, _ body: @escaping @Sendable (Value) -> Void
  ) -> Observation {
    select(value, by: { $1 == nil || $0 == $1 }) { if let value = $0 { body(value) } }
  }
}

// MARK: Views

extension StateSource {
  /// Returns a view of the value of a selector.
  ///
  /// - Parameters:
  ///   - selector: Makes the state of the view.
  ///   - action: Returns the action for one of the view; `nil` drops it.
  @inlinable
  public func view<ViewState, ViewAction: Sendable>(
    _ selector: Selector<State, ViewState>,
    action: @escaping @Sendable (ViewAction) -> Action?
  ) -> StoreView<ViewState, ViewAction> { view.derived(selector, action: action) }

  /// Returns a view of a part of the state.
  ///
  /// ```swift
  /// let settings = notes.view({ $0.settings }, action: NotesAction.settings)
  /// try await settings.send(.archiveShown(true))
  /// print(settings.state.showsArchive)
  /// ```
  ///
  /// - Parameters:
  ///   - state: Selects the part, which is the state of the view.
  ///   - action: Returns the action for one of the view; `nil` drops it.
  @inlinable
  public func view<ViewState: Equatable & Sendable, ViewAction: Sendable>(
    _ state: @escaping @Sendable (State) -> ViewState,
    action: @escaping @Sendable (ViewAction) -> Action?
  ) -> StoreView<ViewState, ViewAction> {
    view(Selector(state, map: { $0 }), action: action)
  }

  /// Returns a view of an input that is selected from the state and mapped.
  ///
  /// - Parameters:
  ///   - input: Selects the input, cheaply, such as one table of the state.
  ///   - map: Makes the state of the view, such as formatted texts; only if the input changed.
  ///   - action: Returns the action for one of the view; `nil` drops it.
  @inlinable
  public func view<Input: Equatable & Sendable, ViewState: Sendable, ViewAction: Sendable>(
    _ input: @escaping @Sendable (State) -> Input, map: @escaping @Sendable (Input) -> ViewState,
    action: @escaping @Sendable (ViewAction) -> Action?
  ) -> StoreView<ViewState, ViewAction> {
    view(Selector(input, map: map), action: action)
  }

  /// Returns a view of a part that the state may lack; `nil` if it lacks it now.
  ///
  /// While the part is missing, the view keeps its last state and emits nothing. What is sent
  /// meanwhile goes to the reducer, which records that the target was missing, as it does for late
  /// answers of effects.
  ///
  /// - Parameters:
  ///   - state: Selects the part.
  ///   - action: Returns the action for one of the view; `nil` drops it.
  @inlinable
  public func optionalView<ViewState: Equatable & Sendable, ViewAction: Sendable>(
    _ state: @escaping @Sendable (State) -> ViewState?,
    action: @escaping @Sendable (ViewAction) -> Action?
  ) -> StoreView<ViewState, ViewAction>? {
    let view = view
    guard let first = state(view.state) else { return nil }
    let selector = Selector(state, by: { $1 == nil || $0 == $1 }) { $0 ?? first }
    // From here on, the selector has a value to keep.
    _ = selector(view.state)
    return self.view(selector, action: action)
  }

  /// A view that only sends: its state never changes.
  public var stateless: StoreView<Void, Action> {
    view(Selector({ _ in false }, map: { _ in }), action: { $0 })
  }

  /// A view that only observes: it has no actions.
  public var actionless: StoreView<State, Never> { view.withoutActions }
}
