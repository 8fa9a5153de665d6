import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing

/// An EntityTable is a dictionary that counts its ids up.
struct EntityTableModelTests {
  @Test("Random operations do what they do to a dictionary [T3] [i8]", arguments: 1...20)
  func agreesWithDictionary(seed: UInt64) {
    withSeed(default: seed) { generator in
      var table = Items()
      var model: [Int64: Item] = [:]
      var next: Int64 = 0
      for step in 0..<1_500 {
        let id = ItemID(value: Int64.random(in: -2...next + 2, using: &generator))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5:
          let item = Item.random(&generator)
          #expect(table.insert(item) == ItemID(value: next))
          model[next] = item
          next += 1
        case 5..<7:
          #expect(table.remove(id) == (model.removeValue(forKey: id.value) != nil))
        case 7..<9:
          let name = "changed \(step)"
          let before = table.modify(id) { item in
            defer { item.name = name }
            return item.name
          }
          #expect(before == model[id.value]?.name)
          model[id.value]?.name = name
        default: _ = table.hash()
        }
        if Int.random(in: 0..<8, using: &generator) == 0 {
          let wasRemoved = (0..<next).contains(id.value) && model[id.value] == nil
          #expect(table.reinsert(Item("again", start: 7), at: id) == wasRemoved)
          if wasRemoved { model[id.value] = Item("again", start: 7) }
        }
        #expect(table[id] == model[id.value])
        #expect(table.contains(id) == (model[id.value] != nil))
      }
      #expect(table.nextID == ItemID(value: next))
      #expect(table.count == model.count)
      #expect(table.contents == model)
      #expect(table.isEmpty == model.isEmpty)
      checkOrders(table, model, &generator)
      checkSortKeys(table, model, &generator)
      checkSearch(table, model, &generator)
    }
  }

  @Test("Ids at every border of leaf, branch and trunk hold what was put there")
  func borders() {
    var table = Items()
    for number in 0..<Int64(66_000) { table.insert(Item("", start: number)) }
    let borders: [Int64] = [0, 31, 32, 1_023, 1_024, 32_767, 32_768, 65_535, 65_536, 65_999]
    for border in borders {
      let id = ItemID(value: border)
      #expect(table[id]?.start == border)
      let start = table.modify(id) { $0.start }
      #expect(start == border)
      var first: Int64?
      table.forEach(from: id) { id, _ in first = first ?? id.value }
      #expect(first == border)
      #expect(table.remove(id) == true)
      #expect(table[id] == nil)
      #expect(table.remove(id) == false)
    }
    for beyond: Int64 in [-1, 66_000, 1 << 40, .max, .min] {
      #expect(table[ItemID(value: beyond)] == nil)
      let start = table.modify(ItemID(value: beyond)) { $0.start }
      #expect(start == nil)
    }
    #expect(table.count == 66_000 - borders.count)
    #expect(table.nextID.value == 66_000)
  }

  @Test("Sort keys are found by hashes that are up to date, out of date, and mixed")
  func sortKeysSkip() {
    var table = Items()
    for number in 0..<Int64(40_000) { table.insert(Item("", start: number * 10)) }
    _ = table.hash()
    func found(_ sortKeys: ClosedRange<Int64>) -> [Int64] {
      var ids: [Int64] = []
      table.forEach(inSortKeys: sortKeys) { id, _ in ids.append(id.value) }
      return ids
    }
    #expect(found(5_000...5_020) == [500, 501, 502])
    #expect(found(-5 ... -1) == [])
    table.modify(ItemID(value: 39_999)) { $0.start = 5_005 }
    #expect(found(5_000...5_020) == [500, 501, 502, 39_999])
    _ = table.hash()
    #expect(found(5_000...5_020) == [500, 501, 502, 39_999])
    #expect(found(399_990...399_999) == [])
    table.remove(ItemID(value: 501))
    _ = table.hash()
    #expect(found(5_000...5_020) == [500, 502, 39_999])
    #expect(found(.min ... .max).count == 39_999)
  }

  private func checkOrders(
    _ table: Items, _ model: [Int64: Item], _ generator: inout SeededGenerator
  ) {
    var forwards: [Int64] = []
    table.forEach { id, item in
      #expect(item == model[id.value])
      forwards.append(id.value)
    }
    #expect(forwards == model.keys.sorted())
    #expect(table.rows.map(\.id.value) == forwards)
    #expect(table.rows.allSatisfy { $0.entity == model[$0.id.value] })
    let start = Int64.random(in: -40...Int64(table.nextID.value + 40), using: &generator)
    var from: [Int64] = []
    table.forEach(from: ItemID(value: start)) { id, _ in from.append(id.value) }
    #expect(from == forwards.filter { $0 >= start })
  }

  private func checkSearch(
    _ table: Items, _ model: [Int64: Item], _ generator: inout SeededGenerator
  ) {
    for order in [SortKeyOrder.ascending, .descending] {
      let limit = [0, 1, 2, 30, 1_000, .max].randomElement(using: &generator) ?? 0
      let part = Int64.random(in: 1...4, using: &generator)
      let key = Int64.random(in: -1_100...1_100, using: &generator)
      let start = Bool.random(using: &generator) ? nil : key
      let all = inOrder(order, model.filter { $0.value.start % part == 0 }, from: start)
      let found = table.search(order, from: start, limit: limit) { $1.start % part == 0 }
      #expect(found.entities.map(\.id.value) == all.prefix(limit).map(\.key))
      #expect(found.entities.map(\.entity) == all.prefix(limit).map(\.value))
      #expect(found.rest == nil)
      checkSearchInParts(table, order, all, from: start, part: part, &generator)
    }
  }

  /// Every search goes on where the one before it stopped, until all entities are found.
  private func checkSearchInParts(
    _ table: Items, _ order: SortKeyOrder, _ all: [(key: Int64, value: Item)], from start: Int64?,
    part: Int64, _ generator: inout SeededGenerator
  ) {
    let visits = [0, 1, 40, 200].randomElement(using: &generator) ?? 0
    var (start, ids): (Int64?, [Int64]) = (start, [])
    repeat {
      let found = table.search(order, from: start, limit: .max, visits: visits) {
        $1.start % part == 0
      }
      ids += found.entities.map(\.id.value)
      if let rest = found.rest {
        let isFurther = start.map { order == .ascending ? rest > $0 : rest < $0 } ?? true
        #expect(isFurther)
        if !isFurther { return }
        #expect(found.entities.allSatisfy { $0.entity.sortKey != rest })
      }
      start = found.rest
    } while start != nil
    #expect(ids == all.map(\.key))
  }

  private func inOrder(
    _ order: SortKeyOrder, _ model: [Int64: Item], from start: Int64?
  ) -> [(key: Int64, value: Item)] {
    let sorted = model.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    guard let start else { return order == .ascending ? sorted : sorted.reversed() }
    return order == .ascending
      ? sorted.filter { $0.value.start >= start }
      : sorted.filter { $0.value.start <= start }.reversed()
  }

  private func checkSortKeys(
    _ table: Items, _ model: [Int64: Item], _ generator: inout SeededGenerator
  ) {
    for _ in 0..<20 {
      let low = Int64.random(in: -1_100...1_100, using: &generator)
      let sortKeys = low...(low + Int64.random(in: 0...300, using: &generator))
      var found: [Int64] = []
      table.forEach(inSortKeys: sortKeys) { id, item in
        #expect(item == model[id.value])
        found.append(id.value)
      }
      #expect(found == model.keys.sorted().filter { sortKeys.contains(model[$0]?.start ?? .min) })
    }
  }
}
