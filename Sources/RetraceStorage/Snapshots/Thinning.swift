/// Which snapshots are kept.
///
/// The gap between two neighbours may grow with their age up to a bound, so that their number grows
/// with the logarithm of the log's length, then slowly with the length, and a seek costs the same
/// anywhere.
enum Thinning {
  /// The most records between two neighbouring snapshots, or before the first.
  static var gapMax: UInt64 { 250_000 }
  /// The most snapshots that are removed in one transaction.
  static var removedMax: Int { 4 }

  /// The first snapshot that can go: its neighbours then lie no further apart than its age allows.
  ///
  /// - Parameter sequences: All snapshots, lowest first.
  /// - Complexity: O(snapshots).
  static func removable(_ sequences: [UInt64], gapMax: UInt64 = gapMax) -> Int? {
    guard let newest = sequences.last else { return nil }
    return sequences.indices.dropLast().first { index in
      let before = index == 0 ? 0 : sequences[index - 1]
      let age = newest - sequences[index]
      return sequences[index + 1] - before <= min(gapMax, age / 2)
    }
  }
}
