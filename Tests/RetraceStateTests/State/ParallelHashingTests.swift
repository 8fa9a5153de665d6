import RetraceAvro
import RetraceSystem
import RetraceTesting
import Synchronization
import Testing

@testable import RetraceState

/// A hash computed by several threads is the one computed by one, and leaves the table the same.
struct ParallelHashingTests {
  @Test(arguments: 1...4)
  func `Hash and references are those of one thread, after any changes`(seed: UInt64) {
    withSeed(default: seed) { generator in
      let workers = CountingPool()
      var table = filled(70_000, &generator)
      for round in 0..<6 {
        let changes = [20_000, 3, 900][round % 3]
        for _ in 0..<changes { change(&table, &generator) }
        // Births stand for pages that were saved.
        for trunk in table.trunks.indices {
          table.references[trunk].birth = UInt64(trunk + round)
          for place in table.trunks[trunk].references.indices {
            table.trunks[trunk].references[place].birth = UInt64(place * 100 + round)
          }
        }
        let tasks = workers.tasks.load(ordering: .relaxed)
        var alone = table
        var writer = AvroWriter()
        let hash = alone.hash(with: SHA256Hasher.self, &writer)
        #expect(table.hash(with: SHA256Hasher.self, &writer, on: workers.pool) == hash)
        #expect(table.rootHash == alone.rootHash)
        #expect(table.references == alone.references)
        for (shared, single) in zip(table.trunks, alone.trunks) {
          #expect(shared.references == single.references)
          #expect(shared.marks == single.marks)
          #expect(shared.stale == 0)
          for (shared, single) in zip(shared.children, single.children) {
            #expect(shared.references == single.references)
            #expect(shared.marks == single.marks)
          }
        }
        // Few changes are not worth waking anybody.
        #expect(workers.tasks.load(ordering: .relaxed) == tasks + (changes > 64 ? 1 : 0))
      }
    }
  }

  @Test func `Leaves stay shared with copies, and unshared where there are none`() {
    withSeed { generator in
      var table = filled(20_000, &generator)
      let kept = table
      var writer = AvroWriter()
      let workers = CountingPool()
      _ = table.hash(with: SHA256Hasher.self, &writer, on: workers.pool)
      #expect(workers.tasks.load(ordering: .relaxed) == 1)
      #expect(leaves(of: table).elementsEqual(leaves(of: kept)) { $0.isIdentical($1) })
      #expect(table == kept)
    }
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(20_000) { table.insert(Boxed(number)) }
    var writer = AvroWriter()
    _ = table.hash(with: SHA256Hasher.self, &writer, on: CountingPool().pool)
    for number in 0..<Int64(20_000) {
      let isUnique = table.modify(ItemID(value: number)) { isKnownUniquelyReferenced(&$0.box) }
      #expect(isUnique == true)
    }
  }

  @Test func `A pool of one thread is not used`() {
    withSeed { generator in
      var table = filled(20_000, &generator)
      var copy = table
      var writer = AvroWriter()
      let workers = CountingPool(threadCount: 1)
      let hash = table.hash(with: SHA256Hasher.self, &writer, on: workers.pool)
      #expect(workers.tasks.load(ordering: .relaxed) == 0)
      #expect(hash == copy.hash(with: SHA256Hasher.self, &writer))
    }
  }

  private func filled(_ count: Int, _ generator: inout SeededGenerator) -> Items {
    var table = Items()
    for _ in 0..<count { table.insert(.random(&generator)) }
    return table
  }

  private func change(_ table: inout Items, _ generator: inout SeededGenerator) {
    let id = ItemID(value: Int64.random(in: 0..<table.nextID.value, using: &generator))
    if Bool.random(using: &generator) {
      table.remove(id)
    } else {
      table.modify(id) { $0.start += 1 }
    }
  }

  private func leaves(of table: Items) -> [TableLeaf<Item>] {
    table.trunks.flatMap { $0.children.flatMap(\.children) }
  }
}

extension TableLeaf {
  /// Whether both are the same memory.
  fileprivate func isIdentical(_ other: TableLeaf) -> Bool { slots.shares(other.slots) }
}

/// Counts what it is asked to do, and does it on threads.
private final class CountingPool: Sendable {
  let tasks = Atomic(0)
  private let workers: ThreadPool

  init(threadCount: Int = 4) { workers = ThreadPool(name: "pool", threadCount: threadCount) }

  var pool: WorkerPool {
    WorkerPool(threadCount: workers.threadCount) { count, piece in
      self.tasks.add(1, ordering: .relaxed)
      return self.workers.map(count, piece)
    }
  }
}
