/// The choice of snapshots to keep.
///
/// The allowed gap between neighbors grows with their age, up to a bound. So the number of
/// snapshots first grows logarithmically with the length of the log. Once gaps reach the bound, it
/// grows linearly, but slowly. The bound also limits the cost of a seek, wherever it goes. There
/// are two bounds: a narrow one for all snapshots, and a wide one for large snapshots.
enum Thinning {
  /// The largest gap between neighboring snapshots, or before the first, in records.
  static var gapMax: UInt64 { 250_000 }
  /// The largest number of snapshots that one transaction removes.
  static var removalsMax: Int { 4 }
  /// The size above which a snapshot is large, in bytes per record between its neighbors.
  ///
  /// Only a large snapshot is removed if the gap exceeds the narrow bound.
  static var bytesPerRecord: UInt64 { 16 }
  static var pageBytes: UInt64 { 1_024 }

  /// Returns the narrow bound, up to which a snapshot of any size is removed.
  static func smallSnapshotGap(_ gapMax: UInt64) -> UInt64 { gapMax / 5 * 2 }

  /// Returns whether a snapshot with a number of pages is large for the gap between its neighbors.
  static func isLarge(pages: Int, gap: UInt64) -> Bool {
    // Divides instead of multiplying, because the gap may be `.max`.
    UInt64(pages) * pageBytes / bytesPerRecord > gap
  }

  /// Returns the first snapshot whose removal leaves a gap that its age allows.
  ///
  /// - Parameter sequences: The sequences of all snapshots, in ascending order.
  /// - Complexity: O(snapshots).
  static func removable(_ sequences: [UInt64], gapMax: UInt64 = smallSnapshotGap(gapMax)) -> Int? {
    sequences.indices.dropLast().first { isRemovable($0, of: sequences, gapMax: gapMax) }
  }

  /// Returns the snapshots that can be removed if they are large, in ascending order.
  ///
  /// Snapshots older than four times the bound were considered when they were younger.
  ///
  /// - Complexity: O(snapshots).
  static func removableIfLarge(_ sequences: [UInt64], gapMax: UInt64 = gapMax) -> [Int] {
    guard let newest = sequences.last else { return [] }
    return sequences.indices.dropLast().filter { index in
      (newest - sequences[index]) / 4 <= gapMax && isRemovable(index, of: sequences, gapMax: gapMax)
    }
  }

  private static func isRemovable(_ index: Int, of sequences: [UInt64], gapMax: UInt64) -> Bool {
    let before = index == 0 ? 0 : sequences[index - 1]
    let age = sequences[sequences.count - 1] - sequences[index]
    return sequences[index + 1] - before <= min(gapMax, age / 2)
  }
}
