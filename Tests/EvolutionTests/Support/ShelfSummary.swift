import RetraceArchitecture
import RetraceState

/// What a shelf of any version holds.
struct ShelfSummary: Equatable {
  struct Book: Equatable {
    var name: String
    var pages: Int64
    var language: String?
    var holder: String?

    init(_ name: String, _ pages: Int64, _ language: String? = nil, holder: String? = nil) {
      self.name = name
      self.pages = pages
      self.language = language
      self.holder = holder
    }
  }

  var books: [Book] = []
  var remarks: [String] = []
  var departures: Int64 = 0
}

/// A version whose shelf can be compared with others'.
protocol SummarizedShelf: Shelf {
  static func summary(of state: State) -> ShelfSummary
}

extension ShelfV1.State {
  var summary: ShelfSummary {
    var summary = ShelfSummary(remarks: remarks)
    books.forEach { _, book in
      summary.books.append(.init(book.title, Int64(book.pages), holder: book.holder))
    }
    return summary
  }
}

extension ShelfV1: SummarizedShelf {
  static func summary(of state: State) -> ShelfSummary { state.summary }
}

extension ShelfV2: SummarizedShelf {
  static func summary(of state: ShelfV1.State) -> ShelfSummary { state.summary }
}

extension ShelfV3: SummarizedShelf {
  static func summary(of state: State) -> ShelfSummary {
    var summary = ShelfSummary(remarks: state.remarks)
    state.books.forEach { _, book in
      summary.books.append(
        .init(book.name, Int64(book.pages), book.language, holder: book.holder))
    }
    return summary
  }
}

extension ShelfV4.Book {
  var summary: ShelfSummary.Book { .init(name, pages, language, holder: holder) }
}

extension ShelfV4: SummarizedShelf {
  static func summary(of state: State) -> ShelfSummary {
    var summary = ShelfSummary()
    state.books.forEach { _, book in summary.books.append(book.summary) }
    return summary
  }
}

extension ShelfV5: SummarizedShelf {
  static func summary(of state: State) -> ShelfSummary {
    var summary = ShelfSummary(departures: state.departures)
    state.books.forEach { _, book in summary.books.append(book.summary) }
    return summary
  }
}
