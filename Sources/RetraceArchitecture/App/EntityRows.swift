public import RetraceScreen
public import RetraceState

/// The entities of a table as the rows of a list, of which the user has selected at most one.
///
/// A frame makes them of a table and of the selected id in the state. They draw the list, name the
/// row that a key is about, and go to the next one:
///
/// ```swift
/// struct ShelfList {
///   let state: ShelfState
///   let selection: BookID?
///
///   var books: EntityRows<BookID, Book> { EntityRows(state.books, selected: selection) }
///
///   static let keys = Bindings<ShelfList, BookID>("Shelf") {
///     Binding.selecting({ $0.books }, help: "Select a book.") { $0 }
///     Binding(.enter, hint: "open", help: "Open the book.") { list throws(KeyProblem) in
///       try list.books.selected(else: "Select a book.").id
///     }
///   }
///
///   func draw(in room: Rect, on canvas: inout Canvas) {
///     books.list { Screen.Line($0.title) }.draw(in: room, on: &canvas)
///   }
/// }
/// ```
public struct EntityRows<ID: EntityID, Entity: TableEntity> {
  /// The entities with their ids, lowest id first.
  public let rows: [(id: ID, entity: Entity)]
  /// The index of the selected row; `nil` for none, also if the selected entity is gone.
  public let selectedIndex: Int?

  /// Creates the rows of a table.
  ///
  /// - Parameters:
  ///   - table: The entities.
  ///   - selected: The id of the selected entity.
  /// - Complexity: O(ids assigned).
  public init(_ table: EntityTable<ID, Entity>, selected: ID?) {
    rows = table.rows
    selectedIndex = rows.firstIndex { $0.id == selected }
  }

  /// Returns the selected row, for a key that is about it.
  ///
  /// - Parameter reason: What the user is told without a selection.
  /// - Throws: `KeyProblem.unavailable(_:)` with the reason.
  public func selected(
    else reason: @autoclosure () -> String
  ) throws(KeyProblem) -> (id: ID, entity: Entity) {
    guard let selectedIndex else { throw .unavailable(reason()) }
    return rows[selectedIndex]
  }

  /// Returns the id of the row after or before the selected one; the first one without a
  /// selection, `nil` after the last and before the first.
  func id(movedBy step: Int) -> ID? {
    let index = selectedIndex.map { $0 + step } ?? 0
    return rows.indices.contains(index) ? rows[index].id : nil
  }

  /// Returns the list of the rows.
  ///
  /// - Parameters:
  ///   - emptyText: What a list without rows shows.
  ///   - line: Makes the line of an entity.
  public func list(
    emptyText: String = "", line: @escaping (Entity) -> Screen.Line
  ) -> List<Screen.Line> {
    List(
      count: rows.count, state: ListState(selected: Int64(selectedIndex ?? 0)),
      hasSelection: selectedIndex != nil, emptyText: emptyText
    ) { line(rows[$0].entity) }
  }
}

extension Binding {
  /// Returns the binding of the up and down keys, which select a row.
  ///
  /// - Parameters:
  ///   - rows: Returns the rows that the user sees.
  ///   - help: What the keys do, as a sentence.
  ///   - value: Returns the value for the entity to select.
  public static func selecting<ID: EntityID, Entity: TableEntity>(
    _ rows: @escaping @Sendable (Context) -> EntityRows<ID, Entity>, help: String,
    value: @escaping @Sendable (ID) -> Value
  ) -> Binding {
    Binding(keys: [.up, .down], brief: "select", help: help) { context, key in
      rows(context).id(movedBy: key == .up ? -1 : 1).map(value)
    }
  }
}
