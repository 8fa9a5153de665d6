import Retrace
import RetraceRecording

// A shelf of books whose commands can be undone. Its facts hold the values before and after, so
// `audit history BookID=0` and `audit blame BookID=0` tell what happened to a book.

/// The id of a book.
struct BookID: EntityID {
  var value: Int64
  static var recordedName: String { "BookID" }
}

/// A book, and the name of its borrower.
struct Book: TableEntity {
  var title: String
  var borrower: String?
}

/// The changes of a book's fields.
struct BookChanges: EntityChanges {
  typealias Entity = Book
  var title: Change<String>?
  var borrower: Change<String?>?
}

/// The books.
struct ShelfState: RecordedState {
  var books: EntityTable<BookID, Book> = EntityTable()
  var editCount: Int64 = 0
}

/// The facts of the shelf.
enum ShelfAction: Recordable, Equatable {
  case added(BookID, Insertion<Book>)
  case lent(BookID, borrower: Change<String?>)
  case discarded(BookID, Removal<Book>)
  case restored(Restored<ShelfEdit>)
}

/// The commands of the shelf.
enum ShelfCommand: Recordable, Equatable {
  case add(title: String)
  case lend(BookID, to: String?)
  case discard(BookID)
  case restore(Restore<ShelfEdit>)
}

/// The refusals of the shelf.
enum ShelfRefusal: Recordable, Error, Equatable {
  case noBook(BookID)
  case staleRestore
}

/// An edit of the only table.
enum ShelfEdit: UndoableEdit {
  case book(EntityEdit<BookID, BookChanges>)

  var inverted: ShelfEdit {
    switch self {
    case .book(let edit): .book(edit.inverted)
    }
  }

  var fields: [UnrestoredField] {
    switch self {
    case .book(let edit): edit.fields
    }
  }

  func restorable(
    on state: borrowing ShelfState, excluding excluded: [UnrestoredField]
  ) -> RestorablePart<ShelfEdit> {
    switch self {
    case .book(let edit):
      edit.restorable(in: state.books, excluding: excluded).map { .book($0) }
    }
  }

  func apply(to state: inout ShelfState) {
    switch self {
    case .book(let edit): edit.apply(to: &state.books)
    }
  }
}

/// The decider of the shelf.
struct ShelfDecider: Decider {
  func decide(
    _ command: ShelfCommand, on state: borrowing ShelfState, at moment: Moment
  ) throws(ShelfRefusal) -> [ShelfAction] {
    switch command {
    case .add(let title):
      return [.added(state.books.nextID, Insertion(Book(title: title, borrower: nil)))]
    case .lend(let id, let borrower):
      let book = try book(id, on: state)
      return [.lent(id, borrower: Change(from: book.borrower, to: borrower))]
    case .discard(let id): return [.discarded(id, Removal(try book(id, on: state)))]
    case .restore(let restore):
      do throws(StaleRestore) {
        return [.restored(try restore.decide(on: state, count: state.editCount))]
      } catch {
        throw .staleRestore
      }
    }
  }

  private func book(
    _ id: BookID, on state: borrowing ShelfState
  ) throws(ShelfRefusal) -> Book {
    guard let book = state.books[id] else { throw .noBook(id) }
    return book
  }
}

/// The reducer of the shelf: it carries the edits of each fact out.
struct ShelfReducer: Reducer {
  func reduce(
    _ state: inout ShelfState, _ action: ShelfAction, at moment: Moment
  ) -> Effect<ShelfAction, Never> {
    state.editCount &+= 1
    for edit in ShelfApp.edits(of: action) { edit.apply(to: &state) }
    return .none
  }
}

/// The app.
enum ShelfApp: UndoableApp {
  typealias Environment = Never
  typealias Route = NotesRoute

  static var name: String { "shelf" }
  static var build: String { "1" }
  static var initialState: ShelfState { ShelfState() }
  static var reducer: ShelfReducer { ShelfReducer() }
  static var decider: ShelfDecider { ShelfDecider() }

  // Nothing is sent: all facts come from commands.
  static func action(for sceneAction: Never) -> ShelfAction {}
  static func role(of action: ShelfAction) -> ActionRole<ShelfCommand> { .fact }

  static func edits(of fact: ShelfAction) -> [ShelfEdit] {
    switch fact {
    case .added(let id, let insertion): return [.book(.inserted(id, insertion))]
    case .lent(let id, let borrower):
      return [.book(.changed(id, BookChanges(borrower: borrower)))]
    case .discarded(let id, let removal): return [.book(.removed(id, removal))]
    case .restored(let restored): return restored.edits
    }
  }
  static func editCount(in state: borrowing ShelfState) -> Int64 { state.editCount }
  static func command(for restore: Restore<ShelfEdit>) -> ShelfCommand { .restore(restore) }
  static func restored(in fact: ShelfAction) -> Restored<ShelfEdit>? {
    if case .restored(let restored) = fact { restored } else { nil }
  }
  static func isStaleRestore(_ refusal: ShelfRefusal) -> Bool { refusal == .staleRestore }

  static func scenes(in state: ShelfState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: ShelfState) -> BackStack<NotesRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: ShelfState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: [])
  }
}

/// Undoes the last change of the user, and returns what could not be restored.
func undo(in store: Store<ShelfApp>) async throws -> [UnrestoredField] {
  guard let done = try await store.undo() else { return [] }
  return done.facts.flatMap { ShelfApp.restored(in: $0)?.unrestored ?? [] }
}

/// Returns whether a fact is the redo of an undo.
func isRedo(_ fact: ShelfAction) -> Bool {
  let links: RestoreLinks? = ShelfApp.restored(in: fact)?.links
  return links?.isRedo == true
}
