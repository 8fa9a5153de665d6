import RetraceAvro
import RetraceFixtures
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceState

/// A state that is saved, opened and changed by turns is the state it would be without.
struct SavedHistoryTests {
  @Test(
    "Random histories of changes, saves, openings and thinning keep every state",
    arguments: 1...10)
  func histories(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var archive = Archive()
      var office = Office()
      var model = OfficeModel()
      var sequence: UInt64 = 0
      for _ in 0..<40 {
        let changes = [1, 5, 60, 400].randomElement(using: &generator) ?? 1
        for _ in 0..<changes { model.change(&office, &generator) }
        sequence += UInt64.random(in: 1...1_000, using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: archive.save(&office, at: sequence)
        case 6:
          archive.save(&office, at: sequence)
          StatePages.releaseSaved(of: &office, to: archive.pages)
        case 2:
          // The state changes while the copy is being written.
          let (copy, save, stored) = archive.prepare(office, at: sequence)
          archive.commit(save, stored, office)
          for _ in 0..<Int.random(in: 0...50, using: &generator) {
            model.change(&office, &generator)
          }
          if Bool.random(using: &generator) { _ = office.hash() }
          StatePages.adopt(&office, from: copy)
        case 3:
          archive.save(&office, at: sequence)
          office = try archive.open(archive.snapshots.count - 1)
        case 4:
          // A save that fails leaves nothing behind.
          _ = archive.prepare(office, at: sequence)
        default: _ = office.hash()
        }
        if archive.snapshots.count > 4 {
          let index = Int.random(in: 0..<archive.snapshots.count - 1, using: &generator)
          archive.thin(index)
        }
        #expect(office.staff.items.contents == model.staff)
        #expect(office.rooms.contents == model.rooms)
        #expect(archive.pages.firstError == nil)
      }
      archive.checkLists()
      for index in archive.snapshots.indices {
        var opened = try archive.open(index)
        let saved = archive.snapshots[index].office
        #expect(opened == saved)
        var whole = Office(rebuilding: saved)
        #expect(opened == whole)
        #expect(whole.hash() == archive.snapshots[index].stored.hash)
        #expect(opened == whole)
        #expect(opened.staff.items.contents == saved.staff.items.contents)
        StatePages.loadAll(&opened)
        #expect(opened == saved)
        #expect(opened.hash() == archive.snapshots[index].stored.hash)
      }
      #expect(archive.pages.firstError == nil)
    }
  }

  @Test("Saved pages are released, except the branch of the next id, and read again on demand")
  func releasesSaved() {
    var archive = Archive()
    var office = Office()
    for number in 0..<Int64(40_000) { office.rooms.insert(Item("", start: number)) }
    archive.save(&office, at: 1)
    let whole = office
    office.rooms.modify(ItemID(value: 35_000)) { $0.start = -1 }
    StatePages.releaseSaved(of: &office, to: archive.pages)
    #expect(!office.rooms.trunks[0].isResident)
    // The branches of the id that has changed since, and of the next one.
    let resident = office.rooms.trunks[1].children.indices.filter {
      office.rooms.trunks[1].children[$0].isResident
    }
    #expect(resident == [2_232 / 1_024, 7_232 / 1_024])
    #expect(archive.pages.reads.isEmpty)
    office.rooms.insert(Item("", start: 40_000))
    #expect(archive.pages.reads.isEmpty)
    #expect(office.rooms[ItemID(value: 5)]?.start == 5 && archive.pages.reads.count == 3)
    office.rooms.modify(ItemID(value: 35_000)) { $0.start = 35_000 }
    office.rooms.remove(ItemID(value: 40_000))
    #expect(office.rooms.contents == whole.rooms.contents)
    archive.save(&office, at: 2)
    StatePages.releaseSaved(of: &office, to: archive.pages)
    #expect(office == archive.snapshots[1].office && archive.pages.firstError == nil)
    archive.checkLists()
  }

  @Test("Saved pages that have not changed since are not written again")
  func savesOnce() {
    var archive = Archive()
    var office = Office()
    for number in 0..<Int64(40_000) { office.rooms.insert(Item("", start: number)) }
    archive.save(&office, at: 1)
    #expect(keysPut(office, archive, at: 2) == [])
    // While a copy is being saved, the live state changes elsewhere and in the same leaf.
    office.rooms.modify(ItemID(value: 5)) { $0.start = -1 }
    office.rooms.modify(ItemID(value: 2_000)) { $0.start = -1 }
    let (copy, save, stored) = archive.prepare(office, at: 3)
    #expect(save.pages.map(\.key.lastID) == [31, 1_023, 2_015, 2_047, 32_767])
    office.rooms.modify(ItemID(value: 2_000)) { $0.start = -2 }
    office.rooms.modify(ItemID(value: 39_000)) { $0.start = -2 }
    archive.commit(save, stored, office)
    StatePages.adopt(&office, from: copy)
    #expect(
      keysPut(office, archive, at: 4) == [2_015, 2_047, 32_767, 39_007, 39_935, 65_535])
    archive.save(&office, at: 4)
    archive.checkLists()
    #expect(keysPut(office, archive, at: 5) == [])
    StatePages.markUnsaved(&office)
    #expect(keysPut(office, archive, at: 5).count == archive.needed(by: 2).count)
  }

  /// The last ids of the pages that a save would put.
  private func keysPut(_ office: Office, _ archive: Archive, at sequence: UInt64) -> [UInt32] {
    archive.prepare(office, at: sequence).save.pages.map(\.key.lastID)
  }
}

