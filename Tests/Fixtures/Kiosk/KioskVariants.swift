package import RetraceArchitecture
import RetraceAvro
package import RetraceState

/// A kiosk whose orders answer with what its desk says.
package enum ErrandKiosk: KioskVariant {
  /// The reducer.
  package static var reducer: ErrandKioskReducer { ErrandKioskReducer() }
  /// The decider.
  package static var decider: KioskDecider { KioskDecider() }
}

/// The reducer of an ``ErrandKiosk``.
package struct ErrandKioskReducer: Reducer {
  /// Reduces an action; an order starts a ``KioskErrand`` in place of a ``KioskOrder``.
  package func reduce(
    _ state: inout KioskState, _ action: KioskAction, at moment: Moment
  ) -> Effect<KioskAction, KioskDesk> {
    let effect = KioskReducer().reduce(&state, action, at: moment)
    guard case .scene(.window(let id, .orderPressed)) = action else { return effect }
    let item = state.windows[id]?.selection ?? KioskItemID(value: 0)
    return .run(KioskErrand(inPlace: .restock(item, count: 1)))
  }
}

/// An effect that answers with what the desk says, or, if its program ends first, with a command.
package struct KioskErrand: EffectLeaf {
  /// The command.
  package var inPlace: KioskCommand
  /// Makes the leaf.
  package init(inPlace: KioskCommand) { self.inPlace = inPlace }

  /// Returns what the desk says.
  package func run(in desk: KioskDesk) async throws -> [KioskAction] { try await desk.errand() }

  /// The command is asked for in place of the answer.
  package var interruptionPolicy: InterruptionPolicy<KioskAction> { .send(.request(inPlace)) }
}
