import RetraceArchitecture
import RetraceFixtures
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Undo of single changes by their sequences, and bringing them back, in whatever order.
@Suite struct SingleUndoTests {
  private typealias Kiosk = Store<KioskApp>
  private let tea = KioskItemID(value: 0)
  private let jam = KioskItemID(value: 1)

  private func configuration(_ user: String = "anna") -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.origin.login = user
    return configuration
  }

  private func names(_ store: Kiosk) -> [String] {
    var names: [String] = []
    store.state.items.forEach { _, item in names.append("\(item.name) \(item.stock)") }
    return names
  }

  /// Performs a command, and returns the sequence of its record.
  private func perform(_ command: KioskCommand, on store: Kiosk) throws -> UInt64 {
    try store.performBlocking(command).receipt.sequences.lowerBound
  }

  private func unrestored(_ performed: Performed<KioskApp>?) throws -> [UnrestoredField] {
    let facts = try #require(performed?.facts)
    return try #require(KioskApp.restored(in: facts[0])).unrestored
  }

  @Test func `what was undone before a change can be brought back`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let added = try perform(.add(name: "tea"), on: store)
    let restocked = try perform(.restock(tea, count: 9), on: store)
    try store.undoBlocking()
    try store.undoBlocking()
    _ = try perform(.add(name: "jam"), on: store)
    #expect(try store.redoBlocking() == nil && names(store) == ["jam 0"])
    #expect(try store.newestUndoneBlocking() == added)
    #expect(try store.statusBlocking(ofChange: restocked) == .undone)
    // Without the item there is no stock to change.
    #expect(try unrestored(store.restoreBlocking(restocked)) == [UnrestoredField(tea)])
    try store.undoBlocking()
    #expect(try store.restoreBlocking(added) != nil && names(store) == ["tea 0", "jam 0"])
    #expect(try store.restoreBlocking(restocked) != nil && names(store) == ["tea 9", "jam 0"])
    #expect(try store.restoreBlocking(restocked) == nil && store.newestUndoneBlocking() == nil)
    // The changes that were brought back are the newest ones now.
    for expected in [["tea 0", "jam 0"], ["jam 0"], []] {
      try store.undoBlocking()
      #expect(names(store) == expected)
    }
    #expect(try store.undoBlocking() == nil)
  }

  @Test func `single changes are undone and brought back in any order`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    _ = try perform(.add(name: "tea"), on: store)
    _ = try perform(.add(name: "jam"), on: store)
    let restocked = try perform(.restock(tea, count: 9), on: store)
    let repriced = try perform(.reprice(jam, price: 5), on: store)
    let renamed = try perform(.rename(tea, to: "mate"), on: store)
    let before = store.state.items
    for change in [restocked, renamed, repriced] {
      #expect(try store.undoBlocking(change) != nil)
      #expect(try store.statusBlocking(ofChange: change) == .undone)
      #expect(try store.undoBlocking(change) == nil)
    }
    #expect(names(store) == ["tea 0", "jam 0"] && store.state.items[jam]?.price == 1)
    for change in [renamed, restocked, repriced] {
      #expect(try store.restoreBlocking(change) != nil)
      #expect(try store.statusBlocking(ofChange: change) == .inEffect)
      #expect(try store.restoreBlocking(change) == nil)
    }
    #expect(store.state.items == before)
    // An undo passes over what was undone by its sequence.
    try store.undoBlocking(restocked)
    for _ in 0..<4 { #expect(try store.undoBlocking() != nil) }
    #expect(try store.undoBlocking() == nil && names(store) == [])
  }

  @Test func `a field that was changed since keeps its value, unless it is taken`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    _ = try perform(.add(name: "tea"), on: store)
    let first = try perform(
      .together([.restock(tea, count: 9), .rename(tea, to: "mate")]), on: store)
    let second = try perform(.restock(tea, count: 1), on: store)
    #expect(try unrestored(store.undoBlocking(first)) == [UnrestoredField(tea, "stock")])
    #expect(names(store) == ["tea 10"])
    #expect(try store.statusBlocking(ofChange: first) == .undoneInPart)
    #expect(try store.undoBlocking(first) == nil)
    #expect(try store.undoBlocking(first, taking: true) != nil && names(store) == ["tea 0"])
    #expect(try store.statusBlocking(ofChange: first) == .undone)
    // What was taken comes back with the change.
    #expect(try store.restoreBlocking(first) != nil && names(store) == ["mate 10"])
    try store.undoBlocking(first, taking: true)
    #expect(try store.restoreBlocking(first, taking: true) != nil && names(store) == ["mate 9"])
    #expect(try unrestored(store.undoBlocking(second)) == [UnrestoredField(tea, "stock")])
    #expect(try store.undoBlocking(second, taking: true) != nil && names(store) == ["mate 9"])
    #expect(try store.restoreBlocking(second, taking: true) != nil && names(store) == ["mate 10"])
    #expect(KioskApp.violations(of: store.state) == [])
  }

  @Test func `an undo or a restore that would change nothing is made only if it is to be`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let added = try perform(.add(name: "tea"), on: store)
    let first = try perform(.restock(tea, count: 9), on: store)
    _ = try perform(.restock(tea, count: 1), on: store)
    func tried(isRedo: Bool, taking: Bool = false) throws -> MadeRestore<KioskApp>? {
      try store.restoreBlocking(
        .change(first, isRedo: isRedo, taking: taking), closing: false, recordsVoid: false)
    }
    let last = store.sequence
    let undo = try #require(try tried(isRedo: false))
    #expect(undo.rest == [UnrestoredField(tea, "stock")] && undo.performed == nil)
    #expect(try store.statusBlocking(ofChange: first) == .inEffect && store.sequence == last)
    #expect(try tried(isRedo: false, taking: true)?.performed != nil && names(store) == ["tea 0"])
    _ = try perform(.restock(tea, count: 5), on: store)
    let restore = try #require(try tried(isRedo: true))
    #expect(restore.rest == [UnrestoredField(tea, "stock")] && restore.performed == nil)
    #expect(try store.statusBlocking(ofChange: first) == .undone)
    #expect(try tried(isRedo: true, taking: true)?.performed != nil && names(store) == ["tea 9"])
    // It changes something, although it leaves the stock.
    let removed = try store.restoreBlocking(
      .change(added, isRedo: false, taking: true), closing: false, recordsVoid: false)
    #expect(removed?.rest == nil && names(store) == [])
  }

  @Test func `an undo out of order is completed once the later changes are undone`() throws {
    for isRedone in [false, true] {
      let store = try Kiosk.inMemory(configuration: configuration())
      _ = try perform(.add(name: "tea"), on: store)
      let first = try perform(.restock(tea, count: 1), on: store)
      _ = try perform(.restock(tea, count: 2), on: store)
      _ = try perform(.restock(tea, count: 4), on: store)
      try store.undoBlocking(first)
      if isRedone { try store.redoBlocking() }
      #expect(names(store) == ["tea 7"])
      while try store.undoBlocking() != nil {}
      #expect(names(store) == [], "\(isRedone)")
      while try store.redoBlocking() != nil {}
      #expect(names(store) == ["tea 7"], "\(isRedone)")
    }
  }

  @Test func `a field that another change set back is undone after that change`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    _ = try perform(.add(name: "tea"), on: store)
    let first = try perform(
      .together([.reprice(tea, price: 5), .rename(tea, to: "mate")]), on: store)
    _ = try perform(.reprice(tea, price: 1), on: store)
    let renamed = try perform(.rename(tea, to: "chai"), on: store)
    let (price, name) = (UnrestoredField(tea, "price"), UnrestoredField(tea, "name"))
    #expect(try Set(unrestored(store.undoBlocking(first))) == [price, name])
    try store.undoBlocking(renamed)
    #expect(try unrestored(store.undoBlocking(first)) == [price] && names(store) == ["tea 0"])
    #expect(try store.statusBlocking(ofChange: first) == .undoneInPart)
    try store.undoBlocking()
    #expect(store.state.items[tea]?.price == 5)
    #expect(try unrestored(store.undoBlocking()) == [] && store.state.items[tea]?.price == 1)
    #expect(try store.statusBlocking(ofChange: first) == .undone)
    #expect(try store.restoreBlocking(first) != nil)
    #expect(store.state.items[tea]?.price == 5 && names(store) == ["mate 0"])
  }

  @Test func `an undo that goes on leaves what was set again since`() throws {
    for price: Int64 in [5, 6] {
      let store = try Kiosk.inMemory(configuration: configuration())
      _ = try perform(.add(name: "tea"), on: store)
      let first = try perform(
        .together([.reprice(tea, price: 5), .rename(tea, to: "mate")]), on: store)
      let renamed = try perform(.rename(tea, to: "chai"), on: store)
      #expect(try unrestored(store.undoBlocking(first)) == [UnrestoredField(tea, "name")])
      _ = try perform(.reprice(tea, price: price), on: store)
      try store.undoBlocking(renamed)
      #expect(try unrestored(store.undoBlocking(first)) == [] && names(store) == ["tea 0"])
      #expect(try store.statusBlocking(ofChange: first) == .undone)
      #expect(store.state.items[tea]?.price == price)
      for expected in [["tea 0"], []] {
        #expect(try store.undoBlocking() != nil && names(store) == expected)
      }
    }
  }

  @Test func `only the changes of the same user are undone, and other records are none`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let anna = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration())
    let added = try perform(.add(name: "tea"), on: anna)
    let undo = try #require(try anna.undoBlocking()?.receipt.sequences.lowerBound)
    try anna.redoBlocking()
    try anna.closeBlocking()
    let ben = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration("ben"))
    let own = try perform(.restock(tea, count: 9), on: ben)
    #expect(try ben.statusBlocking(ofChange: added) == .ofAnotherUser(login: "anna"))
    #expect(try ben.undoBlocking(added) == nil && ben.restoreBlocking(added) == nil)
    #expect(try ben.statusBlocking(ofChange: own) == .inEffect)
    for other in [0, 1, own + 1, own + 9, .max] {
      #expect(try ben.statusBlocking(ofChange: other) == .unknown, "\(other)")
    }
    try ben.closeBlocking()
    let again = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration())
    #expect(try again.statusBlocking(ofChange: undo) == .restore(of: added))
    #expect(try again.statusBlocking(ofChange: added) == .inEffect)
    #expect(try again.undoBlocking(added) != nil && names(again) == ["tea 9"])
    try again.closeBlocking()
  }

  @Test func `what is undone stays so if an undo cannot take what the first one left`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    func open(_ user: String) throws -> Kiosk {
      try Kiosk.openBlocking(at: folder + "/store", configuration: configuration(user))
    }
    let anna = try open("anna")
    _ = try perform(.add(name: "tea"), on: anna)
    let renamed = try perform(.rename(tea, to: "mate"), on: anna)
    try anna.closeBlocking()
    let ben = try open("ben")
    _ = try perform(.rename(tea, to: "chai"), on: ben)
    try ben.closeBlocking()
    let again = try open("anna")
    #expect(try unrestored(again.undoBlocking()) == [UnrestoredField(tea, "name")])
    #expect(try again.statusBlocking(ofChange: renamed) == .undone)
    // Another item has the name.
    _ = try perform(.add(name: "tea"), on: again)
    let left = try unrestored(again.undoBlocking(renamed, taking: true))
    #expect(left == [UnrestoredField(tea, "name")])
    #expect(try again.statusBlocking(ofChange: renamed) == .undone)
    try again.undoBlocking()
    #expect(try again.undoBlocking(renamed, taking: true) != nil && names(again) == ["tea 0"])
    #expect(try again.restoreBlocking(renamed) != nil)
    try again.closeBlocking()
  }

  @Test func `undos that lost their keys are found in the log`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    store.storage.setKeyLimit(2)
    _ = try perform(.add(name: "tea"), on: store)
    var changes: [UInt64] = []
    for count: Int64 in 1...9 {
      changes.append(try perform(.restock(tea, count: count), on: store))
    }
    for change in changes.reversed() { try store.undoBlocking(change) }
    for change in changes { #expect(try store.statusBlocking(ofChange: change) == .undone) }
    _ = try perform(.reprice(tea, price: 7), on: store)
    for _ in 0..<2 { #expect(try store.undoBlocking() != nil) }
    #expect(try store.undoBlocking() == nil && names(store) == [])
    try store.redoBlocking()
    for change in changes { #expect(try store.restoreBlocking(change) != nil) }
    #expect(names(store) == ["tea 45"])
  }

  @Test func `the keys of undos are kept for them`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let error = #expect(throws: CommandError<KioskApp>.self) {
      try store.performBlocking(.add(name: "tea"), key: "retrace.undo/2")
    }
    guard case .store(let failure)? = error, failure.code == .invalidRecord else {
      Issue.record("\(String(describing: error))")
      return
    }
    let added = try perform(.add(name: "tea"), on: store)
    let undo = try #require(try store.undoBlocking()).receipt.sequences
    #expect(try store.sequences(ofKey: "retrace.undo/\(added)") == undo)
  }

  @Test func `among many changes, one is undone with few look-ups`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let count = repetitions(1_000_000, few: 5_000)
    _ = try perform(.add(name: "tea"), on: store)
    var middle: UInt64 = 0
    for number in 0..<count {
      let sequence = try perform(.reprice(tea, price: Int64(number) + 2), on: store)
      if number == count / 2 { middle = sequence }
    }
    try store.storage.withReadView { view throws(StoreError) in
      var search = try UndoSearch<KioskApp>(view, login: "anna", state: store.state)
      let status = try search.status(ofChange: middle, view)
      #expect(status == .inEffect)
      #expect(search.commandsRead == 1 && search.recordsVisited == 0)
      _ = try search.restore(
        ofChange: middle, isRedo: false, taking: false, count: store.state.factCount, view)
      #expect(search.commandsRead <= 4 && search.recordsVisited <= 1_024)
    }
    #expect(try unrestored(store.undoBlocking(middle)) == [UnrestoredField(tea, "price")])
    #expect(try store.undoBlocking(middle, taking: true) != nil)
    #expect(store.state.items[tea]?.price == Int64(count / 2) + 1)
    try store.storage.withReadView { view throws(StoreError) in
      var search = try UndoSearch<KioskApp>(view, login: "anna", state: store.state)
      _ = try search.restore(
        ofChange: middle, isRedo: true, taking: true, count: store.state.factCount, view)
      #expect(search.commandsRead <= 6 && search.recordsVisited <= 1_024)
    }
  }
}
