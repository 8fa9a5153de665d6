public import RetraceState

/// A state and the sequence of the record it stands after; the one fold that store, test store and
/// replayer share.
public struct Fold<App: ReplayableApp>: Sendable {
  /// The state after the record of ``sequence``.
  public var state: App.State
  /// What is in flight after the record of ``sequence``.
  public var inFlight: EffectsInFlight
  @usableFromInline var position: UInt64
  @usableFromInline let reducer: App.Root

  /// Starts before the first record.
  public init() {
    state = App.initialState
    inFlight = EffectsInFlight()
    position = 0
    reducer = App.reducer
  }

  /// Starts from a state, and from what is in flight, known to stand after a record.
  public init(
    state: App.State, inFlight: EffectsInFlight = EffectsInFlight(), sequence: UInt64
  ) {
    self.state = state
    self.inFlight = inFlight
    position = sequence
    reducer = App.reducer
  }

  /// The sequence of the last record folded; 0 before the first.
  @inlinable public var sequence: UInt64 { position }

  /// Folds an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record.
  ///   - hadEffect: Whether the action had an effect when it was recorded. A reducer that answers
  ///     one for records of former times, when it did not yet, puts nothing in flight.
  /// - Returns: What the reducer answered; the same as ``inFlight`` was told, if `hadEffect`.
  /// - Complexity: That of the reducer.
  /// - Precondition: `sequence` follows the fold's own.
  @inlinable
  public mutating func apply(
    _ action: App.Action, at moment: Moment, sequence: UInt64, hadEffect: Bool = true
  ) -> Effect<App.Action, App.Environment> {
    pass(sequence)
    let effect = reducer.reduce(&state, action, at: moment)
    if !effect.isNone { note(effect, of: sequence, at: moment, hadEffect: hadEffect) }
    return effect
  }

  /// Folds the actions that one record was brought to, in one step; their effects are one, whose
  /// leaves are numbered together.
  ///
  /// - Complexity: That of the reducer for each action.
  /// - Precondition: `sequence` follows the fold's own.
  /// - Returns: The effects of all of them, in order.
  @inlinable
  public mutating func apply(
    _ actions: [App.Action], at moment: Moment, sequence: UInt64, hadEffect: Bool = true
  ) -> Effect<App.Action, App.Environment> {
    pass(sequence)
    var effects: Effect<App.Action, App.Environment> = .none
    for action in actions {
      effects = effects.merged(with: reducer.reduce(&state, action, at: moment))
    }
    if !effects.isNone { note(effects, of: sequence, at: moment, hadEffect: hadEffect) }
    return effects
  }

  /// Takes note of an effect; apart, so that an action without one costs a test for `nil` and
  /// nothing more (2 ns less among ten pulled-back reducers).
  @usableFromInline @inline(never)
  mutating func note(
    _ effect: Effect<App.Action, App.Environment>, of sequence: UInt64, at moment: Moment,
    hadEffect: Bool
  ) {
    if hadEffect { inFlight.note(effect, cause: sequence, at: moment) }
  }

  /// Gets ready for many records: what reducers look up often is made resident.
  ///
  /// - Parameter records: How many records are about to be folded; for few nothing is done.
  /// - Complexity: O(entities of the small tables that are not resident).
  public mutating func prepare(for records: UInt64) {
    if records > 256 { StatePages.loadSmall(&state) }
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
