public import RetraceState

/// A reducer that changes nothing and returns no effect: the identity of combination.
@frozen
public struct EmptyReducer<State, Action: Sendable, Environment: Sendable>: Reducer {
  /// Creates an empty reducer.
  @inlinable
  public init() {}

  /// Leaves the state as it is and returns ``Effect/none``.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> { .none }
}

/// Two reducers in order: the second gets the state that the first left, and their effects merge.
@frozen
public struct ReducerPair<First: Reducer, Second: Reducer>: Reducer
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

  /// Returns whether one of the reducers has a child; `nil` if neither knows it.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing First.State
  ) -> Bool? {
    let found = first.hasChild(child, in: state)
    return found == true ? true : second.hasChild(child, in: state) ?? found
  }
}

extension Reducer {
  /// Returns a reducer that runs this reducer and then another one.
  @inlinable
  public func combined<Other: Reducer>(with other: Other) -> ReducerPair<Self, Other>
  where Other.State == State, Other.Action == Action, Other.Environment == Environment {
    ReducerPair(self, other)
  }
}

/// The listed reducers, run in order and composed statically.
///
/// ```swift
/// struct HandledChildren: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     CombineReducers {
///       Scope({ $0.settings }, action: { $0.settings }) { SettingsReducer() }
///       IfLet({ $0.search }, action: { $0.search }) { SearchReducer() }
///     }
///     .onChange(ArchiveHandler())
///   }
/// }
/// ```
@frozen
public struct CombineReducers<
  State, Action: Sendable, Environment: Sendable, Content: Reducer<State, Action, Environment>
>: Reducer {
  @usableFromInline let content: Content

  /// Combines the listed reducers.
  @inlinable
  public init(@ReducerBuilder<State, Action, Environment> _ content: () -> Content) {
    self.content = content()
  }

  /// Runs the reducers in order and merges their effects.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> {
    content.reduce(&state, action, at: moment)
  }

  /// Returns whether one of the reducers has a child; `nil` if none knows it.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Content.State
  ) -> Bool? { content.hasChild(child, in: state) }
}

/// Builds one reducer from a list of at least one, all of the same state, action and environment.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable, Environment: Sendable> {
  /// Gives the names of parts in a listed reducer their types.
  @inlinable
  public static func buildExpression<R: Reducer<State, Action, Environment>>(
    _ reducer: R
  ) -> R { reducer }

  /// Starts with the first reducer of a list.
  @inlinable
  public static func buildPartialBlock<First: Reducer<State, Action, Environment>>(
    first: First
  ) -> First { first }

  /// Appends the next reducer of a list.
  @inlinable
  public static func buildPartialBlock<
    Before: Reducer<State, Action, Environment>, Next: Reducer<State, Action, Environment>
  >(
    accumulated: Before, next: Next
  ) -> ReducerPair<Before, Next> {
    ReducerPair(accumulated, next)
  }
}
