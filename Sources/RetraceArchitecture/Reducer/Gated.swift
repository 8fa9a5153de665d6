public import RetraceState

/// Code that decides whether an action reaches a reducer, such as a feature that is not paid for.
///
/// A gate is as pure as a reducer. It records its decision in the state, so that a screen can show
/// it and each replay of the log does too. An app with commands checks in its ``Decider`` instead,
/// whose refusals are recorded.
///
/// ```swift
/// struct ArchiveGate: FeatureGate {
///   func admits(
///     _ action: NotesAction, in state: inout NotesState, at moment: Moment
///   ) -> Bool {
///     guard case .settings(.archiveShown) = action, state.notes.isEmpty else { return true }
///     state.targetWasMissing(MissingTarget(type: "Archive"))
///     return false
///   }
/// }
/// ```
public protocol FeatureGate<State, Action>: Sendable, SendableMetatype {
  /// The state of the reducer.
  associatedtype State
  /// The actions of the reducer.
  associatedtype Action: Sendable

  /// Returns whether the reducer gets an action; before, records in the state what it decides.
  ///
  /// A gate that annotates changes the state and admits the action; one that swallows an action
  /// does not admit it.
  func admits(_ action: Action, in state: inout State, at moment: Moment) -> Bool
}

/// A reducer behind a gate.
@frozen
public struct Gated<Base: Reducer, Gate: FeatureGate>: Reducer
where Gate.State == Base.State, Gate.Action == Base.Action {
  @usableFromInline let base: Base
  @usableFromInline let gate: Gate

  /// Puts a reducer behind a gate.
  @inlinable
  public init(_ base: Base, by gate: Gate) {
    self.base = base
    self.gate = gate
  }

  /// Runs the reducer if the gate admits the action.
  @inlinable
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, Base.Environment> {
    gate.admits(action, in: &state, at: moment) ? base.reduce(&state, action, at: moment) : .none
  }

  /// Returns whether the reducer has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Base.State
  ) -> Bool? { base.hasChild(child, in: state) }
}

extension Reducer {
  /// Returns this reducer behind a gate.
  @inlinable
  public func gated<Gate: FeatureGate>(by gate: Gate) -> Gated<Self, Gate>
  where Gate.State == State, Gate.Action == Action { Gated(self, by: gate) }
}
