extension EntityTable: Equatable {
  /// Returns whether two tables hold equal entities under equal ids and have the same next id.
  ///
  /// Shared parts are skipped, and so are parts whose hashes are up to date and equal. The births
  /// of pages are not compared. If a page that is needed cannot be read, the tables are not equal,
  /// and its source has an error.
  ///
  /// - Complexity: O(1) for copies of one table, O(log `count`) after one change, O(`count`) for
  ///   tables built independently whose hashes were never computed.
  public static func == (left: EntityTable, right: EntityTable) -> Bool {
    guard left.next == right.next && left.liveCount == right.liveCount else { return false }
    if left.hasTrunks && left.trunks.shares(right.trunks) { return true }
    let readers = PageReaderPair(left: left.pageReader, right: right.pageReader)
    for trunk in left.references.indices {
      let fresh = !left.isStale(trunk) && !right.isStale(trunk)
      if fresh && left.references[trunk].hash == right.references[trunk].hash { continue }
      let first = Int64(trunk) * TablePath.trunkSpan
      guard
        let mine = left.resident(trunk), let theirs = right.resident(trunk),
        mine.isEqual(to: theirs, from: first, readers)
      else { return false }
    }
    return true
  }
}
