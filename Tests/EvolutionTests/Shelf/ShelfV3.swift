import RetraceArchitecture
import RetraceAvro
import RetraceState

/// Books have a language, English unless something else was recorded; the state has a field more.
enum ShelfV3: Shelf {
  struct Book: TableEntity, Hashable {  // recorded: Book
    var name: String
    var pages: Int32
    var language: String
    var holder: String?
  }

  struct State: RecordedState {  // recorded: ShelfState
    var books: EntityTable<BookID, Book> = EntityTable()
    var remarks: [String] = []
  }

  enum Action: Recordable, Hashable {  // recorded: ShelfAction
    case placed(
      name: String,  // recorded: was title
      pages: Int32, language: String = "en")
    case described(BookID, remark: String)
    case lent(BookID, to: String)
    case returned(BookID)
  }

  static var initialState: State { State() }
  static var reducer: ShelfReducer<State, Action> {
    ShelfReducer { state, action in
      switch action {
      case .placed(let name, let pages, let language):
        _ = state.books.insert(Book(name: name, pages: pages, language: language))
      case .described(let book, let remark): state.remarks.append("\(book.value): \(remark)")
      case .lent(let book, let reader): _ = state.books.modify(book) { $0.holder = reader }
      case .returned(let book): _ = state.books.modify(book) { $0.holder = nil }
      }
    }
  }
}
