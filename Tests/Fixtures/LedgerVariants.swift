package import RetraceArchitecture
package import RetraceState

/// A ledger with a bug in its decider: it lets an account be overdrawn by 5.
package enum OverdrawnLedger: LedgerVariant {
  /// The decider with the bug.
  package struct Overdrawing: Decider {
    /// Decides a command.
    package func decide(
      _ command: LedgerCommand, on state: borrowing LedgerState, at moment: Moment
    ) throws(LedgerRefusal) -> [LedgerAction] {
      if case .withdraw(let id, let amount) = command, let account = state.accounts[id],
        amount > account.balance, amount <= account.balance + 5
      {
        return [.balanceChanged(id, from: account.balance, to: account.balance - amount)]
      }
      return try LedgerDecider().decide(command, on: state, at: moment)
    }
  }

  /// The reducer.
  package static var reducer: LedgerReducer { LedgerReducer() }
  /// The decider.
  package static var decider: Overdrawing { Overdrawing() }
}

/// A ledger with a bug in its reducer: it forgets new names.
package enum ForgetfulLedger: LedgerVariant {
  /// The reducer with the bug.
  package struct Forgetful: Reducer {
    /// Reduces a fact.
    package func reduce(
      _ state: inout LedgerState, _ action: LedgerAction, at moment: Moment
    ) -> Effect<LedgerAction, Never> {
      if case .renamed = action { return .none }
      return LedgerReducer().reduce(&state, action, at: moment)
    }
  }

  /// The reducer.
  package static var reducer: Forgetful { Forgetful() }
  /// The decider.
  package static var decider: LedgerDecider { LedgerDecider() }
}

/// A ledger whose facts can be sent without a command, for tests of logs that have such facts.
package enum UnguardedLedger: LedgerVariant {
  /// The facts themselves.
  package typealias SceneAction = LedgerAction

  /// The reducer.
  package static var reducer: LedgerReducer { LedgerReducer() }
  /// The decider.
  package static var decider: LedgerDecider { LedgerDecider() }
  /// Returns the fact.
  package static func action(for fact: LedgerAction) -> LedgerAction { fact }
  /// Returns the role of an action that is sent.
  package static func role(of action: LedgerAction) -> ActionRole<LedgerCommand> { .scene }
}
