/// A SHA-256 digest of 32 bytes.
@frozen
public struct Digest: Hashable, Sendable {
  /// The number of bytes in a digest.
  @inlinable public static var byteCount: Int { 32 }

  /// Bytes 0 to 7, as a little-endian integer.
  @usableFromInline package var word0: UInt64
  /// Bytes 8 to 15.
  @usableFromInline package var word1: UInt64
  /// Bytes 16 to 23.
  @usableFromInline package var word2: UInt64
  /// Bytes 24 to 31.
  @usableFromInline package var word3: UInt64

  @inlinable
  init(word0: UInt64, word1: UInt64, word2: UInt64, word3: UInt64) {
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
    self.word3 = word3
  }

  /// The digest whose 32 bytes are all zero, which means "none".
  @inlinable public static var zero: Digest { Digest(word0: 0, word1: 0, word2: 0, word3: 0) }

  /// Creates a digest from its bytes.
  ///
  /// - Parameter bytes: Exactly 32 bytes; `nil` is returned for any other count.
  @inlinable
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Digest.byteCount else { return nil }
    self.init(
      word0: bytes.littleEndian64(at: 0), word1: bytes.littleEndian64(at: 8),
      word2: bytes.littleEndian64(at: 16),
      word3: bytes.littleEndian64(at: 24))
  }

  /// The byte at a position from 0 to 31.
  @inlinable
  public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < Digest.byteCount, "Digest: byte \(index) is out of bounds")
    let word: UInt64 =
      switch index >> 3 {
      case 0: word0
      case 1: word1
      case 2: word2
      default: word3
      }
    return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index & 7)))
  }

  /// The 32 bytes, newly allocated.
  public var bytes: [UInt8] {
    (0..<Digest.byteCount).map { self[$0] }
  }

  /// The 64 lowercase hexadecimal digits.
  public var hex: String { Hexadecimal.text(bytes) }

  /// Creates a digest from 64 hexadecimal digits of either case.
  ///
  /// - Parameter hex: The digits; the result is `nil` for any other text.
  public init?(hex: String) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in hex.utf8 {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x61 + 10
      case 0x41...0x46: digit = byte - 0x41 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self.init(bytes.span)
  }
}

extension Digest: CustomStringConvertible {
  /// The digest in hexadecimal.
  public var description: String { hex }
}

extension Span<UInt8> {
  /// Returns the little-endian 64-bit integer at an offset.
  ///
  /// Out of line, and on a span of known count, so that LLVM emits one load.
  @inline(never)
  @usableFromInline
  func littleEndian64(at offset: Int) -> UInt64 {
    let part = extracting(offset..<offset &+ 8)
    precondition(part.count == 8, "Span: fewer than 8 bytes at an offset")
    var value = UInt64(part[0]) | UInt64(part[1]) << 8
    value |= UInt64(part[2]) << 16 | UInt64(part[3]) << 24
    value |= UInt64(part[4]) << 32 | UInt64(part[5]) << 40
    value |= UInt64(part[6]) << 48 | UInt64(part[7]) << 56
    return value
  }
}
