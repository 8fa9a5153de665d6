import RetraceSystem
import Synchronization

/// A memoized function of a state: it selects an input, and maps the input only if it changed.
///
/// It remembers one input and its value, so the same input is mapped once, however many views,
/// observers and callers use the selector. Both functions are pure, and neither uses a store.
/// Views and observers check that no page that they read is damaged; see ``Store/read(_:)``.
///
/// ```swift
/// let titles = Selector({ (state: NotesState) in state.notes }) { notes in
///   var titles: [String] = []
///   notes.forEach { _, note in titles.append(note.title) }
///   return titles
/// }
/// print(titles(NotesApp.initialState), titles.recomputations)
/// ```
public final class Selector<State: Sendable, Value: Sendable>: Sendable {
  @usableFromInline let evaluate: @Sendable (State) -> Value
  @usableFromInline let makeChangeCheck: @Sendable () -> @Sendable (AnyObject) -> Bool
  @usableFromInline let forgetValue: @Sendable () -> Void
  @usableFromInline let counter: SelectorCounter

  /// The number of times that the input was mapped.
  public var recomputations: Int { counter.value }

  /// Creates a selector.
  ///
  /// - Parameters:
  ///   - input: Selects the input, cheaply, such as one table of the state.
  ///   - map: Makes the value of an input.
  @inlinable
  public convenience init<Input: Equatable & Sendable>(
    _ input: @escaping @Sendable (State) -> Input, map: @escaping @Sendable (Input) -> Value
  ) {
    self.init(input, by: { $0 == $1 }, map: map)
  }

  /// Creates a selector that compares inputs with a function.
  ///
  /// - Parameters:
  ///   - input: Selects the input, cheaply, such as one table of the state.
  ///   - areEqual: Returns whether a new input, the second one, counts as unchanged.
  ///   - map: Makes the value of an input.
  @inlinable
  public init<Input: Sendable>(
    _ input: @escaping @Sendable (State) -> Input,
    by areEqual: @escaping @Sendable (Input, Input) -> Bool,
    map: @escaping @Sendable (Input) -> Value
  ) {
    let counter = SelectorCounter()
    let memo = SelectorMemo<Input, Value>()
    self.counter = counter
    evaluate = { state in
      let next = input(state)
      if let latest = memo.latest, areEqual(latest.input, next) { return latest.value }
      counter.increment()
      let value = map(next)
      memo.set(next, value)
      return value
    }
    forgetValue = { memo.forget() }
    makeChangeCheck = {
      let last = LastInput<Input>()
      return { observed in
        // Unsafe: only a node whose values are states calls this.
        let next = input(unsafe unsafeDowncast(observed, to: Observed<State>.self).value)
        // Moved out and back, because a copy would retain what the input refers to.
        guard let before = last.input.take() else {
          last.input = next
          return true
        }
        let isSame = areEqual(before, next)
        last.input = isSame ? consume before : next
        return !isSame
      }
    }
  }

  /// Returns the value of a state.
  ///
  /// - Complexity: As selecting and comparing the input; as `map` for another input than the last.
  @inlinable
  public func callAsFunction(_ state: State) -> Value { evaluate(state) }

  /// Returns a function that tells whether the input of a state, which is given as an `Observed`,
  /// differs from the input of the call before.
  ///
  /// One thread at a time calls it.
  func changeCheck() -> @Sendable (AnyObject) -> Bool { makeChangeCheck() }

  /// Forgets the last value, because a damaged page was read while it was made.
  func forget() { forgetValue() }
}

/// The number of times that a selector mapped its input.
@usableFromInline
final class SelectorCounter: Sendable {
  private let count = Atomic(0)

  @usableFromInline init() {}

  @usableFromInline func increment() { count.add(1, ordering: .relaxed) }

  var value: Int { count.load(ordering: .relaxed) }
}

/// The input that a node of a tree of views saw last.
///
/// Unchecked: one thread at a time passes states down the tree.
@usableFromInline
final class LastInput<Input: Sendable>: @unchecked Sendable {
  @usableFromInline var input: Input?

  @inlinable init() {}
}

/// The input that a selector mapped last, with its value.
@usableFromInline
final class SelectorMemo<Input: Sendable, Value: Sendable>: Sendable {
  private let memo = Lock<(input: Input, value: Value)?>(nil)

  @usableFromInline init() {}

  @usableFromInline var latest: (input: Input, value: Value)? { memo.withLock { $0 } }

  @usableFromInline func set(_ input: Input, _ value: Value) {
    memo.withLock { $0 = (input, value) }
  }

  @usableFromInline func forget() { memo.withLock { $0 = nil } }
}
