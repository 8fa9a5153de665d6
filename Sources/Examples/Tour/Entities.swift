import Retrace
import RetraceRecording

// A shop of goods and their suppliers, made from a list of entities: each has its commands and
// rules in a module of its own, and `Tools/generate` writes the rest.

/// The id of a supplier.
struct SupplierID: EntityID { var number: Int64 }

/// A supplier, and when it was changed last.
///
/// The moment is no part of the changes, so undo leaves it alone.
struct Supplier: TableEntity {
  var name: String
  var changed: Moment
}

/// The changes of a supplier's fields.
struct SupplierChanges: EntityChanges {
  typealias Entity = Supplier
  var name: Change<String>?
}

/// The commands about suppliers.
enum SupplierCommand: Recordable, Equatable {
  case add(name: String)
  case rename(SupplierID, to: String)
}

/// The reasons for which they are refused.
enum SupplierRefusal: Recordable, Error, Hashable {
  case nameEmpty
  case noSupplier(SupplierID)
}

/// The decisions about suppliers.
enum Suppliers: EntityModule {
  typealias ID = SupplierID
  typealias Changes = SupplierChanges
  typealias Command = SupplierCommand
  typealias Refusal = SupplierRefusal

  static func decide(
    _ command: SupplierCommand, in editor: inout EntityEditor<DepotEdit>
  ) throws(SupplierRefusal) {
    switch command {
    case .add(let name):
      guard !name.utf8.isEmpty else { throw .nameEmpty }
      editor.insert(Supplier(name: name, changed: editor.moment), of: Suppliers.self)
    case .rename(let id, let name):
      guard editor.entity(id, of: Suppliers.self) != nil else { throw .noSupplier(id) }
      editor.change(id, of: Suppliers.self) { $0.name = name }
    }
  }

  static func touch(_ supplier: inout Supplier, at moment: Moment) { supplier.changed = moment }
}

/// The id of a good.
struct GoodID: EntityID { var number: Int64 }

/// A good that a supplier delivers.
struct Good: TableEntity {
  var name: String
  var supplier: SupplierID
}

/// The changes of a good's fields.
struct GoodChanges: EntityChanges {
  typealias Entity = Good
  var name: Change<String>?
  var supplier: Change<SupplierID>?
}

/// The commands about goods.
enum GoodCommand: Recordable, Equatable {
  case add(name: String, supplier: String)
}

/// The reasons for which they are refused.
enum GoodRefusal: Recordable, Error, Hashable {
  case supplier(SupplierRefusal)
}

/// The decisions about goods.
enum Goods: EntityModule {
  typealias ID = GoodID
  typealias Changes = GoodChanges
  typealias Command = GoodCommand
  typealias Refusal = GoodRefusal

  /// Adds a good and, in the same batch, its supplier.
  static func decide(
    _ command: GoodCommand, in editor: inout EntityEditor<DepotEdit>
  ) throws(GoodRefusal) {
    switch command {
    case .add(let name, let supplier):
      let id = editor.state.suppliers.nextID
      do throws(SupplierRefusal) {
        try Suppliers.decide(.add(name: supplier), in: &editor)
      } catch {
        throw .supplier(error)
      }
      editor.insert(Good(name: name, supplier: id), of: Goods.self)
    }
  }
}

/// The entities, a line for each.
///
/// The generator writes `DepotCommand`, `DepotEdit` and `DepotRefusal` from it.
enum DepotEntities: EntityList {
  typealias State = DepotState
  case supplier(Suppliers)
  case good(Goods)
}

/// The state: a table for each entity.
struct DepotState: EntityState, RecordedState {
  var suppliers: EntityTable<SupplierID, Supplier> = EntityTable()
  var goods: EntityTable<GoodID, Good> = EntityTable()
  var undoableFacts: Int64 = 0
}

/// The app.
enum DepotApp: UndoableApp {
  typealias Environment = Never
  typealias Route = NotesRoute
  typealias SceneAction = Never
  typealias Action = EntityFact<DepotEdit>

  static var name: String { "depot" }
  static var build: String { "1" }
  static var reducer: EntityReducer<DepotEntities, Never> { EntityReducer() }
  static var decider: EntityDecider<DepotEntities> { EntityDecider() }
  static var initialState: DepotState { DepotState() }

  static func action(for sceneAction: Never) -> EntityFact<DepotEdit> {}
  static func role(of action: EntityFact<DepotEdit>) -> ActionRole<DepotCommand> { .fact }
  static func violations(of state: borrowing DepotState) -> [Violation] {
    DepotEntities.violations(of: state)
  }

  static func edits(of fact: EntityFact<DepotEdit>) -> [DepotEdit] { fact.undoableEdits }
  static func editCount(in state: borrowing DepotState) -> Int64 { state.undoableFacts }
  static func command(for restore: Restore<DepotEdit>) -> DepotCommand { .restore(restore) }
  static func restored(in fact: EntityFact<DepotEdit>) -> Restored<DepotEdit>? {
    fact.restoredEdits
  }
  static func isStaleRestore(_ refusal: DepotRefusal) -> Bool { refusal == .staleRestore }

  static func scenes(in state: DepotState) -> [SceneID] { [] }
  static func backStack(
    of scene: SceneID, in state: DepotState
  ) -> BackStack<NotesRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: DepotState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(lines: []) }
}

/// Adds a good with its supplier, and undoes both at once.
func fillDepot(at path: String) throws -> Bool {
  var configuration = StoreConfiguration()
  configuration.origin.login = "anna"
  let store = try Store<DepotApp>.openBlocking(at: path, configuration: configuration)
  try store.performBlocking(.good(.add(name: "tea", supplier: "leaf")))
  try store.performBlocking(.supplier(.rename(SupplierID(value: 0), to: "leaves")))
  try store.undoBlocking()
  let name = store.state.suppliers[SupplierID(value: 0)]?.name
  try store.undoBlocking()
  try store.closeBlocking()
  return name == "leaf" && store.state.goods.isEmpty && store.state.suppliers.isEmpty
}
