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

  /// Passes the prices that the supplier announces for an item on, each until it is recorded;
  /// returns when no more come, which by default is at once.
  package var prices:
    @Sendable (KioskItemID, (KioskPrice) async throws -> Void) async throws -> Void = { _, _ in }

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

/// A price that the supplier announces.
package struct KioskPrice: Hashable, Sendable {
  /// The number of the announcement, which increases.
  package var number: Int64
  /// The price in cents.
  package var price: Int64
  /// Makes a price.
  package init(number: Int64, price: Int64) {
    self.number = number
    self.price = price
  }
}

/// A subscription to the prices of an item, each of which becomes a command.
package struct KioskPrices: StreamingLeaf, Hashable {
  /// The item.
  package var item: KioskItemID

  /// Asks for a command for each price.
  package func run(in desk: KioskDesk, send: EffectSender<KioskAction>) async throws {
    try await desk.prices(item) { price in
      try await send(.request(.announce(item, price: price.price, number: price.number)))
    }
  }

  /// Another process goes on with it.
  package var interruptionPolicy: StreamInterruptionPolicy<KioskAction> { .resume }
}
