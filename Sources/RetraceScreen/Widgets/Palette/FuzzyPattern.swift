/// What a user types to find one of many texts: its characters in their order, with others between.
///
/// Words that are separated by blanks must each match. Letters of ASCII match in any case, unless
/// the pattern has a capital letter; all other characters match themselves. A match scores higher
/// if its characters are at the start of words or next to one another.
///
/// ```swift
/// let pattern = FuzzyPattern("rep")
/// let names = ["Prepare", "Report", "Review"]
/// print(pattern.ranked(count: names.count) { names[$0] }.map { names[$0] })
/// ```
public struct FuzzyPattern: Sendable {
  /// The score of a match, and the places of its characters.
  struct Match {
    var score: Int32 = 0
    /// The offsets of the matched characters in the UTF-8 of the text, in no order.
    var places: [Int32] = []
  }

  /// The scalars of each word, of which none is empty.
  private var words: [[UInt32]] = []
  /// Whether letters of another case match.
  private let foldsCase: Bool

  /// Creates a pattern; one without characters matches every text.
  public init(_ text: String) {
    foldsCase = !text.utf8.contains { 0x41 <= $0 && $0 <= 0x5A }
    var word: [UInt32] = []
    for scalar in text.unicodeScalars {
      if scalar != " " {
        word.append(scalar.value)
      } else if !word.isEmpty {
        words.append(word)
        word = []
      }
    }
    if !word.isEmpty { words.append(word) }
  }

  /// Whether every text matches.
  public var isEmpty: Bool { words.isEmpty }

  /// Returns how well a text matches, above 0 for a match of characters; `nil` if it does not.
  ///
  /// It allocates no memory.
  ///
  /// - Complexity: O(words · bytes of the text).
  public func score(of text: String) -> Int32? {
    var match = Match()
    return find(in: text, &match, keepsPlaces: false) ? match.score : nil
  }

  /// Returns the indices of the texts that match, the best first.
  ///
  /// Of two equal matches, the shorter text comes first, and then the one of the lower index. A
  /// pattern without characters leaves the order as it is. It reads all texts: call it when the
  /// pattern or the texts change, not for each frame.
  ///
  /// - Parameters:
  ///   - count: The number of texts.
  ///   - text: Returns the text of an index.
  /// - Complexity: O(words · bytes of all texts + matches · log matches).
  public func ranked(count: Int, text: (Int) -> String) -> [Int] {
    guard !isEmpty else { return Array(0..<max(count, 0)) }
    var found: [(index: Int, score: Int32, bytes: Int)] = []
    for index in 0..<max(count, 0) {
      let text = text(index)
      if let score = score(of: text) { found.append((index, score, text.utf8.count)) }
    }
    found.sort { one, two in
      if one.score != two.score { return one.score > two.score }
      return one.bytes != two.bytes ? one.bytes < two.bytes : one.index < two.index
    }
    return found.map { $0.index }
  }

  /// Returns the match in a text; `nil` if the text does not match.
  func match(in text: String) -> Match? {
    var match = Match()
    return find(in: text, &match, keepsPlaces: true) ? match : nil
  }

  private func find(in text: String, _ match: inout Match, keepsPlaces: Bool) -> Bool {
    let bytes = text.utf8.span
    for word in words {
      guard let range = range(of: word, in: bytes) else { return false }
      score(word, in: bytes, range, &match, keepsPlaces: keepsPlaces)
    }
    return true
  }
}

extension FuzzyPattern {
  // A character of a match, of which the first of a word counts twice what its place is worth.
  private static let matchScore: Int32 = 16
  private static let wordStartScore: Int32 = 8
  private static let capitalScore: Int32 = 7
  private static let neighborScore: Int32 = 4
  // Characters between two of the match.
  private static let gapStartScore: Int32 = -3
  private static let gapScore: Int32 = -1

  /// Returns a short range of the text with all scalars of a word in their order.
  ///
  /// It ends where the first such range ends, and begins as late as it can.
  private func range(of word: [UInt32], in bytes: Span<UInt8>) -> Range<Int>? {
    var (offset, next) = (0, 0)
    while next < word.count {
      guard offset < bytes.count else { return nil }
      let (scalar, end) = Cluster.scalar(at: offset, in: bytes)
      if isSame(scalar, word[next]) { next += 1 }
      offset = end
    }
    let end = offset
    while next > 0 {
      offset -= 1
      while bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      if isSame(Cluster.scalar(at: offset, in: bytes).scalar, word[next - 1]) { next -= 1 }
    }
    return offset..<end
  }

  private func score(
    _ word: [UInt32], in bytes: Span<UInt8>, _ range: Range<Int>, _ match: inout Match,
    keepsPlaces: Bool
  ) {
    var (offset, next, isAfterMatch, isGap) = (range.lowerBound, 0, false, false)
    // What the place of the first of neighboring characters is worth.
    var firstPlace: Int32 = 0
    while offset < range.upperBound, next < word.count {
      let (scalar, end) = Cluster.scalar(at: offset, in: bytes)
      if isSame(scalar, word[next]) {
        if keepsPlaces { match.places.append(Int32(truncatingIfNeeded: offset)) }
        var place = placeScore(at: offset, in: bytes)
        if isAfterMatch {
          if place >= FuzzyPattern.wordStartScore, place > firstPlace { firstPlace = place }
          place = max(place, firstPlace, FuzzyPattern.neighborScore)
        } else {
          firstPlace = place
        }
        match.score &+= FuzzyPattern.matchScore + (next == 0 ? 2 * place : place)
        (isAfterMatch, isGap) = (true, false)
        next += 1
      } else {
        match.score &+= isGap ? FuzzyPattern.gapScore : FuzzyPattern.gapStartScore
        (isAfterMatch, isGap) = (false, true)
      }
      offset = end
    }
  }

  /// Returns what it is worth that a character is at the start of a word.
  private func placeScore(at offset: Int, in bytes: Span<UInt8>) -> Int32 {
    guard offset > 0 else { return FuzzyPattern.wordStartScore }
    let (before, byte) = (bytes[offset - 1], bytes[offset])
    guard isWord(byte) else { return isWord(before) ? FuzzyPattern.wordStartScore : 0 }
    guard isWord(before) else { return FuzzyPattern.wordStartScore }
    let isCapital = 0x41 <= byte && byte <= 0x5A && !(0x41 <= before && before <= 0x5A)
    let isNumber = isDigit(byte) && !isDigit(before)
    return isCapital || isNumber ? FuzzyPattern.capitalScore : 0
  }

  private func isSame(_ scalar: UInt32, _ other: UInt32) -> Bool {
    scalar == other || foldsCase && 0x41 <= scalar && scalar <= 0x5A && scalar + 0x20 == other
  }

  /// Returns whether a byte belongs to a letter or a digit, as all bytes beyond ASCII do.
  private func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isDigit(byte) || 0x41 <= byte & 0xDF && byte & 0xDF <= 0x5A
  }

  private func isDigit(_ byte: UInt8) -> Bool { 0x30 <= byte && byte <= 0x39 }
}
