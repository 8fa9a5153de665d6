public import RetraceState

/// A reducer that answers nothing: the identity of combining.
@frozen
public struct EmptyReducer<State, Action: Sendable, Environment: Sendable>: Reducer {
  /// Makes a reducer that answers nothing.
  @inlinable
  public init() {}

  /// Leaves the state as it is.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> { .none }
}

/// Two reducers in order: the second sees the state that the first left; their effects merge.
@frozen
public struct CombinedReducers<First: Reducer, Second: Reducer>: Reducer
where
  First.State == Second.State, First.Action == Second.Action,
  First.Environment == Second.Environment
{
  @usableFromInline let first: First
  @usableFromInline let second: Second

  /// Combines two reducers.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Runs the first, then the second.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout First.State, _ action: First.Action, at moment: Moment
  ) -> Effect<First.Action, First.Environment> {
    let before = first.reduce(&state, action, at: moment)
    return before.merged(with: second.reduce(&state, action, at: moment))
  }
}

extension Reducer {
  /// This reducer and then another one.
  @inlinable
  public func combined<Other: Reducer>(with other: Other) -> CombinedReducers<Self, Other>
  where Other.State == State, Other.Action == Action, Other.Environment == Environment {
    CombinedReducers(self, other)
  }
}

/// Reducers in the order of their listing, known statically.
///
/// ```swift
/// CombineReducers {
///   NavigationReducer()
///   TimerReducer().pulledBack(through: TimerScope.self)
/// }
/// ```
@frozen
public struct CombineReducers<Content: Reducer>: Reducer {
  @usableFromInline let content: Content

  /// Combines what is listed.
  @inlinable
  public init(@ReducerBuilder _ content: () -> Content) {
    self.content = content()
  }

  /// Runs the reducers in order; their effects merge.
  @inlinable
  public func reduce(
    _ state: inout Content.State, _ action: Content.Action, at moment: Moment
  ) -> Effect<Content.Action, Content.Environment> {
    content.reduce(&state, action, at: moment)
  }
}

/// Builds one reducer from a listing of at least one.
@resultBuilder
public enum ReducerBuilder {
  /// The first of a listing.
  @inlinable
  public static func buildPartialBlock<First: Reducer>(first: First) -> First { first }

  /// The next of a listing.
  @inlinable
  public static func buildPartialBlock<Before: Reducer, Next: Reducer>(
    accumulated: Before, next: Next
  ) -> CombinedReducers<Before, Next>
  where
    Before.State == Next.State, Before.Action == Next.Action,
    Before.Environment == Next.Environment
  {
    CombinedReducers(accumulated, next)
  }
}
