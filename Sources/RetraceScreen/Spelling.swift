/// A search for the known name nearest to a misspelled one.
///
/// ```swift
/// print(Spelling.nearest(to: "reprot", in: ["report", "start"]) ?? "none")
/// ```
public enum Spelling {
  /// The longest name that is compared, in bytes.
  static var bytesMax: Int { 64 }

  /// Returns the name with the smallest edit distance to a text; `nil` if every distance is more
  /// than a third of the shorter one's length.
  ///
  /// - Complexity: O(bytes of the text, times bytes of all names).
  public static func nearest(to text: String, in names: [String]) -> String? {
    let text = Array(text.utf8)
    guard !text.isEmpty, text.count <= bytesMax else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let other = Array(name.utf8)
      guard !other.isEmpty, other.count <= bytesMax else { continue }
      let distance = distance(text, other)
      guard distance <= min(text.count, other.count) / 3 else { continue }
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns the option that a user probably meant: the nearest name, or else the shortest one of
  /// which the text is an abbreviation.
  ///
  /// An abbreviation has at least three bytes: the first one of the name, and others in the order
  /// of the name. So `fltr` is one of `filter`.
  ///
  /// - Complexity: As ``nearest(to:in:)``.
  public static func similarOption(to text: String, in names: [String]) -> String? {
    if let nearest = nearest(to: text, in: names) { return nearest }
    let bytes = text.utf8.map(lowercase)
    guard bytes.count >= 3 else { return nil }
    func isAbbreviation(of name: String) -> Bool {
      guard name.utf8.first == bytes.first else { return false }
      var rest = bytes[...]
      for byte in name.utf8 where byte == rest.first { rest = rest.dropFirst() }
      return rest.isEmpty
    }
    return names.filter(isAbbreviation).min { $0.utf8.count < $1.utf8.count }
  }

  /// Returns the question whether the nearest name is meant, and a space; empty if no name is near.
  ///
  /// - Complexity: As ``nearest(to:in:)``.
  public static func hint(_ text: String, in names: [String]) -> String {
    nearest(to: text, in: names).map { "Did you mean \($0)? " } ?? ""
  }

  /// Returns the edit distance: the number of bytes to insert, remove, replace or swap with a
  /// neighbour.
  ///
  /// ASCII letters are compared without case.
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    let (one, other) = (one.map(lowercase), other.map(lowercase))
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[other.count]
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
