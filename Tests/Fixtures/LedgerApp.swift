package import RetraceArchitecture
package import RetraceAvro
package import RetraceScreen
package import RetraceState
package import RetraceTesting

/// The id of an account.
package struct AccountID: EntityID { var number: Int64 }

/// An account with a name and a balance.
package struct Account: TableEntity, Hashable {
  /// The name, unique among the open accounts.
  package var name: String
  /// The balance, never below zero.
  package var balance: Int64
  /// Makes an account.
  package init(name: String, balance: Int64) {
    self.name = name
    self.balance = balance
  }
}

/// The changes of an account's fields.
package struct AccountChanges: EntityChanges {
  /// The entity.
  package typealias Entity = Account

  /// The change of the name.
  package var name: Change<String>?
  /// The change of the balance.
  package var balance: Change<Int64>?
  /// Makes a value without changes.
  package init() {}
}

/// An edit of the ledger: of its only table.
package enum LedgerEdit: UndoableEdit {
  /// An account changed.
  case account(EntityEdit<AccountID, AccountChanges>)

  /// The edit that takes this one back.
  package var inverted: LedgerEdit {
    switch self {
    case .account(let edit): .account(edit.inverted)
    }
  }

  /// The fields that the edit sets, or the whole entity.
  package var fields: [UnrestoredField] {
    switch self {
    case .account(let edit): edit.fields
    }
  }

  /// Returns the part of the edit that overwrites nothing but the values that it expects.
  package func restorable(
    on state: borrowing LedgerState, excluding excluded: [UnrestoredField]
  ) -> RestorablePart<LedgerEdit> {
    switch self {
    case .account(let edit):
      edit.restorable(in: state.accounts, excluding: excluded).map { .account($0) }
    }
  }

  /// Carries the edit out, and keeps the total.
  package func apply(to state: inout LedgerState) {
    switch self {
    case .account(let edit):
      let before = state.accounts[edit.id]?.balance ?? 0
      edit.apply(to: &state.accounts)
      state.total &+= (state.accounts[edit.id]?.balance ?? 0) &- before
    }
  }
}

/// The state of the ledger.
package struct LedgerState: RecordedState {
  /// The open accounts.
  package var accounts: EntityTable<AccountID, Account> = EntityTable()
  /// The sum of all deposits less all withdrawals.
  package var total: Int64 = 0
  /// The number of facts so far.
  package var factCount: Int64 = 0
  /// Makes the state before the first record.
  package init() {}

  /// Whether an open account has a name.
  package func hasAccount(named name: String) -> Bool {
    var found = false
    accounts.forEach { _, account in if account.name.utf8.elementsEqual(name.utf8) { found = true }
    }
    return found
  }
}

/// The facts of the ledger.
package enum LedgerAction: Recordable, Equatable {
  /// An account was opened.
  case opened(AccountID, Insertion<Account>)
  /// The balance of an account changed.
  case balanceChanged(AccountID, balance: Change<Int64>)
  /// The name of an account changed.
  case renamed(AccountID, name: Change<String>)
  /// An account was closed.
  case closed(AccountID, Removal<Account>)
  /// A change was undone or redone.
  case restored(Restored<LedgerEdit>)
}

extension LedgerAction {
  /// An account with a balance of 0 was opened.
  package static func opened(_ id: AccountID, name: String) -> LedgerAction {
    .opened(id, Insertion(Account(name: name, balance: 0)))
  }

  /// The balance of an account changed.
  package static func balanceChanged(
    _ id: AccountID, from before: Int64, to after: Int64
  ) -> LedgerAction {
    .balanceChanged(id, balance: Change(from: before, to: after))
  }

  /// An account with a balance of 0 was closed.
  package static func closed(_ id: AccountID, name: String) -> LedgerAction {
    .closed(id, Removal(Account(name: name, balance: 0)))
  }

  /// The edits that the fact made.
  package var edits: [LedgerEdit] {
    switch self {
    case .opened(let id, let insertion): return [.account(.inserted(id, insertion))]
    case .balanceChanged(let id, let balance):
      var changes = AccountChanges()
      changes.balance = balance
      return [.account(.changed(id, changes))]
    case .renamed(let id, let name):
      var changes = AccountChanges()
      changes.name = name
      return [.account(.changed(id, changes))]
    case .closed(let id, let removal): return [.account(.removed(id, removal))]
    case .restored(let restored): return restored.edits
    }
  }
}

