/// An encoding other than UTF-8 that a file seems to have.
public enum TextEncoding: String, Hashable, Sendable {
  /// UTF-16 with a byte-order mark.
  case utf16 = "UTF-16"
  /// UTF-16 without a byte-order mark, the low byte first.
  case utf16LittleEndian = "UTF-16LE"
  /// UTF-16 without a byte-order mark, the high byte first.
  case utf16BigEndian = "UTF-16BE"
  /// UTF-32 with a byte-order mark.
  case utf32 = "UTF-32"
  /// Windows-1252, which has all characters of Latin-1.
  case windows1252 = "WINDOWS-1252"

  /// Recognizes the encoding of a text by its first bytes; `nil` for one with single bytes.
  ///
  /// - Complexity: O(1).
  public init?(of beginning: [UInt8]) {
    let start = beginning.prefix(1_024)
    if start.starts(with: [0xff, 0xfe, 0, 0]) || start.starts(with: [0, 0, 0xfe, 0xff]) {
      self = .utf32
    } else if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) {
      self = .utf16
    } else {
      // A byte of every second character of UTF-16 at least is zero: digits, separators, line ends.
      // A file of zeros is no text.
      let zeros = start.indices.filter { start[$0] == 0 }
      guard start.count > 1, zeros.count * 4 >= start.count, zeros.count < start.count else {
        return nil
      }
      let odd = zeros.count { $0 % 2 == 1 }
      self = odd * 2 > zeros.count ? .utf16LittleEndian : .utf16BigEndian
    }
  }

  /// The name that `iconv` has for the encoding.
  public var iconvName: String { rawValue }
}
