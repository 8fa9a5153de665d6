import RetraceAvro
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceState

/// How many pages are read, and what is kept of them, in a state of 100,000 entities.
struct PageReadTests {
  /// One entry each five minutes, as sort keys.
  private static let spacing: Int64 = 300
  private static let archive: Archive = {
    var archive = Archive()
    var office = Office()
    for number in 0..<Int64(100_000) {
      office.staff.items.insert(Item("entry \(number)", start: number * spacing))
    }
    archive.save(&office, at: 1)
    return archive
  }()

  private let pages: Archive.Pages
  private var office: Office

  init() throws {
    // A source of its own, so that tests at the same time do not count one another's reads.
    pages = Archive.Pages()
    pages.pages = PageReadTests.archive.pages.pages
    office = try StatePages.open(
      Office.self, from: PageReadTests.archive.snapshots[0].stored, source: pages)
  }

  @Test("Opening reads no page, nor do count, next id, hash and a comparison with an equal state")
  mutating func opening() throws {
    #expect(office.staff.items.count == 100_000)
    #expect(office.staff.items.nextID.value == 100_000)
    #expect(office.hash() == PageReadTests.archive.snapshots[0].stored.hash)
    let again = try StatePages.open(
      Office.self, from: PageReadTests.archive.snapshots[0].stored, source: pages)
    #expect(again == office)
    var saved = PageReadTests.archive.snapshots[0].office
    _ = saved.hash()
    #expect(saved == office)
    #expect(pages.reads.count == 0)
  }

  @Test("Looking at one entity reads three pages and keeps none")
  func oneGet() {
    for _ in 0..<2 {
      pages.forgetReads()
      #expect(office.staff.items[ItemID(value: 50_000)]?.name == "entry 50000")
      #expect(pages.reads.map(\.level) == [2, 1, 0])
    }
    #expect(office.staff.items.contains(ItemID(value: 99_999)))
    #expect(office.staff.items.read(ItemID(value: 7)) { $0.start } == 2_100)
    #expect(office.staff.items.trunks.allSatisfy { !$0.isResident })
  }

  @Test("An id that was never given reads nothing")
  func beyond() {
    for number in [-1, 100_000, 131_072, .max, .min] as [Int64] {
      #expect(office.staff.items[ItemID(value: number)] == nil)
      #expect(!office.staff.items.contains(ItemID(value: number)))
    }
    #expect(pages.reads.count == 0)
  }

  @Test("Changing, hashing and saving one entity reads three pages and writes three")
  mutating func oneChange() throws {
    let id = ItemID(value: 50_000)
    let before: Void? = office.staff.items.modify(id) { $0.start += 1 }
    #expect(before != nil)
    #expect(pages.reads.map(\.level) == [2, 1, 0])
    #expect(office.hash() != PageReadTests.archive.snapshots[0].stored.hash)
    var save = MemorySave()
    _ = StatePages.save(&office, at: 2, with: SHA256Hasher.self, into: &save)
    #expect(pages.reads.count == 3)
    #expect(save.pages.map(\.key.level) == [0, 1, 2])
    #expect(Set(save.replacedKeys) == Set(pages.reads))
    #expect(save.pages.map(\.key) == save.pages.map(\.key).sorted())
    #expect(office.staff.items[id]?.start == 50_000 * PageReadTests.spacing + 1)
    #expect(pages.reads.count == 3)
  }

  @Test("Appending reads the nodes above the end only, and removing reads one leaf")
  mutating func appendAndRemove() {
    let id = office.staff.items.insert(Item("new", start: 0))
    #expect(id.value == 100_000)
    // 100,000 ids end at the border of a leaf.
    #expect(pages.reads.map(\.level) == [2, 1])
    office.staff.items.insert(Item("newer", start: 0))
    #expect(pages.reads.count == 2)
    let removed = office.staff.items.remove(ItemID(value: 99_999))
    #expect(removed)
    #expect(pages.reads.map(\.level) == [2, 1, 0])
    #expect(office.staff.items.count == 100_001)
  }

  @Test("A day by its sort key reads the leaves that hold it and the nodes above")
  func oneDay() {
    let day: Int64 = 86_400
    var found = 0
    office.staff.items.forEach(inSortKeys: (200 * day)...(201 * day - 1)) { _, _ in found += 1 }
    #expect(found == 288)
    // 288 entries from 57,600 on: nine leaves of the branch 56 of the trunk 1, and no more.
    #expect(pages.reads.count == 11)
    pages.forgetReads()
    office.staff.items.forEach(inSortKeys: -10 ... -1) { _, _ in found += 1 }
    #expect(found == 288)
    #expect(pages.reads.count == 0)
  }

