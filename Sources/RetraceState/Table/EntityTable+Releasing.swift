import RetraceAvro

extension EntityTable {
  /// Releases the saved nodes and leaves from memory, except the branch of the next id.
  ///
  /// A branch has 1,024 ids. Released entities are read again from their pages.
  ///
  /// - Parameters:
  ///   - source: The source of the pages of the last save.
  ///   - number: The number of the table in its state.
  /// - Complexity: O(resident nodes).
  mutating func releaseSaved(to source: some PageSource, number: UInt8) {
    let tail = TablePath(next)
    var hasReleased = false
    for trunk in trunks.indices where trunks[trunk].isResident {
      if trunk != tail.trunk, references[trunk].birth != 0, trunks[trunk].marks == 0 {
        trunks[trunk] = Trunk()
        hasReleased = true
      } else if trunks[trunk].releaseSaved(besides: trunk == tail.trunk ? tail.branch : nil) {
        hasReleased = true
      }
    }
    guard hasReleased || self.source != nil else { return }
    self.source = source
    tableNumber = number
  }
}

extension TableNode {
  /// Releases the children that are saved.
  ///
  /// - Parameter tail: The place of a child that is kept.
  /// - Returns: Whether a child was released.
  mutating func releaseSaved(besides tail: Int?) -> Bool {
    var hasReleased = false
    for place in children.indices where place != tail && children[place].isResident {
      let bits: UInt64 = 0x1_0000_0001 << UInt64(place)
      guard references[place].birth != 0, marks & bits == 0 else { continue }
      children[place] = Child()
      hasReleased = true
    }
    return hasReleased
  }
}
