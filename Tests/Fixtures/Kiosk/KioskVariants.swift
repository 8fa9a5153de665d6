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

  /// Returns what the desk says.
  package func run(in desk: KioskDesk) async throws -> [KioskAction] { try await desk.errand() }

  /// The command is asked for in place of the answer.
  package var interruptionPolicy: InterruptionPolicy<KioskAction> { .send(.request(inPlace)) }
}

/// A kiosk with a bug in its decider: it sells up to 5 more of an item than are in stock.
package enum OversoldKiosk: KioskVariant {
  /// The decider with the bug.
  package struct Overselling: Decider {
    /// Decides a command.
    package func decide(
      _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
    ) throws(KioskRefusal) -> [KioskAction] {
      if case .sell(let id, let count) = command, let item = state.items[id],
        count > item.stock, count <= item.stock + 5
      {
        return [.stockChanged(id, from: item.stock, to: item.stock - count)]
      }
      return try KioskDecider().decide(command, on: state, at: moment)
    }
  }

  /// The reducer.
  package static var reducer: KioskReducer { KioskReducer() }
  /// The decider.
  package static var decider: Overselling { Overselling() }
}

/// A kiosk with a bug in its reducer: it forgets new names.
package enum ForgetfulKiosk: KioskVariant {
  /// The reducer with the bug.
  package struct Forgetful: Reducer {
    /// Reduces an action.
    package func reduce(
      _ state: inout KioskState, _ action: KioskAction, at moment: Moment
    ) -> Effect<KioskAction, KioskDesk> {
      if case .fact(.renamed) = action { return .none }
      return KioskReducer().reduce(&state, action, at: moment)
    }
  }

  /// The reducer.
  package static var reducer: Forgetful { Forgetful() }
  /// The decider.
  package static var decider: KioskDecider { KioskDecider() }
}

/// A kiosk whose facts can be sent without a command, for tests of logs that have such facts.
package enum UnguardedKiosk: KioskVariant {
  /// The facts themselves.
  package typealias SceneAction = KioskAction

  /// The reducer.
  package static var reducer: KioskReducer { KioskReducer() }
  /// The decider.
  package static var decider: KioskDecider { KioskDecider() }
  /// Returns the fact.
  package static func action(for fact: KioskAction) -> KioskAction { fact }
  /// Returns the role of an action that is sent.
  package static func role(of action: KioskAction) -> ActionRole<KioskCommand> { .scene }
}
