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

struct DeskState: RecordedState, Composed, SingleScene {
  var shelf: ShelfState = ShelfState()
  var selected: String = ""
}

enum DeskAction: Recordable, Equatable { case selected(String) }

struct DeskReducer: Reducer {
  func reduce(
    _ state: inout DeskState, _ action: EntityAction<DeskAction, ShelfEntities>, at moment: Moment
  ) -> Effect<EntityAction<DeskAction, ShelfEntities>, Never> {
    if case .scene(.selected(let title)) = action { state.selected = title }
    return .none
  }
}

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
