import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState

/// Pages are counted in 64 bits, and remarks are gone: their case was retired.
enum ShelfV4: Shelf {
  struct Book: TableEntity, Hashable {  // recorded: Book
    var name: String
    var pages: Int64
    var language: String
    var holder: String?
  }

  struct State: RecordedState {  // recorded: ShelfState
    var books: EntityTable<BookID, Book> = EntityTable()
  }

  enum Action: Recordable, Hashable {  // recorded: ShelfAction
    case placed(
      name: String,  // recorded: was title
      pages: Int64, language: String = "en")
    case lent(BookID, to: String)
    case returned(BookID)
  }

  static var retired: [CaseName: RetiredCase] { [CaseName("ShelfAction", "described"): .skip] }

  static var initialState: State { State() }
  static var reducer: ShelfReducer<State, Action> {
    ShelfReducer { state, action in
      switch action {
      case .placed(let name, let pages, let language):
        _ = state.books.insert(Book(name: name, pages: pages, language: language))
      case .lent(let book, let reader): _ = state.books.modify(book) { $0.holder = reader }
      case .returned(let book): _ = state.books.modify(book) { $0.holder = nil }
      }
    }
  }
}
