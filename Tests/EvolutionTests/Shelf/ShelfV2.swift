import RetraceArchitecture
import RetraceAvro
import RetraceState

/// A field has another name, `name` instead of `title`; the state is as it was.
enum ShelfV2: Shelf {
  enum Action: Recordable, Hashable {  // recorded: ShelfAction
    case placed(
      name: String,  // recorded: was title
      pages: Int32)
    case described(BookID, remark: String)
    case lent(BookID, to: String)
    case returned(BookID)
  }

  static var initialState: ShelfV1.State { ShelfV1.State() }
  static var reducer: ShelfReducer<ShelfV1.State, Action> {
    ShelfReducer { state, action in
      switch action {
      case .placed(let name, let pages):
        _ = state.books.insert(ShelfV1.Book(title: name, pages: pages))
      case .described(let book, let remark): state.remarks.append("\(book.value): \(remark)")
      case .lent(let book, let reader): _ = state.books.modify(book) { $0.holder = reader }
      case .returned(let book): _ = state.books.modify(book) { $0.holder = nil }
      }
    }
  }
}
