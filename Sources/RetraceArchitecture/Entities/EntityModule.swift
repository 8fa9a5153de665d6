public import RetraceAvro
public import RetraceState

/// An entity of a domain: its id, its commands with their decisions, and its rules.
///
/// It is an enum without cases, in the folder of the entity. An ``EntityList`` has a line for each
/// module; from the list, `Tools/generate` makes the commands, edits and refusals of the domain.
///
/// ```swift
/// enum Books: EntityModule {
///   typealias ID = BookID
///   typealias Changes = BookChanges
///   typealias Command = BookCommand
///   typealias Refusal = BookRefusal
///
///   static func decide(
///     _ command: BookCommand, in editor: inout EntityEditor<ShelfEdit>
///   ) throws(BookRefusal) {
///     switch command {
///     case .add(let title): editor.insert(Book(title: title, borrower: nil), of: Books.self)
///     case .lend(let id, let borrower):
///       guard editor.entity(id, of: Books.self) != nil else { throw .noBook(id) }
///       editor.change(id, of: Books.self) { $0.borrower = borrower }
///     }
///   }
/// }
/// ```
///
/// The table of the entities is the property of the state with the name of the module and a small
/// first letter, such as `clients`.
public protocol EntityModule: SendableMetatype {
  /// The id of an entity.
  associatedtype ID: EntityID
  /// The changes of an entity's fields, and through them the entity.
  associatedtype Changes: EntityChanges
  /// The commands about the entity.
  associatedtype Command: Recordable, Equatable
  /// The type of its refusals.
  associatedtype Refusal: Recordable, Hashable, Error
  /// The edits of the domain; generated.
  associatedtype Edit: UndoableEdit

  /// The entity.
  typealias Entity = Changes.Entity

  /// Decides a command: makes its edits with the editor.
  ///
  /// - Throws: The refusal; the edits made so far are then discarded.
  static func decide(
    _ command: Command, in editor: inout EntityEditor<Edit>
  ) throws(Refusal)

  /// Returns whether an entity that an undo or a redo has just edited keeps the rules that span
  /// entities, such as that names are unique; `true` by default.
  static func allows(_ id: ID, in state: borrowing Edit.State) -> Bool

  /// Returns the rules that a state breaks; none by default.
  static func violations(of state: borrowing Edit.State) -> [Violation]

  /// Sets the fields of an edited entity that facts do not change, such as the moment of its last
  /// change; by default does nothing.
  static func touch(_ entity: inout Entity, at moment: Moment)

  /// Returns the edit of the domain; generated.
  static func edit(_ edit: EntityEdit<ID, Changes>) -> Edit

  /// Calls `body` with the table of the entities; generated.
  static func readTable<Result>(
    of state: borrowing Edit.State, _ body: (borrowing EntityTable<ID, Entity>) -> Result
  ) -> Result
}

extension EntityModule {
  /// Returns `true`.
  @inlinable
  public static func allows(_ id: ID, in state: borrowing Edit.State) -> Bool { true }

  /// Returns no violations.
  @inlinable
  public static func violations(of state: borrowing Edit.State) -> [Violation] { [] }

  /// Changes nothing.
  @inlinable
  public static func touch(_ entity: inout Entity, at moment: Moment) {}
}
