import Figures
import RetraceRandom
import RetraceSystem

/// How many operations a round does.
let operations = 500_000

/// A way to read an entry.
protocol EntryAccess {
  /// The start of an entry.
  static func start(_ id: Int, in table: some EntryHolder) -> Int64?
}

/// Reads with `read`, which copies nothing.
enum ByRead: EntryAccess {
  @inline(__always)
  static func start(_ id: Int, in table: some EntryHolder) -> Int64? { table.start(id) }
}

/// Reads with the subscript.
enum BySubscript: EntryAccess {
  @inline(__always)
  static func start(_ id: Int, in table: some EntryHolder) -> Int64? {
    table.startBySubscript(id)
  }
}

/// Reads entries whose ids do not depend on one another.
@inline(never)
func independentGets<Way: EntryAccess>(
  _ way: Way.Type, _ table: some EntryHolder, _ ids: [Int]
) -> UInt64 {
  var sum: UInt64 = 0
  for id in ids { sum &+= UInt64(bitPattern: way.start(id, in: table) ?? 0) }
  return sum
}

/// Reads entries; each id depends on the previous entry, so that no two reads overlap.
@inline(never)
func dependentGets<Way: EntryAccess>(
  _ way: Way.Type, _ table: some EntryHolder, below limit: Int
) -> UInt64 {
  var generator = SeededGenerator(seed: 5)
  var sum: UInt64 = 0
  var id = 1
  for _ in 0..<operations {
    let start = UInt64(bitPattern: way.start(id, in: table) ?? 0)
    sum &+= start
    // Adds nothing, which the processor cannot know before it has the entry.
    id = generator.below(limit) &+ Int(start >> 63)
  }
  return sum
}

/// Changes entries in place.
@inline(never)
func mutations(_ table: inout some EntryHolder, _ ids: [Int]) -> UInt64 {
  var sum: UInt64 = 0
  for id in ids { sum &+= UInt64(bitPattern: table.close(id, Int64(id & 1_023)) ?? 0) }
  return sum
}

/// Builds tables from nothing.
@inline(never)
func appends<Table: EntryHolder>(_ type: Table.Type, _ entries: [Entry], times: Int) -> UInt64 {
  var sum: UInt64 = 0
  for _ in 0..<times {
    var table = Table()
    for entry in entries { table.append(entry) }
    for id in [0, entries.count / 2, entries.count - 1] {
      sum &+= UInt64(bitPattern: table.start(id) ?? 0)
    }
  }
  return sum
}

/// Changes entries while the last thousand states are kept.
@inline(never)
func keptMutations<Table: EntryHolder>(
  _ table: inout Table, _ ids: ArraySlice<Int>
) -> UInt64 {
  var kept = [Table](repeating: table, count: 1_000)
  var sum: UInt64 = 0
  for (index, id) in ids.enumerated() {
    sum &+= UInt64(bitPattern: table.close(id, Int64(index)) ?? 0)
    kept[index % 1_000] = table
  }
  return sum
}

/// The hash functions that stores use.
typealias SHA256 = SHA256Hasher
