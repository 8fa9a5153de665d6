package import RetraceArchitecture
import RetraceAvro
package import RetraceRandom
package import RetraceState

/// The commands of the kiosk.
package indirect enum KioskCommand: Recordable, Equatable {
  /// Add an item without stock.
  case add(name: String, price: Int64)
  /// Sell some of an item.
  case sell(KioskItemID, count: Int64)
  /// Add what was delivered to the stock of an item.
  case restock(KioskItemID, count: Int64)
  /// Move some of the stock of an item to another item.
  case move(from: KioskItemID, to: KioskItemID, count: Int64)
  /// Change the price of an item.
  case reprice(KioskItemID, price: Int64)
  /// Change the name of an item.
  case rename(KioskItemID, to: String)
  /// Take over a price that the supplier announced; each number once.
  case announce(KioskItemID, price: Int64, number: Int64)
  /// Remove an item without stock.
  case remove(KioskItemID)
  /// Carry out commands together, or none of them.
  case together([KioskCommand])
  /// Undo or redo a change.
  case restore(Restore<KioskEdit>)

  /// Add an item without stock, for one cent.
  package static func add(name: String) -> KioskCommand { .add(name: name, price: 1) }

  /// Returns a random command about one of eight items; about half of them are refused.
  package static func random(
    using random: inout SeededGenerator, depth: Int = 0
  ) -> KioskCommand {
    let id = KioskItemID(value: Int64.random(in: 0..<8, using: &random))
    let count = Int64.random(in: -1...100, using: &random)
    let letter = UInt8.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<(depth == 0 ? 12 : 11), using: &random) {
    case 0...1: return .add(name: letter == 0 ? "" : "n\(letter)", price: count)
    case 2...4: return .restock(id, count: count)
    case 5...6: return .sell(id, count: count)
    case 7:
      let target = KioskItemID(value: Int64.random(in: 0..<8, using: &random))
      return .move(from: id, to: target, count: count)
    case 8: return .rename(id, to: "n\(letter)")
    case 9: return .remove(id)
    case 10: return .reprice(id, price: count)
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .together((0..<count).map { _ in .random(using: &random, depth: depth + 1) })
    }
  }
}

/// The refusals of the kiosk.
package enum KioskRefusal: Recordable, Error, Hashable {
  /// There is no such item.
  case noItem(KioskItemID)
  /// An item needs a name.
  case nameEmpty
  /// Another item has the name.
  case nameTaken(String)
  /// A price is above zero.
  case invalidPrice(Int64)
  /// The count is not above zero, or the stock would be too large.
  case invalidCount(Int64)
  /// There are fewer in stock than asked for.
  case outOfStock(KioskItemID, stock: Int64)
  /// The item is still in stock.
  case notEmpty(KioskItemID, stock: Int64)
  /// The number of an announced price is not above the last one.
  case alreadyAnnounced(Int64)
  /// Another fact came before the undo or redo.
  case staleRestore
}

/// The decider of the kiosk.
package struct KioskDecider: Decider {
  /// The largest stock of an item.
  package static var stockMax: Int64 { 1_000_000_000 }

  /// Makes a decider.
  package init() {}

  /// Decides a command.
  package func decide(
    _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
  ) throws(KioskRefusal) -> [KioskAction] {
    switch command {
    case .add(let name, let price):
      guard !name.utf8.isEmpty else { throw .nameEmpty }
      guard state.item(named: name) == nil else { throw .nameTaken(name) }
      guard price > 0 else { throw .invalidPrice(price) }
      let item = KioskItem(name: name, price: price)
      return [.fact(.added(state.items.nextID, Insertion(item)))]
    case .sell(let id, let count): return [try sell(count, of: id, on: state)]
    case .restock(let id, let count): return [try restock(count, of: id, on: state)]
    case .move(let source, let target, let count):
      if source == target { return [] }
      return [
        try sell(count, of: source, on: state), try restock(count, of: target, on: state),
      ]
    case .reprice(let id, let price):
      let before = try item(id, on: state).price
      guard price > 0 else { throw .invalidPrice(price) }
      if price == before { return [] }
      return [.fact(.repriced(id, price: Change(from: before, to: price)))]
    case .rename(let id, let name):
      let before = try item(id, on: state).name
      if before.utf8.elementsEqual(name.utf8) { return [] }
      guard !name.utf8.isEmpty else { throw .nameEmpty }
      guard state.item(named: name) == nil else { throw .nameTaken(name) }
      return [.renamed(id, from: before, to: name)]
    case .announce(let id, let price, let number):
      let item = try item(id, on: state)
      guard number > item.announcement else { throw .alreadyAnnounced(number) }
      guard price > 0 else { throw .invalidPrice(price) }
      let change = Change(from: item.announcement, to: number)
      return [.fact(.announced(id, price: Change(from: item.price, to: price), number: change))]
    case .remove(let id):
      let item = try item(id, on: state)
      guard item.stock == 0 else { throw .notEmpty(id, stock: item.stock) }
      return [.fact(.removed(id, Removal(item)))]
    case .together(let commands):
      return try decideTogether(commands, on: state, at: moment, reducingWith: KioskReducer())
    case .restore(let restore):
      return [.fact(.restored(try decide(restore, on: state)))]
    }
  }

  /// Decides an undo or a redo; leaves out what would give two items one name.
  private func decide(
    _ restore: Restore<KioskEdit>, on state: borrowing KioskState
  ) throws(KioskRefusal) -> Restored<KioskEdit> {
    do throws(StaleRestore) {
      return try restore.decide(on: state, count: state.factCount) { _, state in
        KioskApp.violations(of: state).isEmpty
      }
    } catch {
      throw .staleRestore
    }
  }

  private func item(
    _ id: KioskItemID, on state: borrowing KioskState
  ) throws(KioskRefusal) -> KioskItem {
    guard let item = state.items[id] else { throw .noItem(id) }
    return item
  }
  private func sell(
    _ count: Int64, of id: KioskItemID, on state: borrowing KioskState
  ) throws(KioskRefusal) -> KioskAction {
    let stock = try item(id, on: state).stock
    guard count > 0 else { throw .invalidCount(count) }
    guard count <= stock else { throw .outOfStock(id, stock: stock) }
    return .stockChanged(id, from: stock, to: stock - count)
  }

  private func restock(
    _ count: Int64, of id: KioskItemID, on state: borrowing KioskState
  ) throws(KioskRefusal) -> KioskAction {
    let stock = try item(id, on: state).stock
    guard count > 0, count <= Self.stockMax - stock else { throw .invalidCount(count) }
    return .stockChanged(id, from: stock, to: stock + count)
  }
}
