/// A search for a text in other texts, whatever the letter case.
package struct TextSearch: Hashable, Sendable {
  /// The text.
  package let text: String
  /// The bytes of the text in lowercase.
  private let folded: [UInt8]
  private let isASCII: Bool

  /// Prepares the search for a text.
  package init(_ text: String) {
    self.text = text
    folded = Array(text.lowercased().utf8)
    isASCII = folded.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether the text occurs in another one.
  ///
  /// - Complexity: O(bytes of both, multiplied).
  package func occurs(in other: String) -> Bool {
    if folded.isEmpty { return true }
    guard isASCII, other.utf8.allSatisfy({ $0 < 0x80 }) else { return !ranges(in: other).isEmpty }
    let bytes = other.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard bytes.count >= folded.count else { return false }
    return (0...bytes.count - folded.count).contains { bytes[$0...].starts(with: folded) }
  }

  /// Returns where the text occurs in another one: whole characters, each in one range at most.
  ///
  /// - Complexity: O(bytes of both, multiplied).
  package func ranges(in other: String) -> [Range<String.Index>] {
    guard !folded.isEmpty else { return [] }
    let indices = Array(other.indices) + [other.endIndex]
    let characters = other.map { Array($0.lowercased().utf8) }
    var ranges: [Range<String.Index>] = []
    var start = 0
    while start < characters.count {
      var (rest, end) = (folded[...], start)
      while !rest.isEmpty, end < characters.count, rest.starts(with: characters[end]) {
        rest = rest.dropFirst(characters[end].count)
        end += 1
      }
      guard rest.isEmpty else {
        start += 1
        continue
      }
      ranges.append(indices[start]..<indices[end])
      start = end
    }
    return ranges
  }
}
