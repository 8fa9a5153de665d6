/// A hash table of the ids of the rows of a file, each with the hash of its first row.
///
/// It takes the bytes of the ids and about 20 bytes for each. A dictionary of strings would take
/// most of the memory of a large import.
struct RowIDs {
  /// The bytes of all ids, one after the other.
  private var bytes: [UInt8] = []
  /// The end of each id in ``bytes``.
  private var ends: [Int] = []
  private var hashes: [Int] = []
  /// The slots of the table: the index of an id plus 1, or 0 for a free slot.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  /// Adds an id unless it is known.
  ///
  /// - Returns: The hash of its first row, if it is known.
  /// - Complexity: O(bytes of the id), on average.
  mutating func insert(_ id: String, _ hash: Int) -> Int? {
    if (ends.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: id.utf8.span)
    if slots[slot] > 0 { return hashes[Int(slots[slot]) - 1] }
    bytes.append(contentsOf: id.utf8)
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(ends.count)
    return nil
  }

  /// Returns whether an id is known.
  func contains(_ id: String) -> Bool { slots[slot(of: id.utf8.span)] > 0 }

  /// Returns the slot of an id, or the free slot where it belongs.
  private func slot(of id: Span<UInt8>) -> Int {
    var slot = Self.hash(of: id) & (slots.count - 1)
    while slots[slot] > 0, !isEqual(Int(slots[slot]) - 1, to: id) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func isEqual(_ number: Int, to id: Span<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == id.count else { return false }
    for index in 0..<id.count where bytes[start + index] != id[index] { return false }
    return true
  }

  private mutating func grow() {
    var larger: [UInt32] = Array(repeating: 0, count: slots.count * 2)
    let mask = larger.count - 1
    for number in ends.indices {
      let start = number == 0 ? 0 : ends[number - 1]
      var slot = Self.hash(of: bytes.span.extracting(start..<ends[number])) & mask
      while larger[slot] > 0 { slot = (slot + 1) & mask }
      larger[slot] = UInt32(number + 1)
    }
    slots = larger
  }

  private static func hash(of id: Span<UInt8>) -> Int {
    var hasher = Hasher()
    var index = 0
    while index + 8 <= id.count {
      var word: UInt64 = 0
      for offset in 0..<8 { word = word << 8 | UInt64(id[index + offset]) }
      hasher.combine(word)
      index += 8
    }
    var rest: UInt64 = UInt64(id.count)
    while index < id.count {
      rest = rest << 8 | UInt64(id[index])
      index += 1
    }
    hasher.combine(rest)
    return hasher.finalize()
  }
}
