public import RetraceState

/// The place of a child's commands, facts and refusals in its parent, as a type without storage.
///
/// Laws: each command of the child has exactly one command of the parent that wraps it. `extract`
/// returns the wrapped command, or `nil` for a command of the parent that wraps none of this child.
/// ``read(_:_:)`` passes the same part each time.
public protocol CommandScope: SendableMetatype {
  /// The state that holds the part.
  associatedtype ParentState
  /// The part on which the child decides.
  associatedtype ChildState
  /// The commands of the parent.
  associatedtype ParentCommand: Sendable
  /// The commands of the child.
  associatedtype ChildCommand: Sendable
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of the child.
  associatedtype ChildAction: Sendable
  /// The refusals of the parent.
  associatedtype ParentRefusal: Error
  /// The refusals of the child.
  associatedtype ChildRefusal: Error

  /// Returns the child's command, or `nil` if the command is not for this child.
  static func extract(_ command: ParentCommand) -> ChildCommand?

  /// Returns the parent's action that wraps a fact of the child.
  static func embed(_ fact: ChildAction) -> ParentAction

  /// Returns the parent's refusal that wraps one of the child.
  static func embed(refusal: ChildRefusal) -> ParentRefusal

  /// Calls `body` with the part, as in `try body(parent.child)`.
  static func read<Result>(
    _ parent: borrowing ParentState,
    _ body: (borrowing ChildState) throws(ChildRefusal) -> Result
  ) throws(ChildRefusal) -> Result
}

/// A child's decider as a decider of its parent.
@frozen
public struct DeciderPullback<Child: Decider, S: CommandScope>: Decider
where
  Child.Command == S.ChildCommand, Child.State == S.ChildState, Child.Action == S.ChildAction,
  Child.Refusal == S.ChildRefusal
{
  @usableFromInline let child: Child

  /// Pulls a decider back through a scope.
  @inlinable
  public init(_ child: Child, through scope: S.Type) { self.child = child }

  /// Returns whether the command is for the child, and the child handles it.
  @inlinable
  public func handles(_ command: S.ParentCommand) -> Bool {
    S.extract(command).map { child.handles($0) } ?? false
  }

  /// Decides the child's command on the child's part of the state.
  @inlinable
  public func decide(
    _ command: S.ParentCommand, on state: borrowing S.ParentState, at moment: Moment
  ) throws(S.ParentRefusal) -> [S.ParentAction] {
    guard let inner = S.extract(command) else { return [] }
    do throws(S.ChildRefusal) {
      let facts = try S.read(state) { (part: borrowing S.ChildState) throws(S.ChildRefusal) in
        try child.decide(inner, on: part, at: moment)
      }
      return facts.map { S.embed($0) }
    } catch {
      throw S.embed(refusal: error)
    }
  }
}

extension Decider {
  /// Returns this decider as a decider of the parent that a scope names.
  @inlinable
  public func pulledBack<S: CommandScope>(through scope: S.Type) -> DeciderPullback<Self, S>
  where
    S.ChildCommand == Command, S.ChildState == State, S.ChildAction == Action,
    S.ChildRefusal == Refusal
  {
    DeciderPullback(self, through: scope)
  }
}