/// The commands of the ledger.
package indirect enum LedgerCommand: Recordable, Equatable {
  /// Open an account.
  case open(name: String)
  /// Put money into an account.
  case deposit(AccountID, amount: Int64)
  /// Take money out of an account.
  case withdraw(AccountID, amount: Int64)
  /// Move money between two accounts.
  case transfer(from: AccountID, to: AccountID, amount: Int64)
  /// Change the name of an account.
  case rename(AccountID, to: String)
  /// Close an empty account.
  case close(AccountID)
  /// Carry out commands together, or none of them.
  case together([LedgerCommand])
  /// Undo or redo a change.
  case restore(Restore<LedgerEdit>)

  /// Returns a random command about one of eight accounts; about half of them are refused.
  package static func random(
    using random: inout SeededGenerator, depth: Int = 0
  ) -> LedgerCommand {
    let id = AccountID(value: Int64.random(in: 0..<8, using: &random))
    let amount = Int64.random(in: -1...100, using: &random)
    let name = "n\(UInt8.random(in: 0..<6, using: &random))"
    switch Int.random(in: 0..<(depth == 0 ? 11 : 10), using: &random) {
    case 0...1: return .open(name: name)
    case 2...4: return .deposit(id, amount: amount)
    case 5...6: return .withdraw(id, amount: amount)
    case 7:
      let target = AccountID(value: Int64.random(in: 0..<8, using: &random))
      return .transfer(from: id, to: target, amount: amount)
    case 8: return .rename(id, to: name)
    case 9: return .close(id)
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .together((0..<count).map { _ in .random(using: &random, depth: depth + 1) })
    }
  }
}

/// The refusals of the ledger.
package enum LedgerRefusal: Recordable, Error, Hashable {
  /// There is no such account.
  case noAccount(AccountID)
  /// Another open account has the name.
  case nameTaken(String)
  /// The amount is not above zero, or the balance would be too large.
  case invalidAmount(Int64)
  /// The account has less money than asked for.
  case insufficientFunds(AccountID, balance: Int64)
  /// The account still has money.
  case notEmpty(AccountID, balance: Int64)
  /// Another fact came before the undo or redo.
  case staleRestore
}

/// The decider of the ledger's commands.
package struct LedgerDecider: Decider {
  /// The largest balance of an account.
  package static var balanceMax: Int64 { 1_000_000_000 }

  /// Makes a decider.
  package init() {}

  /// Decides a command.
  package func decide(
    _ command: LedgerCommand, on state: borrowing LedgerState, at moment: Moment
  ) throws(LedgerRefusal) -> [LedgerAction] {
    switch command {
    case .open(let name):
      if state.hasAccount(named: name) { throw .nameTaken(name) }
      return [.opened(state.accounts.nextID, name: name)]
    case .deposit(let id, let amount): return [try deposit(amount, into: id, on: state)]
    case .withdraw(let id, let amount): return [try withdraw(amount, from: id, on: state)]
    case .transfer(let source, let target, let amount):
      if source == target { return [] }
      return [
        try withdraw(amount, from: source, on: state), try deposit(amount, into: target, on: state),
      ]
    case .rename(let id, let name):
      let account = try account(id, on: state)
      if account.name.utf8.elementsEqual(name.utf8) { return [] }
      if state.hasAccount(named: name) { throw .nameTaken(name) }
      return [.renamed(id, name: Change(from: account.name, to: name))]
    case .close(let id):
      let account = try account(id, on: state)
      guard account.balance == 0 else { throw .notEmpty(id, balance: account.balance) }
      return [.closed(id, Removal(account))]
    case .together(let commands):
      return try decideTogether(commands, on: state, at: moment, reducingWith: LedgerReducer())
    case .restore(let restore): return [.restored(try decide(restore, on: state))]
    }
  }

  /// Decides an undo or a redo; leaves out what would give two accounts one name.
  private func decide(
    _ restore: Restore<LedgerEdit>, on state: borrowing LedgerState
  ) throws(LedgerRefusal) -> Restored<LedgerEdit> {
    do throws(StaleRestore) {
      return try restore.decide(on: state, count: state.factCount) { _, state in
        var names: Set<[UInt8]> = []
        var isUnique = true
        state.accounts.forEach { _, account in
          if !names.insert(Array(account.name.utf8)).inserted { isUnique = false }
        }
        return isUnique
      }
    } catch {
      throw .staleRestore
    }
  }

  private func account(
    _ id: AccountID, on state: borrowing LedgerState
  ) throws(LedgerRefusal) -> Account {
    guard let account = state.accounts[id] else { throw .noAccount(id) }
    return account
  }

  private func deposit(
    _ amount: Int64, into id: AccountID, on state: borrowing LedgerState
  ) throws(LedgerRefusal) -> LedgerAction {
    let balance = try account(id, on: state).balance
    guard amount > 0, amount <= Self.balanceMax - balance else { throw .invalidAmount(amount) }
    return .balanceChanged(id, from: balance, to: balance + amount)
  }

  private func withdraw(
    _ amount: Int64, from id: AccountID, on state: borrowing LedgerState
  ) throws(LedgerRefusal) -> LedgerAction {
    let balance = try account(id, on: state).balance
    guard amount > 0 else { throw .invalidAmount(amount) }
    guard amount <= balance else { throw .insufficientFunds(id, balance: balance) }
    return .balanceChanged(id, from: balance, to: balance - amount)
  }
}

