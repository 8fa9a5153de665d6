public import RetraceState

/// The part of an environment that a child feature needs, as a type without storage.
///
/// So the leaves of a feature name only what they use, and the feature can be tested, and moved to
/// another app, without the rest.
///
/// ```swift
/// enum ServerOfOffice: EnvironmentProjection {
///   static func project(_ office: Office) -> NoteServer { office.server }
/// }
/// ```
public protocol EnvironmentProjection: SendableMetatype {
  /// The environment of the parent.
  associatedtype Parent: Sendable
  /// The environment of the child.
  associatedtype Child: Sendable

  /// Returns the child's part of an environment.
  static func project(_ parent: Parent) -> Child
}

extension Effect {
  /// Returns this effect for the environment of a parent; each leaf runs in the part of it that the
  /// projection returns.
  ///
  /// - Complexity: O(parts of the effect); O(1) for ``none``.
  @inlinable
  public func pulledBack<P: EnvironmentProjection>(
    environment projection: P.Type
  ) -> Effect<Action, P.Parent> where P.Child == Environment {
    guard let node else { return .none }
    return Effect<Action, P.Parent>(node: node.pulledBack(environment: projection))
  }
}

/// A reducer whose effects run in a part of a larger environment.
@frozen
public struct EnvironmentPullback<Base: Reducer, P: EnvironmentProjection>: Reducer
where P.Child == Base.Environment {
  @usableFromInline let base: Base

  /// Pulls the environment of a reducer back.
  @inlinable
  public init(_ base: Base, through projection: P.Type) { self.base = base }

  /// Reduces an action, and pulls the effect back.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, P.Parent> {
    base.reduce(&state, action, at: moment).pulledBack(environment: P.self)
  }

  /// Returns whether the reducer has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Base.State
  ) -> Bool? { base.hasChild(child, in: state) }
}

extension Reducer {
  /// Returns this reducer for a parent whose environment contains this reducer's environment.
  ///
  /// ```swift
  /// struct OfficeReducer: Reducer {
  ///   var body: some Reducer<NotesState, NotesAction, Office> {
  ///     Scope({ $0.settings }, action: { $0.settings }) {
  ///       SettingsReducer().pulledBack(environment: ServerOfOffice.self)
  ///     }
  ///   }
  /// }
  /// ```
  @inlinable
  public func pulledBack<P: EnvironmentProjection>(environment projection: P.Type)
    -> EnvironmentPullback<Self, P>
  where P.Child == Environment {
    EnvironmentPullback(self, through: projection)
  }
}
