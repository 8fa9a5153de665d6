/// The set of visited pages, one bit per page.
struct PageSet {
  /// The largest number of pages by which a commit's page count may exceed the file.
  ///
  /// The file lacks pages that a transaction allocated and freed without writing them.
  static let pagesPastEndMax: UInt64 = 1 << 20

  private var words: [UInt64]
  let pages: UInt64

  /// Creates a set for a commit's page count; `nil` if it far exceeds the pages in the file.
  init?(counted: UInt64, inFile: UInt64) {
    guard counted <= inFile + PageSet.pagesPastEndMax else { return nil }
    pages = counted
    words = [UInt64](repeating: 0, count: Int((counted + 63) / 64))
  }

  /// Adds pages; returns the first that is already in the set or out of range.
  mutating func add(_ first: UInt64, count: UInt64 = 1) -> UInt64? {
    guard first < pages, count <= pages - first else { return first }
    for page in first..<first + count {
      let bit = UInt64(1) << (page & 63)
      if words[Int(page >> 6)] & bit != 0 { return page }
      words[Int(page >> 6)] |= bit
    }
    return nil
  }
}
