/// A state and the sequence of the record it stands after; the one fold that store, test store and
/// replayer share.
public struct Fold<App: ReplayableApp>: Sendable {
  /// The state after the record of ``sequence``.
  public var state: App.State
  @usableFromInline var position: UInt64
  @usableFromInline let reducer: App.Root

  /// Starts before the first record.
  public init() {
    state = App.initialState
    position = 0
    reducer = App.reducer
  }

  /// Starts from a state that is known to stand after a record.
  public init(state: App.State, sequence: UInt64) {
    self.state = state
    position = sequence
    reducer = App.reducer
  }

  /// The sequence of the last record folded; 0 before the first.
  @inlinable public var sequence: UInt64 { position }

  /// Folds an action.
  ///
  /// - Complexity: That of the reducer.
  /// - Precondition: `sequence` follows the fold's own.
  @inlinable
  public mutating func apply(
    _ action: App.Action, at moment: Moment, sequence: UInt64
  ) -> Effect<App.Action, App.Environment> {
    pass(sequence)
    return reducer.reduce(&state, action, at: moment)
  }

  /// Folds the actions that one record was brought to, in one step.
  ///
  /// - Complexity: That of the reducer for each action.
  /// - Precondition: `sequence` follows the fold's own.
  /// - Returns: The effects of all of them, in order.
  @inlinable
  public mutating func apply(
    _ actions: [App.Action], at moment: Moment, sequence: UInt64
  ) -> Effect<App.Action, App.Environment> {
    pass(sequence)
    var effects: Effect<App.Action, App.Environment> = .none
    for action in actions {
      effects = effects.merged(with: reducer.reduce(&state, action, at: moment))
    }
    return effects
  }

  /// Passes over a record that changes no state, such as the opening of a session.
  ///
  /// - Precondition: `sequence` follows the fold's own.
  @inlinable
  public mutating func pass(_ sequence: UInt64) {
    precondition(sequence == position + 1, "Fold: record \(sequence) after record \(position)")
    position = sequence
  }
}
