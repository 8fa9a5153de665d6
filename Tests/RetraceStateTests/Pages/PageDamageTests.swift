import RetraceAvro
import RetraceFixtures
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceState

/// A page that is not the one meant is an error, and never data.
struct PageDamageTests {
  private let archive: Archive
  private let model: OfficeModel

  init() {
    var archive = Archive()
    var model = OfficeModel()
    var office = Office()
    withSeed { generator in
      for _ in 0..<120 { model.change(&office, &generator) }
      archive.save(&office, at: 10)
      for _ in 0..<60 { model.change(&office, &generator) }
      archive.save(&office, at: 20)
    }
    self.archive = archive
    self.model = model
  }

  @Test("A flipped bit at any byte of any page is a fault")
  func flippedBits() throws {
    for (key, page) in neededPages {
      for index in page.indices {
        var bytes = page
        bytes[index] ^= 1 << UInt8((index + page.count) % 8)
        try expectFault(.hashMismatch, key, with: [key: bytes])
      }
    }
  }

  @Test("A page that is missing, cut short or too long is a fault")
  func missingPages() throws {
    for (key, page) in neededPages {
      try expectFault(.missing, key, with: [key: nil])
      for count in [0, 3, 4, 5, 12, page.count / 2, page.count - 1] where count < page.count {
        try expectFault(.hashMismatch, key, with: [key: Array(page.prefix(count))])
      }
      try expectFault(.hashMismatch, key, with: [key: page + [0]])
    }
  }

  @Test("Two pages that changed places are a fault")
  func swappedPages() throws {
    let pages = neededPages
    for (one, first) in pages {
      for (other, second) in pages where one < other && first != second {
        try expectFault(.hashMismatch, nil, with: [one: second, other: first])
      }
    }
  }

  @Test("An older page in place of a newer one is a fault")
  func olderPages() throws {
    var replaced = 0
    for key in archive.snapshots[1].dead {
      var newer = key
      newer.birth = 20
      guard let page = archive.pages.pages[key], archive.pages.pages[newer] != nil else {
        continue
      }
      try expectFault(.hashMismatch, newer, with: [newer: page])
      replaced += 1
    }
    #expect(replaced > 3)
  }

  @Test("A birth changed with the checksum leads to no other page")
  func forgedBirths() throws {
    var forged = 0
    for (key, page) in neededPages where key.level > 0 {
      for start in stride(from: 4, to: page.count - 8, by: 56) {
        for birth in [0, 1, 10, 20, 21, 255] as [UInt8] where page[start + 48] != birth {
          let bytes = forging(birth, at: start + 48, of: page)
          try expectFault(nil, nil, with: [key: bytes])
          forged += 1
        }
      }
    }
    #expect(forged > 20)
  }

  @Test("A page that matches its hash and is malformed is skipped with all pages below")
  func malformedPages() throws {
    let stored = archive.snapshots[1].stored
    for (key, page) in neededPages where key.level > 0 {
      let source = damaged(with: [key: forging(UInt8(key.birth) + 1, at: 4 + 48, of: page)])
      var visited: Set<PageKey> = []
      stored.forEachPage(in: source) { visited.insert($0) }
      #expect(source.firstError?.kind == .malformed && source.firstError?.key == key)
      let firstID = Int64(key.lastID) + 1 - 32 << (5 * Int64(key.level))
      let skipped = neededPages.map(\.key).filter {
        $0.table == key.table && $0.level <= key.level
          && (firstID...Int64(key.lastID)).contains(Int64($0.lastID))
      }
      #expect(visited == archive.needed(by: 1).subtracting(skipped))
    }
  }

