import Retrace
import RetraceSystem

/// The schemas that were found in a data file or that the caller passed, by their fingerprints.
///
/// A schema has no checksum, but each session names the fingerprint of its schema.
struct FoundSchemas {
  private struct Found {
    var json: String
    var fingerprint: Digest
    var numbers: Set<UInt32>
  }

  private var found: [Found] = []
  /// Indexes into ``found`` by the hash of the text.
  private var known: [Digest: Int?] = [:]
  /// Indexes into ``found`` by number, from the data file's own tree.
  private var referenced: [UInt32: Int] = [:]

  /// Adds a text that may be a schema.
  ///
  /// - Parameters:
  ///   - bytes: The JSON.
  ///   - number: The number under which it was found; `nil` if unknown.
  ///   - isReferenced: Whether the tree of an intact data file leads to it.
  /// - Complexity: O(bytes); each text is parsed only once.
  mutating func add(_ bytes: [UInt8], number: UInt32?, isReferenced: Bool = false) {
    guard let first = bytes.first, Self.mayBegin(first) else { return }
    let hash = SHA256Hasher.digest(of: bytes.span)
    let place: Int?
    if let seen = known[hash] {
      place = seen
    } else {
      place = parse(bytes)
      known[hash] = place
    }
    guard let place, let number else { return }
    found[place].numbers.insert(number)
    if isReferenced { referenced[number] = place }
  }

  private mutating func parse(_ bytes: [UInt8]) -> Int? {
    guard let schema = try? Schema(parsing: bytes.span),
      let text = try? UTF8Span(validating: bytes.span)
    else { return nil }
    found.append(
      Found(
        json: String(copying: text), fingerprint: schema.fingerprint(with: SHA256Hasher.self),
        numbers: []))
    return found.count - 1
  }

  /// Returns a schema with a fingerprint, preferably one that was found under the number, or `nil`.
  func json(_ number: UInt32, fingerprint: Digest) -> String? {
    let fitting = found.indices.filter { found[$0].fingerprint == fingerprint }
    let best =
      fitting.first { referenced[number] == $0 } ?? fitting.first {
        found[$0].numbers.contains(number)
      }
      ?? fitting.first
    return best.map { found[$0].json }
  }

  /// Returns the schema with a number, or `nil`; for a caller that does not know its fingerprint.
  ///
  /// The tree of an intact data file decides. Without it, only one schema may have the number.
  func json(_ number: UInt32) -> String? {
    if let place = referenced[number] { return found[place].json }
    let fitting = found.filter { $0.numbers.contains(number) }
    return fitting.count == 1 ? fitting[0].json : nil
  }

  static func mayBegin(_ byte: UInt8) -> Bool { byte == 0x7b || byte == 0x5b || byte == 0x22 }

  /// Returns the end of the JSON value at the start of the bytes, or `nil` if it has none.
  static func endOfJSON(_ bytes: [UInt8]) -> Int? {
    var depth = 0
    var isText = false
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5c {
          isEscaped = true
        } else if byte == 0x22 {
          isText = false
        }
      } else if byte == 0x22 {
        isText = true
      } else if byte == 0x7b || byte == 0x5b {
        depth += 1
      } else if byte == 0x7d || byte == 0x5d {
        depth -= 1
      } else if byte == 0 {
        return nil
      }
      if depth == 0 && !isText { return index + 1 }
      if depth < 0 { return nil }
    }
    return nil
  }
}
