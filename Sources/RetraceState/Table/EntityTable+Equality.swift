extension EntityTable: Equatable {
  /// Returns whether two tables hold equal entities under equal ids and have the same next id.
  ///
  /// Shared parts are skipped, and so are parts whose hashes are up to date and equal. The births
  /// of pages are not compared. If a page that is needed cannot be read, the tables are not equal,
  /// and its source has an error.
  ///
  /// - Complexity: O(1) for copies of one table, O(log `count`) after one change, O(`count`) for
  ///   tables built independently whose hashes were never computed.
  @inlinable
  public static func == (left: EntityTable, right: EntityTable) -> Bool {
    guard left.next == right.next && left.liveCount == right.liveCount else { return false }
    // Inlined, so that comparing copies is a few loads and needs no metadata of the node types.
    if left.hasTrunks && left.trunks.shares(right.trunks) { return true }
    return left.hasEqualTrunks(right)
  }

  /// Returns whether two tables with the same next id and count have equal entities.
  @usableFromInline
  func hasEqualTrunks(_ other: EntityTable) -> Bool {
    let readers = PageReaderPair(left: pageReader, right: other.pageReader)
    for trunk in references.indices {
      let fresh = !isStale(trunk) && !other.isStale(trunk)
      if fresh && references[trunk].hash == other.references[trunk].hash { continue }
      let first = Int64(trunk) * TablePath.trunkSpan
      guard
        let mine = resident(trunk), let theirs = other.resident(trunk),
        mine.isEqual(to: theirs, from: first, readers)
      else { return false }
    }
    return true
  }
}
