/// Which snapshots are kept.
///
/// The gap between two neighbours may grow with their age up to a bound, so that their number grows
/// with the logarithm of the log's length, then slowly with the length, and a seek costs the same
/// anywhere. There are two bounds: a close one, and one for snapshots that take much room.
enum Thinning {
  /// The most records between two neighbouring snapshots, or before the first.
  static var gapMax: UInt64 { 250_000 }
  /// The most snapshots that are removed in one transaction.
  static var removedMax: Int { 4 }
  /// How many bytes a snapshot may take for each record between its neighbours, and still be kept
  /// where these lie within ``gapMax``.
  static var bytesPerRecord: UInt64 { 16 }
  /// What a page takes, near enough.
  static var pageBytes: UInt64 { 1_024 }

  /// The bound up to which every snapshot between two others is removed.
  static func closeGap(_ gapMax: UInt64) -> UInt64 { gapMax / 5 * 2 }

  /// Whether so many pages are more than a snapshot may take in a gap.
  static func isDear(pages: Int, gap: UInt64) -> Bool {
    // Divided, since a gap may be any number of records.
    UInt64(pages) * pageBytes / bytesPerRecord > gap
  }

  /// The first snapshot that can go: its neighbours then lie no further apart than its age allows.
  ///
  /// - Parameter sequences: All snapshots, lowest first.
  /// - Complexity: O(snapshots).
  static func removable(_ sequences: [UInt64], gapMax: UInt64 = closeGap(gapMax)) -> Int? {
    sequences.indices.dropLast().first { canGo($0, of: sequences, gapMax: gapMax) }
  }

  /// The snapshots that can go if they are dear, lowest first.
  ///
  /// What is older than four times the bound was looked at when it was younger.
  ///
  /// - Complexity: O(snapshots).
  static func removableIfDear(_ sequences: [UInt64], gapMax: UInt64 = gapMax) -> [Int] {
    guard let newest = sequences.last else { return [] }
    return sequences.indices.dropLast().filter { index in
      (newest - sequences[index]) / 4 <= gapMax && canGo(index, of: sequences, gapMax: gapMax)
    }
  }

  private static func canGo(_ index: Int, of sequences: [UInt64], gapMax: UInt64) -> Bool {
    let before = index == 0 ? 0 : sequences[index - 1]
    let age = sequences[sequences.count - 1] - sequences[index]
    return sequences[index + 1] - before <= min(gapMax, age / 2)
  }
}
