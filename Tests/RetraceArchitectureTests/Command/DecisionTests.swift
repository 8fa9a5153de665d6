import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Tests of decisions: given facts, when a command, then facts or a refusal.
@Suite struct DecisionTests {
  private typealias Ledger = TestStore<LedgerApp>
  private let cash = AccountID(value: 0)
  private let bank = AccountID(value: 1)

  private var opened: [LedgerAction] {
    [
      .opened(cash, name: "cash"), .opened(bank, name: "bank"),
      .balanceChanged(cash, from: 0, to: 50),
    ]
  }

  private func mismatch(_ body: () throws(TestMismatch) -> Void) -> String? {
    do throws(TestMismatch) {
      try body()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `facts have the size of what they change, whatever the state holds [H13]`() throws {
    let sizes = try [10, 2_760, 27_600].map { count in
      var state = LedgerState()
      for number in 0..<count {
        state.accounts.insert(Account(name: "account \(number)", balance: 50))
      }
      let command = LedgerCommand.transfer(from: cash, to: bank, amount: 20)
      let facts = try LedgerDecider().decide(command, on: state, at: Moment(microseconds: 0))
      return facts.reduce(0) { $0 + $1.encoded().count }
    }
    #expect(sizes.allSatisfy { $0 == sizes[0] && $0 < 20 }, "\(sizes)")
  }

  @Test func `given facts, when a command, then its facts or its refusal`() throws {
    let given = try Ledger.given(opened)
    try given.when(.open(name: "card")).then([.opened(AccountID(value: 2), name: "card")])
    try given.when(.open(name: "cash")).then(refused: .nameTaken("cash"))
    try given.when(.withdraw(cash, amount: 51)).then(refused: .insufficientFunds(cash, balance: 50))
    try given.when(.transfer(from: cash, to: bank, amount: 20)).then([
      .balanceChanged(cash, from: 50, to: 30), .balanceChanged(bank, from: 0, to: 20),
    ])
    try given.when(.close(bank)).then([.closed(bank, name: "bank")])
    try given.when(.close(cash)).then(refused: .notEmpty(cash, balance: 50))
    try given.when(
      .together([.withdraw(cash, amount: 50), .close(cash), .open(name: "cash")])
    ).then([
      .balanceChanged(cash, from: 50, to: 0), .closed(cash, name: "cash"),
      .opened(AccountID(value: 2), name: "cash"),
    ])
    try given.when(.together([.withdraw(cash, amount: 50), .withdraw(cash, amount: 1)]))
      .then(refused: .insufficientFunds(cash, balance: 0))
  }

  @Test func `another decision than expected is a mismatch that says what was decided`() throws {
    let given = try Ledger.given(opened)
    let other = mismatch { () throws(TestMismatch) in try given.when(.close(bank)).then([]) }
    #expect(other?.contains("closed") == true && other?.contains("but [] was expected") == true)
    let accepted = mismatch { () throws(TestMismatch) in
      try given.when(.close(bank)).then(refused: .noAccount(bank))
    }
    #expect(accepted?.contains("led to") == true && accepted?.contains("noAccount") == true)
    let refused = mismatch { () throws(TestMismatch) in
      try given.when(.close(cash)).then(refused: .noAccount(cash))
    }
    #expect(refused?.contains("refused as notEmpty") == true)
    #expect(mismatch { () throws(TestMismatch) in try given.when(.close(cash)).then([]) } != nil)
  }

  @Test func `a step after which an invariant is broken is a mismatch`() throws {
    var store = try TestStore<UnguardedLedger>.given(opened)
    let found = mismatch { () throws(TestMismatch) in
      try store.send(.balanceChanged(bank, from: 0, to: -1)) {
        _ = $0.accounts.modify(bank) { $0.balance = -1 }
        $0.total = 49
        $0.factCount = 4
      }
    }
    #expect(found?.contains("no balance is below zero: account 1") == true)
  }

  @Test func `given facts that break an invariant, or tell what is not so, are a mismatch`() {
    let cases: [([LedgerAction], String)] = [
      (opened + [.balanceChanged(cash, from: 50, to: -1)], "no balance is below zero"),
      // Another value before, and an account that is not there.
      (opened + [.balanceChanged(cash, from: 40, to: 60)], "balance of AccountID=0"),
      (opened + [.renamed(AccountID(value: 9), name: Change(from: "a", to: "b"))], "AccountID=9"),
      // The id is taken.
      (opened + [.opened(cash, name: "card")], "AccountID=0"),
    ]
    for (facts, text) in cases {
      let found = mismatch { () throws(TestMismatch) in _ = try Ledger.given(facts) }
      #expect(found?.contains(text) == true, "\(found ?? "none")")
    }
    // A reducer that does not do what the fact tells.
    let forgotten = mismatch { () throws(TestMismatch) in
      _ = try TestStore<ForgetfulLedger>.given(
        opened + [.renamed(cash, name: Change(from: "cash", to: "till"))])
    }
    #expect(forgotten?.contains("name of AccountID=0") == true, "\(forgotten ?? "none")")
  }

  @Test func `a difference of states is named by its path`() throws {
    var store = try Ledger.given(opened)
    let found = mismatch { () throws(TestMismatch) in
      try store.perform(
        .deposit(bank, amount: 5), facts: [.balanceChanged(bank, from: 0, to: 5)]
      ) {
        _ = $0.accounts.modify(bank) { $0.balance = 6 }
        $0.total = 55
        $0.factCount = 4
      }
    }
    #expect(
      found?.hasSuffix("not as expected:\n  accounts[1].balance  is 5, but 6 was expected") == true,
      "\(found ?? "none")")
  }

  @Test func `performing a command folds its facts and checks the state`() throws {
    var store = Ledger()
    try store.perform(.open(name: "cash"), facts: [.opened(cash, name: "cash")]) {
      $0.accounts.insert(Account(name: "cash", balance: 0))
      $0.factCount = 1
    }
    let wrong = mismatch { () throws(TestMismatch) in
      try store.perform(.deposit(cash, amount: 5), facts: [.balanceChanged(cash, from: 0, to: 5)]) {
        $0.total = 6
      }
    }
    #expect(wrong != nil && store.state.total == 5)
    let refused = mismatch { () throws(TestMismatch) in
      try store.perform(.withdraw(cash, amount: 6), facts: [])
    }
    #expect(refused?.contains("insufficientFunds") == true && store.state.total == 5)
  }
}
