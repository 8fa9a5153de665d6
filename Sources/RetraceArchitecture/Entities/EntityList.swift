public import RetraceAvro
public import RetraceState

/// The entities of a domain, a line for each.
///
/// `Tools/generate` makes the commands, edits and refusals of the domain from it: enums with the
/// cases of the list, named after it.
///
/// ```swift
/// enum ShelfEntities: EntityList {
///   typealias State = ShelfState
///   case book(Books)
/// }
/// ```
///
/// This makes `DomainCommand`, `DomainEdit` and `DomainRefusal`. A `DomainCommand` is one of an
/// entity, or a `restore`, which undoes or redoes. The domain's reducer is an ``EntityReducer``,
/// its decider an ``EntityDecider``, and its facts are ``EntityFact`` values.
public protocol EntityList: SendableMetatype {
  /// The state of the domain.
  associatedtype State: EntityState
  /// The edits of all entities; generated.
  associatedtype Edit: UndoableEdit where Edit.State == State
  /// The commands of all entities, and the restore; generated.
  associatedtype Command: Recordable, Equatable
  /// The refusals of all entities, and the refusal of a stale restore; generated.
  associatedtype Refusal: Recordable, Hashable, Error

  /// Decides a command of an entity; generated.
  ///
  /// - Returns: The restore, if the command is one; the caller then decides it.
  /// - Throws: The refusal.
  static func decide(
    _ command: Command, in editor: inout EntityEditor<Edit>
  ) throws(Refusal) -> Restore<Edit>?

  /// Returns the command that carries out a restore; generated.
  static func command(for restore: Restore<Edit>) -> Command

  /// The refusal of a restore that is out of date; generated.
  static var staleRestore: Refusal { get }

  /// Returns the text of a refusal for the user; `nil` if its module has none; generated.
  static func text(of refusal: Refusal) -> String?

  /// Returns whether an undo or a redo may carry out an edit; by default it may.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - state: The state after the edit.
  static func canRestore(_ edit: Edit, in state: borrowing State) -> Bool

  /// Returns whether the entity of an edit keeps the rules that span entities; generated.
  static func allows(_ edit: Edit, in state: borrowing State) -> Bool

  /// Returns the rules that a state breaks; generated.
  static func violations(of state: borrowing State) -> [Violation]

  /// Sets the fields that facts do not change in the entity of an edit; generated.
  static func touch(_ edit: Edit, in state: inout State, at moment: Moment)
}

extension EntityList {
  /// Returns `true`.
  @inlinable
  public static func canRestore(_ edit: Edit, in state: borrowing State) -> Bool { true }

  /// Returns `nil`; code that was generated before has no texts.
  @inlinable
  public static func text(of refusal: Refusal) -> String? { nil }
}

/// The state of a domain with an ``EntityList``.
///
/// ```swift
/// struct ShelfState: EntityState, RecordedState {
///   var books: EntityTable<BookID, Book> = EntityTable()
///   var undoableFacts: Int64 = 0
/// }
/// ```
public protocol EntityState: RecordedState {
  /// The number of facts so far that can be undone.
  var undoableFacts: Int64 { get set }
}
