import RetraceAvro
import RetraceHashing
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceState

/// The hash of a table is a function of its contents, as the format describes it.
struct EntityTableHashTests {
  @Test("The hasher of these tests is SHA-256")
  func hasher() {
    let abc = Array("abc".utf8)
    #expect(
      SwiftHasher.digest(of: abc.span).hex
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let long = [UInt8](repeating: 0x61, count: 1_000)
    #expect(
      SwiftHasher.digest(of: long.span).hex
        == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }

  @Test("The hash is the one that the format page defines, after any operations", arguments: 1...12)
  func agreesWithFormat(seed: UInt64) {
    withSeed(default: seed) { generator in
      var table = Items()
      for round in 0..<8 {
        change(&table, times: [1, 3, 40, 600][round % 4], &generator)
        #expect(table.hash() == FormatHash.table(table.contents))
      }
    }
  }

  @Test("The hash is the one that the format page defines, across trunks")
  func agreesAcrossTrunks() {
    var table = Items()
    for number in 0..<Int64(33_000) { table.insert(Item("x", start: -number)) }
    #expect(table.hash() == FormatHash.table(table.contents))
    for number in 0..<Int64(32_768) { table.remove(ItemID(value: number)) }
    #expect(table.hash() == FormatHash.table(table.contents))
    for number in 32_768..<Int64(33_000) { table.remove(ItemID(value: number)) }
    #expect(table.hash() == Digest.zero)
  }

  @Test("Any number of trunks is combined as the format page defines", arguments: 1...12)
  func manyTrunks(seed: UInt64) {
    withSeed(default: seed) { generator in
      for count in [1, 2, 31, 32, 33, 64, 65, 1_024, 1_025, 1_100] {
        let filled = Int.random(in: 0...count, using: &generator)
        let nodes = (0..<count).map { index -> FormatHash.Node? in
          guard index < filled && Bool.random(using: &generator) else { return nil }
          let hash = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
          return FormatHash.Node(hash: hash, low: Int64(index), high: Int64(index) + 5)
        }
        let references = nodes.map { node in
          node.map {
            PageReference(
              hash: FormatHash.digest($0.hash), lowestSortKey: $0.low, highestSortKey: $0.high)
          } ?? .empty
        }
        var writer = AvroWriter()
        let root = PageReference.root(
          over: ContiguousArray(references), { SwiftHasher.digest(of: $0) }, &writer)
        #expect(root.bytes == FormatHash.root(nodes)?.hash ?? Digest.zero.bytes, "\(count) trunks")
      }
    }
  }

  @Test("Tables whose entities are equal with other bytes are equal with and without hashes")
  func equalWithOtherBytes() {
    var composed = Items()
    var decomposed = Items()
    composed.insert(Item("\u{e9}", start: 1))
    decomposed.insert(Item("e\u{301}", start: 1))
    #expect(composed == decomposed)
    #expect(composed.hash() != decomposed.hash())
    #expect(composed == decomposed)
  }

  @Test("The system's hasher gives the same hash")
  func systemHasher() {
    var table = Items()
    for number in 0..<Int64(3_000) { table.insert(Item("entry \(number)", start: number * 7)) }
    var copy = table
    var writer = AvroWriter()
    #expect(copy.hash(with: SHA256Hasher.self, &writer) == table.hash())
  }

  @Test("An empty table has the hash of nothing, also when it was not empty")
  func empty() {
    var table = Items()
    #expect(table.hash() == Digest.zero)
    let id = table.insert(Item("a", start: 1))
    #expect(table.hash() != Digest.zero)
    table.remove(id)
    #expect(table.hash() == Digest.zero)
    #expect(table.nextID.value == 1)
  }

  @Test("Equal contents by another history have an equal hash", arguments: 1...8)
  func historyDoesNotShow(seed: UInt64) {
    withSeed(default: seed) { generator in
      var first = Items()
      change(&first, times: 700, &generator)
      let contents = first.contents
      // The other table starts with other entities, is hashed now and then, and gets extra ones.
      var second = Items()
      for number in 0..<first.nextID.value { second.insert(Item("other", start: number)) }
      _ = second.hash()
      for number in (0..<first.nextID.value).shuffled(using: &generator) {
        let id = ItemID(value: number)
        if let item = contents[number] {
          second.modify(id) { $0 = item }
        } else {
          second.remove(id)
        }
        if number % 97 == 0 { _ = second.hash() }
      }
      #expect(second == first)
      #expect(second.hash() == first.hash())
      #expect(second == first)
      let extra = (0..<40).map { _ in second.insert(Item("extra", start: 0)) }
      for id in extra { second.remove(id) }
      #expect(second.hash() == first.hash())
      #expect(second != first)
    }
  }

  @Test(
    "Any change of the contents changes the hash, and its undoing restores it", arguments: 1...8)
  func changesShow(seed: UInt64) {
    withSeed(default: seed) { generator in
      var table = Items()
      change(&table, times: 300, &generator)
      for _ in 0..<60 {
        guard let (number, item) = table.contents.randomElement(using: &generator) else { continue }
        let id = ItemID(value: number)
        let before = table.hash()
        let copy = table
        table.modify(id) { $0.start += 1 }
        #expect(table.hash() != before)
        #expect(table != copy)
        table.modify(id) { $0 = item }
        table.modify(id) { $0.name += "x" }
        #expect(table.hash() != before)
        table.modify(id) { $0 = item }
        #expect(table.hash() == before)
        #expect(table == copy)
      }
    }
  }

  @Test("A copy keeps its own hash while the other is changed")
  func copiesAreApart() {
    var table = Items()
    for number in 0..<Int64(5_000) { table.insert(Item("", start: number)) }
    let hash = table.hash()
    var copy = table
    table.modify(ItemID(value: 77)) { $0.start = -1 }
    #expect(copy.hash() == hash)
    #expect(table.hash() != hash)
    #expect(table.hash() == FormatHash.table(table.contents))
  }

  @Test("The writer is left as it was")
  func writerIsLeft() {
    var table = Items()
    for number in 0..<Int64(100) { table.insert(Item("", start: number)) }
    var writer = AvroWriter()
    writer.string("before")
    let bytes = writer.bytes
    _ = table.hash(with: SwiftHasher.self, &writer)
    #expect(writer.bytes == bytes)
  }

  private func change(_ table: inout Items, times: Int, _ generator: inout SeededGenerator) {
    for _ in 0..<times {
      let number = Int64.random(in: 0...table.nextID.value, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<5: table.insert(.random(&generator))
      case 5: table.remove(ItemID(value: number))
      default: table.modify(ItemID(value: number)) { $0.start += 3 }
      }
    }
  }
}
