import RetraceArchitecture
import RetraceAvro
package import RetraceState

/// The id of an item.
package struct KioskItemID: EntityID { var number: Int64 }

/// An item that the kiosk sells.
package struct KioskItem: TableEntity, Hashable {
  /// The name, unique among the items.
  package var name: String
  /// The number in stock, never below zero.
  package var stock: Int64
  /// The price in cents, above zero.
  package var price: Int64
  /// The number of the last price that the supplier announced; 0 before the first.
  package var announcement: Int64 = 0
  /// Makes an item; by default without stock, for one cent.
  package init(name: String, stock: Int64 = 0, price: Int64 = 1) {
    self.name = name
    self.stock = stock
    self.price = price
  }
}

/// The changes of an item's fields.
package struct KioskItemChanges: EntityChanges {
  /// The entity.
  package typealias Entity = KioskItem

  /// The change of the name.
  package var name: Change<String>?
  /// The change of the stock.
  package var stock: Change<Int64>?
  /// The change of the price.
  package var price: Change<Int64>?
  /// The change of the number of the last announced price.
  package var announcement: Change<Int64>?
}

/// An edit of the kiosk's only table.
package enum KioskEdit: UndoableEdit {
  /// An item changed.
  case item(EntityEdit<KioskItemID, KioskItemChanges>)

  /// The edit that takes this one back.
  package var inverted: KioskEdit {
    switch self {
    case .item(let edit): .item(edit.inverted)
    }
  }

  /// The fields that the edit sets, or the whole entity.
  package var fields: [UnrestoredField] {
    switch self {
    case .item(let edit): edit.fields
    }
  }

  /// Returns the part of the edit that overwrites nothing but the values that it expects.
  package func restorable(
    on state: borrowing KioskState, excluding excluded: [UnrestoredField]
  ) -> RestorablePart<KioskEdit> {
    switch self {
    case .item(let edit):
      edit.restorable(in: state.items, excluding: excluded).map { .item($0) }
    }
  }

  /// Returns the edit without what is so already.
  package func rebased(
    on state: borrowing KioskState, overwriting: Bool
  ) -> KioskEdit? {
    switch self {
    case .item(let edit):
      edit.rebased(on: state.items, overwriting: overwriting).map { .item($0) }
    }
  }

  /// Carries the edit out, and keeps the total.
  package func apply(to state: inout KioskState) {
    switch self {
    case .item(let edit):
      let before = state.items[edit.id]?.stock ?? 0
      edit.apply(to: &state.items)
      state.total &+= (state.items[edit.id]?.stock ?? 0) &- before
    }
  }
}