/// The reducer of the ledger's facts.
package struct LedgerReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Reduces a fact; one about a missing account changes nothing.
  package func reduce(
    _ state: inout LedgerState, _ action: LedgerAction, at moment: Moment
  ) -> Effect<LedgerAction, Never> {
    state.factCount &+= 1
    for edit in action.edits { edit.apply(to: &state) }
    return .none
  }
}

/// An app for tests whose facts come from commands; variants differ only in decider or reducer.
package protocol LedgerVariant: UndoableApp
where
  State == LedgerState, Action == LedgerAction, Route == CounterRoute, Environment == Never,
  Edit == LedgerEdit, Command == LedgerCommand, Refusal == LedgerRefusal
{}

extension LedgerVariant {
  package static var name: String { "ledger" }
  package static var build: String { "test" }
  package static var initialState: LedgerState { LedgerState() }
  package static func scenes(in state: LedgerState) -> [SceneID] { [SceneID(value: 0)] }
  package static func action(for sceneAction: Never) -> LedgerAction {}
  package static func role(of action: LedgerAction) -> ActionRole<LedgerCommand> { .fact }
  package static func edits(of fact: LedgerAction) -> [LedgerEdit] { fact.edits }
  package static func editCount(in state: borrowing LedgerState) -> Int64 { state.factCount }
  package static func command(for restore: Restore<LedgerEdit>) -> LedgerCommand {
    .restore(restore)
  }
  package static func restored(in fact: LedgerAction) -> Restored<LedgerEdit>? {
    if case .restored(let restored) = fact { restored } else { nil }
  }
  package static func isStaleRestore(_ refusal: LedgerRefusal) -> Bool { refusal == .staleRestore }
  package static func violations(of state: borrowing LedgerState) -> [Violation] {
    var violations: [Violation] = []
    var (sum, names): (Int64, Set<String>) = (0, [])
    state.accounts.forEach { id, account in
      sum &+= account.balance
      if account.balance < 0 {
        violations.append(Violation(of: "no balance is below zero", "account \(id.value)"))
      }
      if !names.insert(account.name).inserted {
        violations.append(Violation(of: "names are unique", account.name))
      }
    }
    if sum != state.total {
      violations.append(
        Violation(of: "the balances add up to the total", "\(sum), not \(state.total)"))
    }
    return violations
  }
  package static func backStack(
    of scene: SceneID, in state: LedgerState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }
  package static func screen(
    of scene: SceneID, in state: LedgerState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.accounts.forEach { _, account in
      lines.append(Screen.Line("\(account.name) \(account.balance)"))
    }
    return Screen(lines: lines)
  }
}

/// A ledger of accounts, whose facts come from commands.
package enum LedgerApp: LedgerVariant {
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: LedgerReducer { LedgerReducer() }
  /// The decider.
  package static var decider: LedgerDecider { LedgerDecider() }
}
