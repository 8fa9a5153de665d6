// What the examples of entities and undo use: a shelf of books.

import Retrace

struct BookID: EntityID { var value: Int64 }

struct Book: TableEntity {
  var title: String
  var borrower: String?
}

enum BookCommand: Recordable, Equatable {
  case add(title: String)
  case lend(BookID, to: String?)
}

enum BookRefusal: Recordable, Error, Hashable { case noBook(BookID) }

enum ShelfApp: ReplayableApp {
  typealias Environment = Never
  typealias Route = CounterRoute
  typealias SceneAction = Never
  typealias Action = EntityFact<ShelfEdit>

  static var name: String { "shelf" }
  static var build: String { "1" }
  static var initialState: ShelfState { ShelfState() }

  static func action(for sceneAction: Never) -> EntityFact<ShelfEdit> {}
  static func role(of action: EntityFact<ShelfEdit>) -> ActionRole<ShelfCommand> { .fact }
  static func scenes(in state: ShelfState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: ShelfState) -> BackStack<Route>? { nil }
  static func screen(
    of scene: SceneID, in state: ShelfState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}
