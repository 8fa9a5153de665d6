package import RetraceArchitecture
import RetraceAvro
package import RetraceScreen
package import RetraceState

/// The actions of a window.
package enum KioskWindowAction: Recordable, Equatable {
  /// An item was selected, or none.
  case selected(KioskItemID?)
  /// The name of a new item was edited.
  case edited(TextReplacement)
  /// The list of keys was shown or hidden.
  case helpToggled
  /// Whether the supplier's prices of the selected item are taken over from now on.
  case followed(Bool)
  /// The selected item was ordered from the supplier.
  case orderPressed
  /// The supplier could not deliver.
  case orderFailed(String)
  /// The answer of an effect that asks for a command.
  case request(KioskCommand)
}

/// The actions that a caller sends: those about windows.
package enum KioskSceneAction: Recordable, Equatable, Composed {
  /// A window was opened.
  case opened(SceneID)
  /// A window was closed.
  case closed(SceneID)
  /// An action of a window.
  case window(SceneID, KioskWindowAction)
}

/// The facts of the kiosk.
package enum KioskFact: Recordable, Equatable {
  /// An item was added.
  case added(KioskItemID, Insertion<KioskItem>)
  /// The stock of an item changed.
  case stockChanged(KioskItemID, stock: Change<Int64>)
  /// The price of an item changed.
  case repriced(KioskItemID, price: Change<Int64>)
  /// The name of an item changed.
  case renamed(KioskItemID, name: Change<String>)
  /// The supplier announced the price of an item.
  case announced(KioskItemID, price: Change<Int64>, number: Change<Int64>)
  /// An item was removed.
  case removed(KioskItemID, Removal<KioskItem>)
  /// A change was undone or redone.
  case restored(Restored<KioskEdit>)

  /// The edits that the fact made.
  package var edits: [KioskEdit] {
    var changes = KioskItemChanges()
    switch self {
    case .added(let id, let insertion): return [.item(.inserted(id, insertion))]
    case .stockChanged(let id, let stock):
      changes.stock = stock
      return [.item(.changed(id, changes))]
    case .repriced(let id, let price):
      changes.price = price
      return [.item(.changed(id, changes))]
    case .renamed(let id, let name):
      changes.name = name
      return [.item(.changed(id, changes))]
    case .announced(let id, let price, let number):
      (changes.price, changes.announcement) = (price, number)
      return [.item(.changed(id, changes))]
    case .removed(let id, let removal): return [.item(.removed(id, removal))]
    case .restored(let restored): return restored.edits
    }
  }
}

/// The actions of the kiosk.
package enum KioskAction: Recordable, Equatable, Composed {
  /// What happened in a window.
  case scene(KioskSceneAction)
  /// What a decider returned.
  case fact(KioskFact)
  /// The answer of an effect that asks for a command.
  case request(KioskCommand)
}

extension KioskAction {
  /// An item without stock was added.
  package static func added(_ id: KioskItemID, name: String) -> KioskAction {
    .fact(.added(id, Insertion(KioskItem(name: name))))
  }

  /// The stock of an item changed.
  package static func stockChanged(
    _ id: KioskItemID, from before: Int64, to after: Int64
  ) -> KioskAction {
    .fact(.stockChanged(id, stock: Change(from: before, to: after)))
  }

  /// The name of an item changed.
  package static func renamed(
    _ id: KioskItemID, from before: String, to after: String
  ) -> KioskAction {
    .fact(.renamed(id, name: Change(from: before, to: after)))
  }

  /// An item without stock was removed.
  package static func removed(_ id: KioskItemID, name: String) -> KioskAction {
    .fact(.removed(id, Removal(KioskItem(name: name))))
  }
}