  @Test("A snapshot that names another number of entities is refused, or a fault once all is read")
  func forgedCounts() throws {
    let stored = archive.snapshots[1].stored
    var refused = 0
    var faults = 0
    for (index, table) in stored.tables.enumerated() {
      for count in [0, 1, table.count - 1, table.count + 1, 1 << 40] where count != table.count {
        var tables = stored.tables
        tables[index] = TableRoot(
          number: table.number, nextID: table.nextID, count: count, trunks: table.trunks)
        let forged = SnapshotRecord(
          sequence: stored.sequence, hash: stored.hash, scalars: stored.scalars, tables: tables)
        var writer = AvroWriter()
        forged.encode(into: &writer)
        var reader = AvroReader(writer.span)
        if (try? SnapshotRecord(decoding: &reader)) == nil { refused += 1 }

        let source = damaged(with: [:])
        // The hash of the state says nothing about it.
        var office = try StatePages.open(Office.self, from: forged, source: source)
        StatePages.loadAll(&office)
        #expect(
          source.firstError?.kind == .malformed && source.firstError?.key.table == table.number)
        let pages = damaged(with: [:])
        forged.forEachPage(in: pages) { _ in }
        #expect(pages.firstError?.kind == .malformed && pages.firstError?.key.table == table.number)
        faults += 1
      }
    }
    #expect(refused > 0 && faults > refused)
    let source = damaged(with: [:])
    var office = try StatePages.open(Office.self, from: stored, source: source)
    StatePages.loadAll(&office)
    stored.forEachPage(in: source) { _ in }
    #expect(source.firstError == nil)
  }

  @Test("The first fault stays, whatever is read afterwards")
  func firstFaultStays() throws {
    let keys = neededPages.map(\.key).filter { $0.level == 0 && $0.table == 0 }
    let source = damaged(with: [keys[0]: nil, keys[1]: []])
    let office = try StatePages.open(
      Office.self, from: archive.snapshots[1].stored, source: source)
    #expect(source.firstError == nil)
    #expect(office.staff.items[ItemID(value: Int64(keys[0].lastID))] == nil)
    let first = PageError(.missing, keys[0])
    #expect(source.firstError == first)
    office.staff.items.forEach { _, _ in }
    #expect(source.firstError == first)
  }

  @Test("A change where a page is missing changes nothing, and appending goes on")
  func changesAfterFaults() throws {
    for (key, _) in neededPages where key.table == 0 {
      let source = damaged(with: [key: nil])
      var office = try StatePages.open(
        Office.self, from: archive.snapshots[1].stored, source: source)
      let next = office.staff.items.nextID
      for number in 0..<next.value {
        let id = ItemID(value: number)
        let name = office.staff.items.modify(id) { item in
          defer { item.name = "x" }
          return item.name
        }
        if let name { #expect(name == model.staff[number]?.name) }
        if name == nil && model.staff[number] != nil { #expect(source.firstError != nil) }
      }
      let id = office.staff.items.insert(Item("new", start: 1))
      #expect(id == next)
      #expect(office.staff.items[next]?.name == "new")
      #expect(source.firstError?.key == key)
    }
  }

  @Test("Pages that can be read at times only give right answers or a fault", arguments: 2...7)
  func flickeringPages(period: Int) throws {
    let source = FlickeringPages(archive.pages, period: period)
    var office = try StatePages.open(
      Office.self, from: archive.snapshots[1].stored, source: source)
    withSeed(default: UInt64(period)) { generator in
      for _ in 0..<400 {
        let number = Int64.random(in: 0..<office.staff.items.nextID.value, using: &generator)
        let id = ItemID(value: number)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          if let item = office.staff.items[id] { #expect(item == model.staff[number]) }
        case 1:
          let name = office.staff.items.modify(id) { $0.name }
          if let name { #expect(name == model.staff[number]?.name) }
        case 2:
          var copy = office.staff.items
          let removed = copy.remove(id)
          if removed { #expect(model.staff[number] != nil) }
        default:
          var copy = office.rooms
          let id = copy.insert(Item("new", start: 0))
          #expect(id == office.rooms.nextID)
        }
      }
      #expect(source.firstError?.kind == .unreadable)
      StatePages.markUnsaved(&office)
      #expect(office.rooms.source != nil)
    }
  }

  /// The pages of the newest snapshot.
  private var neededPages: [(key: PageKey, value: [UInt8])] {
    let needed = archive.needed(by: 1)
    return archive.pages.pages.filter { needed.contains($0.key) }.sorted { $0.key < $1.key }
  }

  private func damaged(with changes: [PageKey: [UInt8]?]) -> Archive.Pages {
    let source = Archive.Pages()
    var pages = archive.pages.pages
    for (key, bytes) in changes { pages[key] = bytes }
    source.pages = pages
    return source
  }

  /// Returns a node page with another birth and a checksum that matches it.
  private func forging(_ birth: UInt8, at offset: Int, of page: [UInt8]) -> [UInt8] {
    var bytes = page
    bytes[offset] = birth
    let sum = SHA256Hasher.checksum(bytes.span.extracting(0..<bytes.count - 8))
    for index in 0..<8 {
      bytes[bytes.count - 8 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))
    }
    return bytes
  }

  /// Reads everything in every way and checks that what is answered is right, and that what is
  /// not answered is an error.
  private func expectFault(
    _ kind: PageError.Kind?, _ key: PageKey?, with changes: [PageKey: [UInt8]?]
  ) throws {
    for way in 0..<4 {
      let source = damaged(with: changes)
      var office = try StatePages.open(
        Office.self, from: archive.snapshots[1].stored, source: source)
      switch way {
      case 0: StatePages.loadAll(&office)
      case 1: _ = office == Office(rebuilding: archive.snapshots[1].office)
      default: break
      }
      for (table, contents) in [(office.staff.items, model.staff), (office.rooms, model.rooms)] {
        var seen = 0
        if way == 2 {
          for number in 0..<table.nextID.value {
            guard let item = table[ItemID(value: number)] else { continue }
            #expect(item == contents[number])
            seen += 1
          }
        } else {
          table.forEach(inSortKeys: .min ... .max) { id, item in
            #expect(item == contents[id.value])
            seen += 1
          }
        }
        if seen < contents.count { #expect(source.firstError != nil) }
      }
      #expect(source.firstError != nil)
      if let kind { #expect(source.firstError?.kind == kind) }
      if let key { #expect(source.firstError?.key == key) }
      #expect(office != Office(rebuilding: archive.snapshots[1].office))
    }
  }
}

/// Pages of which one read in so many fails.
private final class FlickeringPages: PageSource {
  typealias Hasher = SHA256Hasher

  private let pages: Archive.Pages
  private let period: Int

  init(_ pages: Archive.Pages, period: Int) {
    self.pages = Archive.Pages()
    self.pages.pages = pages.pages
    self.period = period
  }

  func withPage(_ key: PageKey, _ body: (Span<UInt8>) -> Void) -> Bool {
    var isThere = false
    let fails = pages.reads.count % period == period - 1
    _ = pages.withPage(key) { page in
      if fails { return }
      isThere = true
      body(page)
    }
    if fails { report(PageError(.unreadable, key)) }
    return isThere
  }

  var firstError: PageError? { pages.firstError }
  func report(_ error: PageError) { pages.report(error) }
}
