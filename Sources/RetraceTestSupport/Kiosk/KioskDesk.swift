package import RetraceArchitecture
import RetraceAvro

/// The environment of the kiosk: the supplier, as a test says how it behaves.
package struct KioskDesk: Sendable {
  /// The error of a supplier that cannot deliver.
  package struct NotDelivered: Error, CustomStringConvertible {
    /// The reason.
    package let description: String
    /// Makes the error.
    package init(_ description: String) { self.description = description }
  }

  /// Orders an item, and returns the number delivered.
  package var order: @Sendable (KioskOrder) async throws -> Int64
  /// Returns the answer of a ``KioskErrand``; none by default.
  package var errand: @Sendable () async throws -> [KioskAction] = { [] }

  /// Makes a desk; by default the supplier delivers what was ordered, at once.
  package init(order: @escaping @Sendable (KioskOrder) async throws -> Int64 = { $0.count }) {
    self.order = order
  }
}

/// An order at the supplier, which ends with the command to add what was delivered to the stock.
package struct KioskOrder: EffectLeaf, Hashable {
  /// The number that a window orders.
  package static var size: Int64 { 10 }

  /// The item.
  package var item: KioskItemID
  /// The number ordered.
  package var count: Int64

  /// Makes an order.
  package init(item: KioskItemID, count: Int64) {
    self.item = item
    self.count = count
  }

  /// Orders at the desk, and returns the command, or the reason why nothing was delivered.
  package func run(in desk: KioskDesk) async throws -> [KioskWindowAction] {
    do {
      return [.request(.restock(item, count: try await desk.order(self)))]
    } catch let error as KioskDesk.NotDelivered {
      return [.orderFailed(error.description)]
    }
  }

  /// An order runs again.
  package var interruptionPolicy: InterruptionPolicy<KioskWindowAction> { .run }
}
