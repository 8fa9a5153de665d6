import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Changes of entities, as facts record them.
@Suite struct EntityChangesTests {
  private typealias Edit = EntityEdit<AccountID, AccountChanges>
  private let id = AccountID(value: 0)

  @Test func `the changes between two entities lead from one to the other, and back`() {
    withSeed { random in
      for _ in 0..<200 {
        let accounts = (0..<2).map { _ in
          Account(
            name: ["a", "b"].randomElement(using: &random) ?? "a",
            balance: Int64.random(in: 0...2, using: &random))
        }
        let changes = AccountChanges(from: accounts[0], to: accounts[1])
        var account = accounts[0]
        changes.apply(to: &account)
        #expect(account == accounts[1])
        changes.inverted.apply(to: &account)
        #expect(account == accounts[0])
        #expect(changes.isEmpty == (accounts[0] == accounts[1]))
        #expect((changes.name == nil) == (accounts[0].name == accounts[1].name))
      }
    }
  }

  @Test func `texts that differ only in their normalization are different values`() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let changes = AccountChanges(
      from: Account(name: composed, balance: 0), to: Account(name: decomposed, balance: 0))
    #expect(changes.name != nil && composed == decomposed)
  }

  @Test func `a change to nothing clears an optional field, no change keeps it [i7]`() throws {
    let lent = Loan(title: "Emma", borrower: "anna")
    let back = Loan(title: "Emma", borrower: nil)
    let changes = LoanChanges(from: lent, to: back)
    #expect(changes.borrower == Change(from: "anna", to: nil) && changes.title == nil)
    let read = try LoanChanges(encoded: changes.encoded().span)
    var loan = lent
    LoanChanges().apply(to: &loan)
    #expect(loan == lent)
    read.apply(to: &loan)
    #expect(loan == back)
    read.inverted.apply(to: &loan)
    #expect(loan == lent)
  }

  @Test func `an edit overwrites only the values that it expects`() {
    var table = EntityTable<AccountID, Account>()
    table.insert(Account(name: "cash", balance: 5))
    var changes = AccountChanges()
    changes.name = Change(from: "cash", to: "till")
    changes.balance = Change(from: 4, to: 9)
    let part = Edit.changed(id, changes).restorable(in: table)
    #expect(part.unrestored == [UnrestoredField(id, "balance")])
    changes.balance = nil
    #expect(part.edit == .changed(id, changes))
    let removal = Edit.removed(id, Removal(Account(name: "cash", balance: 4)))
    #expect(removal.restorable(in: table).edit == nil)
    let missing = Edit.changed(AccountID(value: 9), changes).restorable(in: table)
    #expect(missing.edit == nil && missing.unrestored == [UnrestoredField(AccountID(value: 9))])
    let taken = Edit.inserted(id, Insertion(Account(name: "x", balance: 0)))
    #expect(taken.restorable(in: table).edit == nil)
    #expect(taken.apply(to: &table) == false)
  }

  @Test func `each edit is taken back by the inverted one`() {
    var table = EntityTable<AccountID, Account>()
    table.insert(Account(name: "cash", balance: 5))
    var changes = AccountChanges()
    changes.balance = Change(from: 5, to: 6)
    let edits: [Edit] = [
      .inserted(AccountID(value: 1), Insertion(Account(name: "bank", balance: 1))),
      .changed(id, changes), .removed(id, Removal(Account(name: "cash", balance: 6))),
    ]
    for edit in edits { #expect(edit.apply(to: &table)) }
    for edit in edits.reversed() {
      #expect(edit.inverted.restorable(in: table).edit == edit.inverted)
      #expect(edit.inverted.apply(to: &table))
    }
    #expect(table.count == 1 && table[id] == Account(name: "cash", balance: 5))
  }

  @Test func `changes and edits are read as they were written`() throws {
    var changes = AccountChanges()
    changes.name = Change(from: "a", to: "b")
    let edits: [Edit] = [
      .inserted(id, Insertion(Account(name: "a", balance: 1))), .changed(id, changes),
      .removed(id, Removal(Account(name: "b", balance: 2))),
    ]
    for edit in edits {
      let bytes = edit.encoded()
      #expect(try Edit(encoded: bytes.span) == edit)
    }
    #expect(Edit.recordedName == "EntityEdit__AccountID__AccountChanges")
    #expect(Change<String?>.recordedName == "Change__Optional__string")
  }

  @Test func `a field that is neither what was seen nor what is wanted is a conflict`() {
    var changes = AccountChanges()
    changes.name = Change(from: "cash", to: "till")
    changes.balance = Change(from: 4, to: 9)
    for (account, conflicts) in [
      (Account(name: "cash", balance: 4), [String]()), (Account(name: "till", balance: 9), []),
      (Account(name: "cash", balance: 5), ["balance"]),
      (Account(name: "safe", balance: 5), ["name", "balance"]),
    ] {
      #expect(changes.conflicts(with: account) == conflicts)
    }
    #expect(AccountChanges().conflicts(with: Account(name: "x", balance: 1)).isEmpty)
  }

  @Test func `an insertion that is taken back leaves a tombstone, and comes back under its id`() {
    typealias Edit = EntityEdit<RoomID, RoomChanges>
    let id = RoomID(value: 0)
    var table = EntityTable<RoomID, Room>()
    let insertion = Edit.inserted(id, Insertion(Room(name: "hall")))
    #expect(insertion.apply(to: &table))
    // A field that is no part of the changes does not keep the entity.
    table.modify(id) { $0.visits = 3 }
    let removal = insertion.inverted
    #expect(removal.restorable(in: table).edit == removal)
    #expect(removal.apply(to: &table))
    #expect(table[id] == Room(name: "hall", isClosed: true) && table.count == 1)
    #expect(insertion.restorable(in: table).edit == insertion)
    #expect(insertion.apply(to: &table) && table[id] == Room(name: "hall"))
    // What somebody else changed stays: the entity, and the tombstone.
    table.modify(id) { $0.name = "foyer" }
    #expect(removal.restorable(in: table).edit == nil)
    #expect(insertion.restorable(in: table).edit == nil)
    table.modify(id) { ($0.name, $0.isClosed) = ("foyer", true) }
    #expect(insertion.restorable(in: table).unrestored == [UnrestoredField(id)])
  }
}
