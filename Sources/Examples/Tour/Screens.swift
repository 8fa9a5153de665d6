import Retrace

// MARK: A list of screens, from which routes, actions and their reducer are generated

/// The screens of a reader of books, a line for each.
enum ReaderScreens: ScreenList {
  typealias Environment = Never
  case books(BookListScreen)
  case book(BookScreen)
}

/// The parameters of the list of books.
struct BookList: Recordable, Hashable {
  var selection: Int64?
}

/// The screen of the list of books, which has the link `books`.
enum BookListScreen: ScreenModule {
  typealias Route = BookList
  typealias Action = BookListAction
  static var reducer: BookListReducer { BookListReducer() }

  static func link(of route: BookList) -> DeepLink { DeepLink("books") }
  static func route(reading reader: inout DeepLinkReader) -> BookList? {
    reader.take("books") ? BookList() : nil
  }
}

/// The actions of the list of books.
enum BookListAction: Recordable, Equatable {
  case selected(Int64)
}

/// The reducer of the list of books.
struct BookListReducer: Reducer {
  func reduce(
    _ state: inout BookList, _ action: BookListAction, at moment: Moment
  ) -> Effect<BookListAction, Never> {
    if case .selected(let number) = action { state.selection = number }
    return .none
  }
}

/// The parameters of the screen of a book.
struct OpenBook: Recordable, Hashable {
  var number: Int64
  var page: Int64 = 1
}

/// The screen of a book, which has links such as `book/7`.
enum BookScreen: ScreenModule {
  typealias Route = OpenBook
  typealias Action = BookAction
  static var reducer: BookReducer { BookReducer() }

  static func link(of route: OpenBook) -> DeepLink { DeepLink("book", "\(route.number)") }
  static func route(
    reading reader: inout DeepLinkReader
  ) throws(DeepLinkError) -> OpenBook? {
    reader.take("book") ? OpenBook(number: try reader.component()) : nil
  }
}

/// The actions of the screen of a book.
enum BookAction: Recordable, Equatable {
  case turned(pages: Int64)
}

/// The reducer of the screen of a book.
struct BookReducer: Reducer {
  func reduce(
    _ state: inout OpenBook, _ action: BookAction, at moment: Moment
  ) -> Effect<BookAction, Never> {
    if case .turned(let pages) = action { state.page = max(1, state.page &+ pages) }
    return .none
  }
}

/// Returns the book of a link after some pages were turned; `nil` for another link.
func page(of text: String, turning pages: Int64) throws(DeepLinkError) -> OpenBook? {
  var route = try ReaderRoute(DeepLink(parsing: text))
  _ = ReaderScreensReducer().reduce(
    &route, .book(.turned(pages: pages)), at: Moment(microseconds: 0))
  guard case .book(let book) = route else { return nil }
  return book
}
