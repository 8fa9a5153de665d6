public import RetraceState

/// A state and the sequence of the last record folded into it.
///
/// Store, test store and replayer share this fold.
///
/// ```swift
/// var fold = Fold<NotesApp>()
/// for action in [NotesAction.added(title: "tea"), .closed] {
///   _ = fold.apply(action, at: moment, sequence: fold.sequence + 1)
/// }
/// print(fold.state.notes.count)
/// ```
public struct Fold<App: ReplayableApp>: Sendable {
  // Before the state, so that their offsets do not depend on the app.
  @usableFromInline var position: UInt64
  /// The effects in flight after the record ``sequence``.
  public var inFlight: EffectsInFlight
  /// The state after the record ``sequence``.
  public var state: App.State
  @usableFromInline let reducer: App.Root

  /// Starts before the first record.
  public init() {
    state = App.initialState
    inFlight = EffectsInFlight()
    position = 0
    reducer = App.reducer
  }

  /// Starts from the state and the effects in flight after a given record.
  public init(
    state: App.State, inFlight: EffectsInFlight = EffectsInFlight(), sequence: UInt64
  ) {
    self.state = state
    self.inFlight = inFlight
    position = sequence
    reducer = App.reducer
  }

  /// Starts with a reducer other than the app's, for the test of a feature.
  package init(state: App.State, sequence: UInt64, reducer: App.Root) {
    self.state = state
    inFlight = EffectsInFlight()
    position = sequence
    self.reducer = reducer
  }

  /// The sequence of the last record folded; 0 before the first.
  @inlinable public var sequence: UInt64 { position }

  /// Folds an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - moment: When it was sent.
  ///   - sequence: The sequence of its record.
  ///   - hadEffect: Whether the action had an effect when it was recorded. If `false`, an effect
  ///     that today's reducer returns is not put in flight.
  /// - Returns: The effect that the reducer returned; registered in ``inFlight`` if `hadEffect`.
  ///   The effects of children that are gone after the action are no longer in flight, including
  ///   effects of the action itself.
  /// - Complexity: As the reducer; while children have effects in flight, plus looking for each of
  ///   these children.
  /// - Precondition: `sequence` is the fold's own plus one.
  @inlinable
  public mutating func apply(
    _ action: App.Action, at moment: Moment, sequence: UInt64, hadEffect: Bool = true
  ) -> Effect<App.Action, App.Environment> {
    skip(sequence)
    let effect = reducer.reduce(&state, action, at: moment)
    if !effect.isNone || !inFlight.isIdle {
      register(effect, of: sequence, at: moment, hadEffect: hadEffect)
    }
    return effect
  }

  /// Folds the actions that an upcaster made of one record, in one step.
  ///
  /// Their effects are merged into one, so the leaves are numbered together.
  ///
  /// - Complexity: As the reducer for each action.
  /// - Precondition: `sequence` is the fold's own plus one.
  /// - Returns: The merged effects, in order.
  @inlinable
  public mutating func apply(
    _ actions: [App.Action], at moment: Moment, sequence: UInt64, hadEffect: Bool = true
  ) -> Effect<App.Action, App.Environment> {
    skip(sequence)
    var effects: Effect<App.Action, App.Environment> = .none
    for action in actions {
      effects = effects.merged(with: reducer.reduce(&state, action, at: moment))
    }
    if !effects.isNone || !inFlight.isIdle {
      register(effects, of: sequence, at: moment, hadEffect: hadEffect)
    }
    return effects
  }

  /// Registers an effect, and ends the effects of children that the state no longer has.
  ///
  /// Out of line, so that an action without an effect pays only for two tests while nothing is in
  /// flight; the decision `04-effects-in-flight` has the figures.
  @inlinable @inline(never)
  mutating func register(
    _ effect: Effect<App.Action, App.Environment>, of sequence: UInt64, at moment: Moment,
    hadEffect: Bool
  ) {
    if hadEffect, !effect.isNone {
      inFlight.register(effect, cause: sequence, at: moment)
    } else {
      inFlight.advanceWindows(to: moment)
    }
    var last: EffectScope?
    for leaf in inFlight.leaves where !leaf.scope.isEmpty && leaf.scope != last {
      last = leaf.scope
      endIfGone(leaf.scope)
    }
    for scope in inFlight.windowScopes where !scope.isEmpty && scope != last {
      last = scope
      endIfGone(scope)
    }
  }

  /// Ends the effects of a child that the state no longer has.
  @inlinable
  mutating func endIfGone(_ scope: EffectScope) {
    if reducer.hasChild(scope.components[...], in: state) == false { inFlight.end(scope) }
  }

  /// Prepares for folding many records: loads the small tables, which reducers look up often.
  ///
  /// - Parameter records: The number of records about to be folded; up to 256, nothing is loaded.
  /// - Complexity: O(entities of the small tables that are not resident).
  public mutating func prepare(for records: UInt64) {
    if records > 256 { StatePages.loadSmall(&state) }
  }

  /// Advances past a record that changes no state, such as the opening of a session.
  ///
  /// - Precondition: `sequence` is the fold's own plus one.
  @inlinable
  public mutating func skip(_ sequence: UInt64) {
    precondition(sequence == position + 1, "Fold: record \(sequence) after record \(position)")
    position = sequence
  }

  /// Advances past all records up to one, which change no state.
  ///
  /// - Precondition: `sequence` is at least the fold's own.
  package mutating func skip(through sequence: UInt64) {
    precondition(sequence >= position, "Fold: record \(sequence) after record \(position)")
    position = sequence
  }
}