  @Test("The highest sort keys read the leaves that hold them and the nodes above")
  func highestSortKeys() {
    let found = office.staff.items.search(.descending, limit: 100).entities
    #expect(found.map(\.id.value) == Array((99_900..<100_000).reversed()))
    // Those from 99,872 on lie in four leaves of one branch.
    #expect(pages.reads.map(\.level) == [2, 1, 0, 0, 0, 0])
  }

  @Test("A walk over absent leaves begins at any id, ends where its body throws, and keeps nothing")
  func walkOverAbsentLeaves() {
    struct Enough: Error {}
    for first in [0, 31, 32, 50_001, 99_999] as [Int64] {
      pages.forgetReads()
      var names: [String] = []
      #expect(throws: Enough.self) {
        try office.staff.items.forEach(from: ItemID(value: first)) { id, item throws(Enough) in
          #expect(item.start == id.value * PageReadTests.spacing)
          if names.count == 40 { throw Enough() }
          names.append(item.name)
          if id.value == 99_999 { throw Enough() }
        }
      }
      #expect(names == (first..<min(first + 40, 100_000)).map { "entry \($0)" })
      #expect(pages.reads.filter { $0.level == 0 }.count <= 3)
    }
    #expect(office.staff.items.trunks.allSatisfy { !$0.isResident })
  }

  @Test("Small tables are made resident, and no large one")
  mutating func small() throws {
    var small = Office()
    small.rooms.insert(Item("room", start: 0))
    var archive = Archive()
    archive.save(&small, at: 1)
    small = try archive.open(0)
    StatePages.loadSmall(&small, maxIDs: 0)
    #expect(archive.pages.reads.isEmpty)
    StatePages.loadSmall(&small)
    #expect(archive.pages.reads.map(\.level) == [2, 1, 0])
    #expect(small.rooms.source == nil)
    StatePages.loadSmall(&office)
    #expect(pages.reads.isEmpty)
    StatePages.loadSmall(&office, maxIDs: 100_000)
    #expect(office.staff.items.source == nil)
  }

  @Test("A range that is loaded is read once")
  mutating func loading() {
    office.staff.items.load(ItemID(value: 40_000)...ItemID(value: 40_099))
    // Four leaves; nodes above are kept.
    #expect(pages.reads.count == 6)
    for number in 40_000..<Int64(40_100) {
      #expect(office.staff.items[ItemID(value: number)]?.start == number * PageReadTests.spacing)
    }
    #expect(pages.reads.count == 6)
    StatePages.loadAll(&office)
    #expect(pages.reads.count == 3_125 + 98 + 4)
    #expect(office.staff.items.source == nil)
    #expect(office == PageReadTests.archive.snapshots[0].office)
  }

  @Test("One change on either side is compared by reading one path")
  mutating func comparing() {
    let id = ItemID(value: 70_000)
    var other = office
    other.staff.items.modify(id) { $0.start += 1 }
    pages.forgetReads()
    #expect(other != office)
    #expect(pages.reads.count <= 3)
    other.staff.items.modify(id) { $0.start -= 1 }
    pages.forgetReads()
    #expect(other == office)
    #expect(pages.reads.count <= 3)
  }

  @Test("Many readers share one value while its owner changes a copy")
  func concurrentReaders() async {
    let shared = office.staff.items
    let sums = await withTaskGroup(of: Int64.self) { group in
      for reader in 0..<4 {
        group.addTask {
          var sum: Int64 = 0
          for step in 0..<Int64(400) {
            let number = (step * 7_919 + Int64(reader)) % 100_000
            sum += (shared[ItemID(value: number)]?.start ?? 0) - number * PageReadTests.spacing
          }
          shared.forEach(inSortKeys: 0...100_000) { _, item in sum += item.start }
          return sum
        }
      }
      group.addTask {
        var copy = shared
        for step in 0..<Int64(400) {
          copy.modify(ItemID(value: step * 7_919 % 100_000)) { $0.start = -1 }
        }
        return copy[ItemID(value: 7_919)]?.start ?? 0
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted()
    }
    let sum = (0...333).reduce(0) { $0 + $1 * PageReadTests.spacing }
    #expect(sums == [-1, sum, sum, sum, sum])
    #expect(pages.firstError == nil)
  }
}
