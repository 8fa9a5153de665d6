/// The places within words at which other words of a log begin.
///
/// A search for `port` finds `airport`. So from the `p` on, the replacement of `airport` is that of
/// `port`. A place is known by the letters before it, and the letters after it are replaced as if
/// they began a word. So words with a common start still have replacements with a common start.
struct WordSeams: Sendable {
  /// The letters before each place, since the place before it or the start of the word.
  private var starts: Set<[UInt32]> = []

  /// Whether there are none.
  var isEmpty: Bool { starts.isEmpty }

  /// The fewest letters of a word that is sought in others: shorter ones are in too many.
  private static var lettersMin: Int { 4 }
  /// The most letters of a word.
  static var lettersMax: Int { 64 }
  /// The most passes over all words: places that are found change the letters before later ones.
  private static var passesMax: Int { 8 }

  init() {}

  /// Finds words in words.
  ///
  /// - Parameter words: Words of up to ``lettersMax`` letters, each as the values of its letters
  ///   in lower case.
  /// - Complexity: O(letters), and a look-up at each letter for each length of a word.
  init(of words: Set<[UInt32]>) {
    let lengths = Set(words.map { $0.count }.filter { $0 >= Self.lettersMin })
    let joined = words.compactMap { word -> (word: [UInt32], places: Set<Int>)? in
      let places = (1..<max(1, word.count)).filter { start in
        lengths.contains { length in
          start + length <= word.count && words.contains(Array(word[start..<start + length]))
        }
      }
      return places.isEmpty ? nil : (word: word, places: Set(places))
    }
    for _ in 0..<Self.passesMax {
      let count = starts.count
      for (word, places) in joined {
        var before: [UInt32] = []
        for (place, letter) in word.enumerated() {
          if places.contains(place) { starts.insert(before) }
          if starts.contains(before) { before = [] }
          before.append(letter)
        }
      }
      if starts.count == count { return }
    }
  }

  /// Returns whether another word begins after some letters of a word.
  ///
  /// - Parameter before: The letters since the last place, in lower case.
  func contains(_ before: [UInt32]) -> Bool {
    before.count < Self.lettersMax && starts.contains(before)
  }
}
