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
  /// Some of an item were sold.
  case sold(KioskItemID, stock: Change<Int64>)
  /// Some of an item were delivered.
  case restocked(KioskItemID, stock: Change<Int64>)
  /// The price of an item changed.
  case repriced(KioskItemID, price: Change<Int64>)
  /// The supplier announced the price of an item.
  case announced(KioskItemID, price: Change<Int64>, number: Change<Int64>)
  /// A change was undone or redone.
  case restored(Restored<KioskEdit>)

  /// The edits that the fact made.
  package var edits: [KioskEdit] {
    switch self {
    case .added(let id, let insertion): return [.item(.inserted(id, insertion))]
    case .sold(let id, let stock), .restocked(let id, let stock):
      var changes = KioskItemChanges()
      changes.stock = stock
      return [.item(.changed(id, changes))]
    case .repriced(let id, let price):
      var changes = KioskItemChanges()
      changes.price = price
      return [.item(.changed(id, changes))]
    case .announced(let id, let price, let number):
      var changes = KioskItemChanges()
      (changes.price, changes.announcement) = (price, number)
      return [.item(.changed(id, changes))]
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
