import Retrace

/// The letters or digits that can stand for one another: they have the same class, the same number
/// of UTF-8 bytes and the same width.
struct Alphabet: Sendable {
  /// The symbols, or the lowercase ones of an alphabet with two cases.
  private let lower: [ClosedRange<UInt32>]
  /// The uppercase symbols, in the same order.
  private let upper: [ClosedRange<UInt32>]
  /// The number of symbols of each case.
  let count: UInt32

  init(_ lower: [ClosedRange<UInt32>], upper: [ClosedRange<UInt32>] = []) {
    self.lower = lower
    self.upper = upper
    count = lower.reduce(0) { $0 + UInt32($1.count) }
  }

  /// Returns a symbol by its index.
  func symbol(_ index: UInt32, isUpper: Bool) -> Unicode.Scalar {
    var left = index % count
    for range in isUpper && !upper.isEmpty ? upper : lower {
      let length = UInt32(range.count)
      if left < length { return Unicode.Scalar(range.lowerBound + left) ?? "?" }
      left -= length
    }
    return "?"
  }

  /// Returns the index by which a keyed permutation replaces an index: any of those of a small
  /// alphabet, a rotation of a large one.
  func permuted(_ index: UInt32, by digest: Digest) -> UInt32 {
    let bytes = digest.bytes
    guard count <= bytes.count else {
      return (index + UInt32(digest.word0 % UInt64(count))) % count
    }
    var indices = Array(0..<count)
    for last in (1..<Int(count)).reversed() {
      indices.swapAt(last, Int(bytes[last]) % (last + 1))
    }
    return indices[Int(index)]
  }

  /// Returns the index of a symbol, and whether it is an uppercase one; `nil` if it is none.
  func place(of value: UInt32) -> (index: UInt32, isUpper: Bool)? {
    if let index = Self.index(of: value, in: lower) { return (index, false) }
    return Self.index(of: value, in: upper).map { ($0, true) }
  }

  private static func index(of value: UInt32, in ranges: [ClosedRange<UInt32>]) -> UInt32? {
    var start: UInt32 = 0
    for range in ranges {
      if range.contains(value) { return start + value - range.lowerBound }
      start += UInt32(range.count)
    }
    return nil
  }
}

extension Alphabet {
  static let latin = Alphabet([0x61...0x7a], upper: [0x41...0x5a])
  static let digits = Alphabet([0x30...0x39])
  /// The letters of Latin-1 that have two cases.
  static let accented = Alphabet([0xe0...0xf6, 0xf8...0xfe], upper: [0xc0...0xd6, 0xd8...0xde])
  static let georgian = Alphabet([0x10d0...0x10fa])
  static let ideographs = Alphabet([0x4e00...0x9fff])
  static let gothic = Alphabet([0x10330...0x10340])
  static let rareIdeographs = Alphabet([0x20000...0x2a6d6])

  private static let others = [
    accented,
    // Greek, without the sigma at the end of a word.
    Alphabet([0x3b1...0x3c1, 0x3c3...0x3c9], upper: [0x391...0x3a1, 0x3a3...0x3a9]),
    // Cyrillic, Hebrew, Arabic.
    Alphabet([0x430...0x44f], upper: [0x410...0x42f]),
    Alphabet([0x5d0...0x5ea]), Alphabet([0x627...0x63a]),
    // The consonants of Devanagari and Thai.
    Alphabet([0x915...0x939]), Alphabet([0xe01...0xe2e]), georgian,
    // Hiragana, Katakana, ideographs, Hangul.
    Alphabet([0x3041...0x3096]), Alphabet([0x30a1...0x30fa]), ideographs,
    Alphabet([0xac00...0xd7a3]), gothic, rareIdeographs,
  ]

  /// A letter or digit, with its place in the alphabet of its replacements.
  struct Place: Sendable {
    var alphabet: Alphabet
    var index: UInt32
    var isUpper: Bool
    /// The letter in lower case, so that the cases of a word are replaced alike.
    var folded: UInt32
  }

  /// Returns the place of a letter or digit; `nil` for any other scalar.
  static func place(of scalar: Unicode.Scalar) -> Place? {
    let value = scalar.value
    if value < 0x80 {
      for alphabet in [latin, digits] {
        if let (index, isUpper) = alphabet.place(of: value) {
          return Place(
            alphabet: alphabet, index: index, isUpper: isUpper,
            folded: isUpper ? value + 0x20 : value)
        }
      }
      return nil
    }
    for alphabet in others {
      if let (index, isUpper) = alphabet.place(of: value) {
        return Place(
          alphabet: alphabet, index: index, isUpper: isUpper,
          folded: alphabet.symbol(index, isUpper: false).value)
      }
    }
    return rarePlace(of: scalar)
  }

  /// Returns the place of a letter or digit of no alphabet above.
  ///
  /// Two such letters can have one replacement.
  private static func rarePlace(of scalar: Unicode.Scalar) -> Place? {
    switch scalar.properties.generalCategory {
    case .decimalNumber:
      let digit = UInt32(scalar.properties.numericValue ?? 0)
      let zero = scalar.value - digit
      return Place(
        alphabet: Alphabet([zero...zero + 9]), index: digit, isUpper: false, folded: digit)
    case .uppercaseLetter: return rareLetter(scalar, isUpper: true)
    case .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return rareLetter(scalar, isUpper: false)
    default: return nil
    }
  }

  private static func rareLetter(_ scalar: Unicode.Scalar, isUpper: Bool) -> Place {
    let isWide = TextWidth.of(String(scalar)) == 2
    let alphabet: Alphabet =
      switch UTF8.width(scalar) {
      case 2: accented
      case 3: isWide ? ideographs : georgian
      default: isWide ? rareIdeographs : gothic
      }
    let small = Array(scalar.properties.lowercaseMapping.unicodeScalars)
    let folded =
      small.count == 1 && UTF8.width(small[0]) == UTF8.width(scalar) ? small[0].value : scalar.value
    return Place(
      alphabet: alphabet, index: folded % alphabet.count, isUpper: isUpper, folded: folded)
  }
}