/// What an office has to hold after changes.
struct OfficeModel {
  var staff: [Int64: Item] = [:]
  var rooms: [Int64: Item] = [:]

  /// Makes the same random change to both.
  mutating func change(_ office: inout Office, _ generator: inout SeededGenerator) {
    if Int.random(in: 0..<10, using: &generator) == 0 {
      office.title = "title \(Int.random(in: 0..<99, using: &generator))"
    } else if Bool.random(using: &generator) {
      OfficeModel.change(&office.staff.items, &staff, &generator)
    } else {
      OfficeModel.change(&office.rooms, &rooms, &generator)
    }
  }

  private static func change(
    _ table: inout Items, _ model: inout [Int64: Item], _ generator: inout SeededGenerator
  ) {
    let number = Int64.random(in: 0...table.nextID.value, using: &generator)
    let id = ItemID(value: number)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0..<4:
      let item = Item.random(&generator)
      model[table.nextID.value] = item
      table.insert(item)
    case 4:
      #expect(table.remove(id) == (model.removeValue(forKey: number) != nil))
    case 5:
      // The newest leave a hole at the end.
      for number in max(0, number - 40)...number {
        #expect(
          table.remove(ItemID(value: number)) == (model.removeValue(forKey: number) != nil))
      }
    default:
      let before = table.modify(id) { item in
        defer { item.start += 3 }
        return item
      }
      #expect(before == model[number])
      model[number]?.start += 3
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      // A removed entity comes back, also into a leaf that has no other and no page.
      let wasRemoved = number < table.nextID.value && model[number] == nil
      let item = Item.random(&generator)
      #expect(table.reinsert(item, at: id) == wasRemoved)
      if wasRemoved { model[number] = item }
    }
    #expect(table[id] == model[number])
    #expect(table.contains(id) == (model[number] != nil))
  }
}

extension Office {
  /// The same contents in tables that were never hashed or saved.
  init(rebuilding other: Office) {
    title = other.title
    staff = Staff(items: Items(rebuilding: other.staff.items), count: other.staff.count)
    rooms = Items(rebuilding: other.rooms)
  }

  mutating func hash() -> Digest { StateHasher.hash(&self, with: SHA256Hasher.self) }
}

extension Items {
  /// The same contents in a table that was never hashed or saved.
  init(rebuilding other: Items) {
    self.init()
    let contents = other.contents
    for number in 0..<other.nextID.value {
      let id = insert(contents[number] ?? Item("gone", start: 0))
      if contents[number] == nil { remove(id) }
    }
  }
}
