import RetraceArchitecture
import RetraceState

/// A radix tree of copy-on-write arrays, with the span and the fan-out of the engine's table, and
/// nothing else: no hashes, no pages, no record of changes.
struct PlainRadix<Value: TableEntity> {
  typealias Leaf = ContiguousArray<Value?>
  typealias Branch = ContiguousArray<Leaf>
  typealias Trunk = ContiguousArray<Branch>

  private(set) var trunks: ContiguousArray<Trunk> = []
  private(set) var next = 0

  @inline(__always)
  func read<Result>(_ id: Int, _ body: (Value) -> Result) -> Result? {
    let (trunk, branch, leaf, slot) = (id >> 15, id >> 10 & 31, id >> 5 & 31, id & 31)
    guard trunk < trunks.count, branch < trunks[trunk].count,
      leaf < trunks[trunk][branch].count, slot < trunks[trunk][branch][leaf].count
    else { return nil }
    return trunks[trunk][branch][leaf][slot].map(body)
  }

  // The lookup of the slot is repeated, because sharing it with `read` makes the subscript slower.
  @inline(__always)
  subscript(id: Int) -> Value? {
    let (trunk, branch, leaf, slot) = (id >> 15, id >> 10 & 31, id >> 5 & 31, id & 31)
    guard trunk < trunks.count, branch < trunks[trunk].count,
      leaf < trunks[trunk][branch].count, slot < trunks[trunk][branch][leaf].count
    else { return nil }
    return trunks[trunk][branch][leaf][slot]
  }

  @inline(__always)
  mutating func modify<Result>(_ id: Int, _ body: (inout Value) -> Result) -> Result? {
    guard id >> 15 < trunks.count else { return nil }
    return PlainRadix.inTrunk(&trunks[id >> 15], id, body)
  }

  @inline(__always)
  private static func inTrunk<Result>(
    _ trunk: inout Trunk, _ id: Int, _ body: (inout Value) -> Result
  ) -> Result? {
    guard id >> 10 & 31 < trunk.count else { return nil }
    return inBranch(&trunk[id >> 10 & 31], id, body)
  }

  @inline(__always)
  private static func inBranch<Result>(
    _ branch: inout Branch, _ id: Int, _ body: (inout Value) -> Result
  ) -> Result? {
    guard id >> 5 & 31 < branch.count else { return nil }
    return inLeaf(&branch[id >> 5 & 31], id, body)
  }

  @inline(__always)
  private static func inLeaf<Result>(
    _ leaf: inout Leaf, _ id: Int, _ body: (inout Value) -> Result
  ) -> Result? {
    guard id & 31 < leaf.count else { return nil }
    return inSlot(&leaf[id & 31], body)
  }

  @inline(__always)
  private static func inSlot<Result>(
    _ slot: inout Value?, _ body: (inout Value) -> Result
  ) -> Result? {
    slot?.mutate(body)
  }

  @inline(__always)
  mutating func append(_ value: consuming Value) {
    if next >> 15 == trunks.count { trunks.append([]) }
    PlainRadix.append(value, next, toTrunk: &trunks[next >> 15])
    next += 1
  }

  @inline(__always)
  private static func append(_ value: consuming Value, _ id: Int, toTrunk trunk: inout Trunk) {
    if id >> 10 & 31 == trunk.count { trunk.append([]) }
    append(value, id, toBranch: &trunk[id >> 10 & 31])
  }

  @inline(__always)
  private static func append(_ value: consuming Value, _ id: Int, toBranch branch: inout Branch) {
    if id >> 5 & 31 == branch.count { branch.append(freshLeaf()) }
    branch[id >> 5 & 31].append(value)
  }

  private static func freshLeaf() -> Leaf {
    var leaf = Leaf()
    leaf.reserveCapacity(32)
    return leaf
  }
}

extension TableEntity {
  /// Calls `body` with the value, so that optional chaining can change an optional slot in place.
  @inline(__always)
  fileprivate mutating func mutate<Result>(_ body: (inout Self) -> Result) -> Result { body(&self) }
}
