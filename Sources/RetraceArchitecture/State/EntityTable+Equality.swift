extension EntityTable: Equatable {
  /// Whether two tables hold equal entities under equal ids and give the same id next.
  ///
  /// Parts that two tables share are passed over; so are parts whose hashes are both up to date
  /// and equal.
  ///
  /// - Complexity: O(1) for copies of one table, O(log `count`) after one change, O(`count`) for
  ///   tables built apart whose hashes were never computed.
  public static func == (left: EntityTable, right: EntityTable) -> Bool {
    guard left.next == right.next && left.live == right.live else { return false }
    if left.trunks.span.isIdentical(to: right.trunks.span) { return true }
    guard left.trunks.count == right.trunks.count else { return false }
    for index in left.trunks.indices {
      let fresh = left.trunks[index].stale == 0 && right.trunks[index].stale == 0
      if fresh && left.references[index].hash == right.references[index].hash { continue }
      if left.trunks[index] != right.trunks[index] { return false }
    }
    return true
  }
}

extension TableTrunk: Equatable {
  @usableFromInline
  static func == (left: TableTrunk, right: TableTrunk) -> Bool {
    if left.branches.span.isIdentical(to: right.branches.span) { return true }
    guard left.branches.count == right.branches.count else { return false }
    let stale = left.stale | right.stale
    for index in left.branches.indices {
      let fresh = stale >> UInt32(index) & 1 == 0
      if fresh && left.references[index].hash == right.references[index].hash { continue }
      if left.branches[index] != right.branches[index] { return false }
    }
    return true
  }
}

extension TableBranch: Equatable {
  @usableFromInline
  static func == (left: TableBranch, right: TableBranch) -> Bool {
    if left.leaves.span.isIdentical(to: right.leaves.span) { return true }
    guard left.leaves.count == right.leaves.count else { return false }
    let stale = left.stale | right.stale
    for index in left.leaves.indices {
      let fresh = stale >> UInt32(index) & 1 == 0
      if fresh && left.references[index].hash == right.references[index].hash { continue }
      if left.leaves[index] != right.leaves[index] { return false }
    }
    return true
  }
}
