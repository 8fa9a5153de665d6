import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState

/// Lending is two things: a book leaves the shelf, and a reader has it.
enum ShelfV5: Shelf {
  struct State: RecordedState {  // recorded: ShelfState
    var books: EntityTable<BookID, ShelfV4.Book> = EntityTable()
    var departures: Int64 = 0
  }

  enum Action: Recordable, Hashable {  // recorded: ShelfAction
    case placed(
      name: String,  // recorded: was title
      pages: Int64, language: String = "en")
    case left(BookID)
    case borrowed(BookID, by: String)
    case returned(BookID)
  }

  static var retired: [CaseName: RetiredCase] { ShelfV4.retired }
  static var upcasters: [CaseName: Upcaster<Action>] {
    [
      CaseName("ShelfAction", "lent"): { lent, _ throws(AvroError) in
        let book = BookID(value: try lent.integer(at: "_0", "value"))
        return [.left(book), .borrowed(book, by: try lent.text(at: "to"))]
      }
    ]
  }

  static var initialState: State { State() }
  static var reducer: ShelfReducer<State, Action> {
    ShelfReducer { state, action in
      switch action {
      case .placed(let name, let pages, let language):
        _ = state.books.insert(ShelfV4.Book(name: name, pages: pages, language: language))
      case .left: state.departures += 1
      case .borrowed(let book, let reader): _ = state.books.modify(book) { $0.holder = reader }
      case .returned(let book): _ = state.books.modify(book) { $0.holder = nil }
      }
    }
  }
}
