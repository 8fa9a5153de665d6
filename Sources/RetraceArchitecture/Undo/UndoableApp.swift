/// An app whose commands can be undone and redone, without limit, by any process that has the store
/// open.
///
/// One undo takes back the facts of one batch: a command with all that it led to. Nothing is kept
/// for it beside the log: the facts hold the values before and after, as ``Edit``s, and an undo is
/// a command of its own, whose facts are the edits backwards. A store undoes the newest change of
/// its user that is not undone; see `Store.undo()`.
///
/// The app declares the edits as an enum of `EntityEdit` values, adds a command that holds a
/// ``Restore``, and a fact that holds a ``Restored``. Its decider calls
/// ``Restore/decide(on:count:isAllowed:)``, and its reducer applies the edits of the fact.
///
/// ```swift
/// extension ShelfApp: UndoableApp {
///   static func edits(of fact: EntityFact<ShelfEdit>) -> [ShelfEdit] { fact.undoableEdits }
///   static func editCount(in state: borrowing ShelfState) -> Int64 { state.undoableFacts }
///   static func command(for restore: Restore<ShelfEdit>) -> ShelfCommand { .restore(restore) }
///   static func restored(in fact: EntityFact<ShelfEdit>) -> Restored<ShelfEdit>? {
///     fact.restoredEdits
///   }
///   static func isStaleRestore(_ refusal: ShelfRefusal) -> Bool { refusal == .staleRestore }
/// }
/// ```
public protocol UndoableApp: ReplayableApp {
  /// An edit of one entity of the state, or of a part of the state.
  associatedtype Edit: UndoableEdit

  /// Returns the part of a state that the edits change; by default the whole state.
  static func undoablePart(of state: State) -> Edit.State

  /// Returns the edits that a fact made, in order; none for an action that is not about the domain.
  ///
  /// For the fact that holds a ``Restored``, they are its edits.
  static func edits(of fact: Action) -> [Edit]

  /// Returns the number of facts that a state has seen: those with edits, and those with a
  /// ``Restored``.
  ///
  /// The reducer adds one for each. A restore names the number that it was made for, and is refused
  /// as stale if another fact came first.
  static func editCount(in state: borrowing State) -> Int64

  /// Returns the command that carries out a restore.
  static func command(for restore: Restore<Edit>) -> Command

  /// Returns the contents of a fact that a restore led to; `nil` for another fact.
  static func restored(in fact: Action) -> Restored<Edit>?

  /// Returns whether a refusal says that a restore is out of date; the store then makes it again.
  static func isStaleRestore(_ refusal: Refusal) -> Bool
}

extension UndoableApp where Edit.State == State {
  /// Returns the state.
  public static func undoablePart(of state: State) -> State { state }
}
