import Retrace

/// The id of an item.
struct ItemID: EntityID { var number: Int64 }

/// An item of the list.
struct Item: TableEntity {
  /// Its name.
  var name: String
  /// Whether it is done.
  var isDone: Bool = false
}

/// What can be asked for.
enum ItemCommand: Recordable, Equatable {
  case add(name: String)
  case rename(ItemID, to: String)
  case finish(ItemID)
  /// Remove an item that is done.
  case putAway(ItemID)
}

/// Why it can be refused.
enum ItemRefusal: Recordable, Error, Hashable, CustomStringConvertible {
  case hasNoName
  case isGone(ItemID)
  case isNotDone(ItemID)

  /// The text for the user.
  var description: String {
    switch self {
    case .hasNoName: "An item needs a name."
    case .isGone: "The item was removed."
    case .isNotDone: "The item is not done."
    }
  }
}

/// The decisions about items, and their rules.
enum Items: EntityModule {
  typealias ID = ItemID

  static func decide(
    _ command: ItemCommand, in editor: inout EntityEditor<StarterEdit>
  ) throws(ItemRefusal) {
    switch command {
    case .add(let name): editor.insert(Item(name: try checked(name)), of: Items.self)
    case .rename(let id, let name):
      let name = try checked(name)
      try editor.change(id, of: Items.self, else: .isGone(id)) { $0.name = name }
    case .finish(let id):
      try editor.change(id, of: Items.self, else: .isGone(id)) { $0.isDone = true }
    case .putAway(let id):
      let item = try editor.entity(id, of: Items.self, else: .isGone(id))
      guard item.isDone else { throw .isNotDone(id) }
      editor.remove(id, of: Items.self)
    }
  }

  static func violations(of state: borrowing ItemsState) -> [Violation] {
    var violations: [Violation] = []
    state.items.forEach { id, item in
      if item.name.utf8.isEmpty {
        violations.append(Violation(of: "an item has a name", "Item=\(id.number)"))
      }
    }
    return violations
  }

  private static func checked(_ name: String) throws(ItemRefusal) -> String {
    guard !name.utf8.isEmpty else { throw .hasNoName }
    return name
  }
}

/// The entities of the app: a line for each.
enum StarterEntities: EntityList {
  typealias State = ItemsState
  case item(Items)
}

/// The tables of the entities.
struct ItemsState: EntityState, RecordedState {
  var items: EntityTable<ItemID, Item> = EntityTable()
  var undoableFacts: Int64 = 0
}
