import Retrace
import RetraceSystem
import TimeTracking

/// A digest of the values of a row that has no id in the program that wrote it.
///
/// The entry of the row keeps it as an id, so the row is known after the entry was edited, and
/// after its project was renamed. Rows with equal values have equal digests: an import counts them.
struct RowDigest: Hashable {
  /// 63 bits of SHA-256, the others being zero.
  ///
  /// Among a million rows, two of other values have the same digest with a probability of one to
  /// ten millions.
  let bits: UInt64

  /// The beginning of an id that is a digest.
  private static var prefix: String { "row:" }
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Computes the digest of the values that the file gives.
  ///
  /// A missing column counts as an empty value. The order of the tags does not count. Of made-up
  /// times, only the length counts, so that a row keeps its digest wherever it is in the file.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - day: The day that the file has; `nil` unless the times of the row were made up.
  /// - Complexity: O(bytes of the row).
  init(of row: ImportedRow, placedOn day: CivilDate?) {
    var bytes: [UInt8] = []
    func add(_ number: Int64) {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(place * 8))) }
    }
    func add(_ text: String) {
      add(Int64(text.utf8.count))
      bytes += text.utf8
    }
    add(row.user.key)
    if let day {
      add(Int64(day.daysSince1970))
      add(row.end.elapsed(since: row.start).microseconds)
    } else {
      add(row.start.microseconds)
      add(row.end.microseconds)
    }
    add(row.description)
    for name in [row.client, row.project, row.task] { add(name?.key ?? "") }
    for key in Set(row.tags).map(\.key).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      add(key)
    }
    bytes.append(row.isBillable ? 1 : 0)
    bits = SHA256Hasher.digest(of: bytes.span).word0 & ~1
  }

  /// Reads a digest; `nil` for the id of another program.
  ///
  /// - Complexity: O(1).
  init?(id: String) {
    let text = id.utf8
    guard text.count == 15, text.starts(with: Self.prefix.utf8) else { return nil }
    var bits: UInt64 = 0
    for letter in text.dropFirst(4) {
      guard let value = Self.letters.firstIndex(of: letter) else { return nil }
      bits = bits &<< 6 | UInt64(value)
    }
    self.bits = bits
  }

  /// The digest as the id of an entry, in 15 bytes.
  var id: String {
    var text = Array(Self.prefix.utf8)
    for place in (0..<11).reversed() {
      text.append(Self.letters[Int(bits &>> UInt64(place * 6) & 63)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A multiset of the digests of entries, from which an import takes one for each row that it knows.
///
/// It is a sorted array of 9 bytes for each entry, because a table cannot search for the values of
/// entries, and a dictionary would take five times as much.
struct KnownRows {
  /// The digests, each with the lowest bit set if its entry is deleted, in order.
  private var keys: [UInt64] = []
  private var isTaken: [Bool] = []

  /// Whether there is no entry.
  var isEmpty: Bool { keys.isEmpty }

  /// Adds the digest of an entry; call ``sort()`` after the last one.
  mutating func add(_ bits: UInt64, isDeleted: Bool) {
    keys.append(bits & ~1 | (isDeleted ? 1 : 0))
  }

  /// Sorts the digests.
  ///
  /// - Complexity: O(*n* log *n*).
  mutating func sort() {
    keys.sort()
    isTaken = Array(repeating: false, count: keys.count)
  }

  /// Takes an entry with a digest, first one that is not deleted.
  ///
  /// - Complexity: O(log *n*), however many entries have the digest.
  /// - Returns: Whether the entry is deleted; `nil` if no entry is left.
  mutating func take(_ bits: UInt64) -> Bool? {
    let bits = bits & ~1
    // Those that were taken come first among equal ones.
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = keys[middle] < bits || keys[middle] & ~1 == bits && isTaken[middle]
      if isBefore { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, keys[low] & ~1 == bits else { return nil }
    isTaken[low] = true
    return keys[low] & 1 == 1
  }

  /// Takes the entries that were taken from an older set.
  mutating func takeAll(takenFrom old: KnownRows) {
    for index in old.keys.indices where old.isTaken[index] { _ = take(old.keys[index]) }
  }
}
