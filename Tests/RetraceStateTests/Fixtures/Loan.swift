import RetraceAvro
import RetraceState

/// A book, with the name of its borrower.
struct Loan: TableEntity, Hashable {
  var title: String
  var borrower: String?
}

/// The changes of a book's fields.
struct LoanChanges: EntityChanges {
  typealias Entity = Loan

  var title: Change<String>?
  var borrower: Change<String?>?
  init() {}
}
