import Retrace
import RetraceSystem

/// Replaces the letters and digits of texts by others, which depend on a key.
///
/// A run is a sequence of letters, or of digits. Each run is replaced for itself, wherever it is.
/// Equal runs have equal replacements, runs with a common start have replacements with a common
/// start, and the cases of a letter stay apart. A run of four letters or more that is in the log by
/// itself is replaced within another one as it is by itself. So a search, a completion and a
/// comparison find what they found. Each character keeps its class and its number of UTF-8 bytes.
/// Without the key, which is not kept, the texts cannot be restored.
///
/// What is neither letter nor digit stays, and so do runs that an app reads as more than text:
///
/// - numbers of one or two digits, of which times, days and minutes consist, and years from 2000
///   to 2099, as the moments of a log do; in expressions such as filters, those of up to
///   four digits;
/// - the words that the app calls public, in upper or lower case, beside a number or after such a
///   word, with one character between them at most, but a single letter not before a number; those
///   of five letters or more everywhere, and those of two or more in expressions;
/// - the word that says of a recorded key that it is typed or pasted text.
///
/// No replacement is such a run in its place, so that no text gets a meaning that it did not have.
struct TextRedactor: Sendable {
  /// How the names of keys begin that are typed or pasted text, as `Key.name` has them.
  private static let typedMarks = ["text:", "paste:"]

  /// A hasher that has hashed the key.
  private let keyed: SHA256Hasher
  /// The words that stay, in lower case.
  private let publicWords: Set<String>
  /// Where words of the log begin within others.
  private let seams: WordSeams

  init(key: [UInt8], keeping publicWords: [String] = [], seams: WordSeams = WordSeams()) {
    self.seams = seams
    var hasher = SHA256Hasher()
    hasher.update(key.span)
    keyed = hasher
    self.publicWords = Set(publicWords.map { $0.lowercased() })
  }

  /// Returns the replacement of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isExpression: Whether the app reads public words in it that are beside no number.
  /// - Complexity: O(scalars), each hashed.
  func redacted(_ text: String, isExpression: Bool = false) -> String {
    let mark = Self.typedMarks.first { text.hasPrefix($0) } ?? ""
    var rest = Array(text.unicodeScalars.dropFirst(mark.unicodeScalars.count))[...]
    var result = Array(mark.unicodeScalars)
    let far = 2
    // The number of characters after the last number, or after the word of a time.
    var distance = far
    while let scalar = rest.first {
      let run = Self.run(at: rest)
      rest = rest.dropFirst(max(1, run.count))
      guard !run.isEmpty else {
        result.append(scalar)
        distance += 1
        continue
      }
      let isBeforeNumber = run.count > 1 && rest.prefix(2).contains(where: Self.isDigit)
      let place = Place(
        isBesideNumber: distance <= 1 || isBeforeNumber, isExpression: isExpression)
      let isTime = Self.isDigit(scalar) || place.isBesideNumber && stays(run, in: place)
      result += replacement(of: run, in: place)
      distance = isTime ? 0 : far
    }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: result)
    return String(scalars)
  }

  /// Where a run is.
  private struct Place {
    var isBesideNumber: Bool
    var isExpression: Bool
  }

  /// Returns the runs of letters in a text, in lower case, without the long ones.
  static func words(in text: String) -> [[UInt32]] {
    var rest = Array(text.unicodeScalars)[...]
    var words: [[UInt32]] = []
    while let scalar = rest.first {
      let run = Self.run(at: rest)
      rest = rest.dropFirst(max(1, run.count))
      guard !run.isEmpty, !isDigit(scalar), run.count <= WordSeams.lettersMax else { continue }
      words.append(run.compactMap { Alphabet.place(of: $0)?.folded })
    }
    return words
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Returns the digits or the letters with which a text begins, each with its place.
  private static func run(at text: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    guard let first = text.first else { return [] }
    if isDigit(first) { return Array(text.prefix(while: isDigit)) }
    return Array(text.prefix { !isDigit($0) && Alphabet.place(of: $0) != nil })
  }

  private func replacement(
    of run: [Unicode.Scalar], in place: Place
  ) -> [Unicode.Scalar] {
    var run = run
    if stays(run, in: place) { return run }
    // The permutation leads out of the runs that stay, at the latest to where it began.
    repeat { run = permuted(run) } while stays(run, in: place)
    return run
  }

  /// Returns whether a run stays as it is.
  private func stays(_ run: [Unicode.Scalar], in place: Place) -> Bool {
    if run.first.map(Self.isDigit) == true {
      return run.count <= (place.isExpression ? 4 : 2)
        || run.count == 4 && run.starts(with: ["2", "0"])
    }
    guard run.count >= 5 || place.isBesideNumber || place.isExpression && run.count >= 2 else {
      return false
    }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: run)
    return publicWords.contains(String(scalars).lowercased())
  }

  /// Replaces each symbol by a permutation of its alphabet that depends on those before it.
  private func permuted(_ run: [Unicode.Scalar]) -> [Unicode.Scalar] {
    // Has hashed the key and the run so far.
    var hasher = keyed
    var before: [UInt32] = []
    return run.map { scalar in
      guard let place = Alphabet.place(of: scalar) else { return scalar }
      if !seams.isEmpty {
        if seams.contains(before) { (hasher, before) = (keyed, []) }
        before.append(place.folded)
      }
      let index = place.alphabet.permuted(place.index, by: hasher.digest())
      var letter = AvroWriter(capacity: 4)
      letter.littleEndian(place.folded)
      hasher.update(letter.span)
      return place.alphabet.symbol(index, isUpper: place.isUpper)
    }
  }

  /// Returns the replacement of a key: of a text, or else other bytes of the same number.
  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(validating: bytes, as: UTF8.self)
    if let text { return Array(redacted(text).utf8) }
    var hasher = keyed
    hasher.update(bytes.span)
    let digest = hasher.digest().bytes
    return bytes.indices.map { digest[$0 % digest.count] }
  }

  /// Returns a text that is the same for a text and its replacement, and differs if a class of a
  /// character differs.
  static func shape(of text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard let place = Alphabet.place(of: scalar) else {
        result.append(scalar)
        continue
      }
      result.append(place.alphabet.symbol(0, isUpper: place.isUpper))
    }
    return String(result)
  }
}
