import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// Changes of entities, as facts record them.
@Suite struct EntityChangesTests {
  private typealias Edit = EntityEdit<KioskItemID, KioskItemChanges>
  private let id = KioskItemID(value: 0)

  @Test func `the changes between two entities lead from one to the other, and back`() {
    withSeed { random in
      for _ in 0..<200 {
        let items = (0..<2).map { _ in
          KioskItem(
            name: ["a", "b"].randomElement(using: &random) ?? "a",
            stock: Int64.random(in: 0...2, using: &random))
        }
        let changes = KioskItemChanges(from: items[0], to: items[1])
        var item = items[0]
        changes.apply(to: &item)
        #expect(item == items[1])
        changes.inverted.apply(to: &item)
        #expect(item == items[0])
        #expect(changes.isEmpty == (items[0] == items[1]))
        #expect((changes.name == nil) == (items[0].name == items[1].name))
      }
    }
  }

  @Test func `texts that differ only in their normalization are different values`() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let changes = KioskItemChanges(
      from: KioskItem(name: composed, stock: 0), to: KioskItem(name: decomposed, stock: 0))
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
    var table = EntityTable<KioskItemID, KioskItem>()
    table.insert(KioskItem(name: "tea", stock: 5))
    var changes = KioskItemChanges()
    changes.name = Change(from: "tea", to: "mate")
    changes.stock = Change(from: 4, to: 9)
    let part = Edit.changed(id, changes).restorable(in: table)
    #expect(part.unrestored == [UnrestoredField(id, "stock")])
    changes.stock = nil
    #expect(part.edit == .changed(id, changes))
    let removal = Edit.removed(id, Removal(KioskItem(name: "tea", stock: 4)))
    #expect(removal.restorable(in: table).edit == nil)
    let missing = Edit.changed(KioskItemID(value: 9), changes).restorable(in: table)
    #expect(missing.edit == nil && missing.unrestored == [UnrestoredField(KioskItemID(value: 9))])
    let taken = Edit.inserted(id, Insertion(KioskItem(name: "x", stock: 0)))
    #expect(taken.restorable(in: table).edit == nil)
    #expect(taken.apply(to: &table) == false)
  }

  @Test func `a rebased edit lacks what is so already, and can overwrite the rest`() throws {
    var table = EntityTable<KioskItemID, KioskItem>()
    table.insert(KioskItem(name: "tea", stock: 5))
    var changes = KioskItemChanges()
    changes.name = Change(from: "jam", to: "tea")
    changes.stock = Change(from: 4, to: 9)
    let edit = Edit.changed(id, changes)
    changes.name = nil
    #expect(edit.rebased(on: table, overwriting: false) == .changed(id, changes))
    changes.stock = Change(from: 5, to: 9)
    let rebased = try #require(edit.rebased(on: table, overwriting: true))
    #expect(rebased == .changed(id, changes) && rebased.restorable(in: table).edit == rebased)
    let insertion = Edit.inserted(id, Insertion(KioskItem(name: "tea", stock: 9)))
    #expect(insertion.rebased(on: table, overwriting: true) == rebased)
    #expect(insertion.rebased(on: table, overwriting: false) == insertion)
    let removal = Edit.removed(id, Removal(KioskItem(name: "mate", stock: 1)))
    let present = try #require(table[id])
    #expect(removal.rebased(on: table, overwriting: true) == .removed(id, Removal(present)))
    #expect(removal.rebased(on: table, overwriting: false) == removal)
    rebased.apply(to: &table)
    #expect(edit.rebased(on: table, overwriting: true) == nil)
    #expect(insertion.rebased(on: table, overwriting: false) == nil)
    table.remove(id)
    #expect(removal.rebased(on: table, overwriting: true) == nil)
    #expect(insertion.rebased(on: table, overwriting: true) == insertion)
    #expect(edit.rebased(on: table, overwriting: true) == nil)
    #expect(edit.rebased(on: table, overwriting: false) == edit)
  }

  @Test func `each edit is taken back by the inverted one`() {
    var table = EntityTable<KioskItemID, KioskItem>()
    table.insert(KioskItem(name: "tea", stock: 5))
    var changes = KioskItemChanges()
    changes.stock = Change(from: 5, to: 6)
    let edits: [Edit] = [
      .inserted(KioskItemID(value: 1), Insertion(KioskItem(name: "jam", stock: 1))),
      .changed(id, changes), .removed(id, Removal(KioskItem(name: "tea", stock: 6))),
    ]
    for edit in edits { #expect(edit.apply(to: &table)) }
    for edit in edits.reversed() {
      #expect(edit.inverted.restorable(in: table).edit == edit.inverted)
      #expect(edit.inverted.apply(to: &table))
    }
    #expect(table.count == 1 && table[id] == KioskItem(name: "tea", stock: 5))
  }

  @Test func `changes and edits are read as they were written`() throws {
    var changes = KioskItemChanges()
    changes.name = Change(from: "a", to: "b")
    let edits: [Edit] = [
      .inserted(id, Insertion(KioskItem(name: "a", stock: 1))), .changed(id, changes),
      .removed(id, Removal(KioskItem(name: "b", stock: 2))),
    ]
    for edit in edits {
      let bytes = edit.encoded()
      #expect(try Edit(encoded: bytes.span) == edit)
    }
    #expect(Edit.recordedName == "EntityEdit__KioskItemID__KioskItemChanges")
    #expect(Change<String?>.recordedName == "Change__Optional__string")
  }

  @Test func `a field that is neither what was seen nor what is wanted is a conflict`() {
    var changes = KioskItemChanges()
    changes.name = Change(from: "tea", to: "mate")
    changes.stock = Change(from: 4, to: 9)
    for (item, conflicts) in [
      (KioskItem(name: "tea", stock: 4), [String]()), (KioskItem(name: "mate", stock: 9), []),
      (KioskItem(name: "tea", stock: 5), ["stock"]),
      (KioskItem(name: "safe", stock: 5), ["name", "stock"]),
    ] {
      #expect(changes.conflicts(with: item) == conflicts)
    }
    #expect(KioskItemChanges().conflicts(with: KioskItem(name: "x", stock: 1)).isEmpty)
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
    // Changes by others stay: the entity, and the tombstone.
    table.modify(id) { $0.name = "foyer" }
    #expect(removal.restorable(in: table).edit == nil)
    #expect(insertion.restorable(in: table).edit == nil)
    table.modify(id) { ($0.name, $0.isClosed) = ("foyer", true) }
    #expect(insertion.restorable(in: table).unrestored == [UnrestoredField(id)])
  }
}
