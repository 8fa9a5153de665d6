import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The first release.
enum ShelfV1: Shelf {
  struct Book: TableEntity, Hashable {  // recorded: Book
    var title: String
    var pages: Int32
    var holder: String?
  }

  struct State: RecordedState {  // recorded: ShelfState
    var books: EntityTable<BookID, Book> = EntityTable()
    var remarks: [String] = []
  }

  enum Action: Recordable, Hashable {  // recorded: ShelfAction
    case placed(title: String, pages: Int32)
    case described(BookID, remark: String)
    case lent(BookID, to: String)
    case returned(BookID)
  }

  static var initialState: State { State() }
  static var reducer: ShelfReducer<State, Action> {
    ShelfReducer { state, action in
      switch action {
      case .placed(let title, let pages):
        _ = state.books.insert(Book(title: title, pages: pages))
      case .described(let book, let remark): state.remarks.append("\(book.value): \(remark)")
      case .lent(let book, let reader): _ = state.books.modify(book) { $0.holder = reader }
      case .returned(let book): _ = state.books.modify(book) { $0.holder = nil }
      }
    }
  }
}
