public import RetraceAvro
public import RetraceState

/// The place of a child feature in one case of its parent's state, as a type without storage.
///
/// Laws: `extract(embed(a))` is `a`, and where `extract(p)` is an action, `embed` of it is `p`.
/// ``with(_:_:)`` leaves the parent in the case in which it found it.
public protocol CaseScope: SendableMetatype {
  /// The state that has the case; an enum or a value that holds one.
  associatedtype ParentState
  /// The value of the case.
  associatedtype ChildState
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of the child.
  associatedtype ChildAction: Sendable

  /// Returns the child's action, or `nil` if the action is not for this child.
  static func extract(_ action: ParentAction) -> ChildAction?

  /// Returns the parent's action that wraps an action of the child.
  static func embed(_ action: ChildAction) -> ParentAction

  /// Calls `body` with the value of the case; returns `nil` if the parent is in another case.
  ///
  /// Swift cannot change the value of a case in place. Put another case into the parent while
  /// `body` runs: otherwise both hold the value, and the first change copies it.
  ///
  /// ```swift
  /// guard case .open(var document) = parent else { return nil }
  /// parent = .closed
  /// defer { parent = .open(document) }
  /// return body(&document)
  /// ```
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout ChildState) -> Result
  ) -> Result?
}

/// The embedding of a case's actions.
@frozen
public struct CaseEmbedding<S: CaseScope>: ActionEmbedding {
  /// Makes the embedding.
  @inlinable
  public init() {}

  /// The child in the case.
  public var scope: EffectScope.Component { EffectScope.Component(S.self) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action) }
}

/// A reducer that runs another reducer on the value of one case of a parent state.
///
/// An action for a state in another case is reported to ``ReportsMissingTarget``.
@frozen
public struct IfCaseLet<Child: Reducer, S: CaseScope>: Reducer
where
  Child.State: Recordable, S.ChildState == Child.State, Child.Action == S.ChildAction,
  S.ParentState: ReportsMissingTarget
{
  @usableFromInline let child: Child

  /// Makes a reducer of the parent from the reducer of the case's value.
  @inlinable
  public init(_ child: Child, through scope: S.Type) { self.child = child }

  /// Reduces the value if the parent is in the case.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let inner = S.extract(action) else { return .none }
    let effect = S.with(&state) { value in child.reduce(&value, inner, at: moment) }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName))
      return .none
    }
    return effect.map(CaseEmbedding<S>())
  }

  /// Returns whether the parent is in the case, and its value has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout S.ParentState
  ) -> Bool {
    guard let first = child.first, first.isIn(S.self) else { return true }
    return S.with(&state) { value in self.child.hasChild(child.dropFirst(), in: &value) } ?? false
  }
}

extension Reducer where State: Recordable {
  /// Returns this reducer as a reducer of a parent that holds the state in one of its cases.
  @inlinable
  public func ifCaseLet<S: CaseScope>(through scope: S.Type) -> IfCaseLet<Self, S>
  where S.ChildState == State, S.ChildAction == Action, S.ParentState: ReportsMissingTarget {
    IfCaseLet(self, through: scope)
  }
}
