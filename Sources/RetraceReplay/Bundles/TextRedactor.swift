import Retrace
import RetraceSystem

/// Replaces the letters and digits of texts by others, which depend on a key.
///
/// Each run of letters or digits is replaced for itself, wherever it is. Equal runs have equal
/// replacements, runs with a common start have replacements with a common start, and the cases of a
/// letter stay apart. So a search, a completion and a comparison find what they found. Each
/// character keeps its class and its number of UTF-8 bytes. What is neither letter nor digit stays,
/// and so does a time of day, as the moments of a log do, and the word that says of a recorded key
/// that it is typed or pasted text. Without the key, which is not kept, the texts cannot be
/// restored.
struct TextRedactor: Sendable {
  /// How the names of keys begin that are typed or pasted text, as `Key.name` has them.
  private static let typedMarks = ["text:", "paste:"]

  /// A hasher that has hashed the key.
  private let keyed: SHA256Hasher

  init(key: [UInt8]) {
    var hasher = SHA256Hasher()
    hasher.update(key.span)
    keyed = hasher
  }

  /// Returns the replacement of a text.
  ///
  /// - Complexity: O(scalars), each hashed.
  func redacted(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    // Has hashed the key and the run so far.
    var run = keyed
    var isInRun = false
    var index = Self.typedMarks.first { text.hasPrefix($0) }?.unicodeScalars.count ?? 0
    result.append(contentsOf: scalars[..<index])
    while index < scalars.count {
      let scalar = scalars[index]
      let time = isInRun ? 0 : Self.timeLength(in: scalars[index...])
      if time > 0 {
        result.append(contentsOf: scalars[index..<index + time])
        index += time
        continue
      }
      index += 1
      guard let place = Alphabet.place(of: scalar) else {
        result.append(scalar)
        run = keyed
        isInRun = false
        continue
      }
      let shift = UInt32(run.digest().word0 % UInt64(place.alphabet.count))
      result.append(place.alphabet.symbol(place.index + shift, isUpper: place.isUpper))
      var letter = AvroWriter(capacity: 4)
      letter.littleEndian(place.folded)
      run.update(letter.span)
      isInRun = true
    }
    return String(result)
  }

  /// Returns the number of scalars of the time of day, such as `9:05`, with which a text begins; 0
  /// for another text.
  private static func timeLength(in text: ArraySlice<Unicode.Scalar>) -> Int {
    func digits(_ part: ArraySlice<Unicode.Scalar>) -> Int {
      part.prefix { ("0"..."9").contains($0) }.count
    }
    func number(_ part: ArraySlice<Unicode.Scalar>) -> UInt32 {
      part.reduce(0) { $0 * 10 + $1.value - 0x30 }
    }
    let hours = digits(text.prefix(3))
    guard hours == 1 || hours == 2, text.dropFirst(hours).first == ":" else { return 0 }
    let rest = text.dropFirst(hours + 1)
    guard digits(rest.prefix(3)) == 2, number(text.prefix(hours)) <= 24,
      number(rest.prefix(2)) < 60
    else { return 0 }
    let next = rest.dropFirst(2).first
    return next.flatMap { Alphabet.place(of: $0) } == nil ? hours + 3 : 0
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
