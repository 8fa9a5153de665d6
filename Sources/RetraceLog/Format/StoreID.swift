import RetraceAvro

/// The identity of a store: 16 random bytes, chosen when it was created.
///
/// Every chain digest covers it, so that a record cannot be moved from one store to another.
@frozen
public struct StoreID: Hashable, Sendable {
  /// The number of bytes in an identity.
  @inlinable public static var byteCount: Int { 16 }

  @usableFromInline var low: UInt64
  @usableFromInline var high: UInt64

  /// Creates an identity from its bytes.
  ///
  /// - Parameter bytes: Exactly 16 bytes; `nil` is returned for any other count.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == StoreID.byteCount else { return nil }
    low = bytes.littleEndian64(at: 0)
    high = bytes.littleEndian64(at: 8)
  }

  /// Creates an identity from two random numbers.
  public init(_ first: UInt64, _ second: UInt64) {
    low = first
    high = second
  }

  /// Creates an identity from 32 hexadecimal digits of either case; `nil` for any other text.
  public init?(hex: String) {
    guard hex.utf8.count == 32 else { return nil }
    var words: [UInt64] = []
    var bytes: [UInt8] = []
    for digit in hex.utf8 {
      switch digit {
      case 0x30...0x39: bytes.append(digit - 0x30)
      case 0x61...0x66: bytes.append(digit - 0x61 + 10)
      case 0x41...0x46: bytes.append(digit - 0x41 + 10)
      default: return nil
      }
    }
    for start in [0, 16] {
      var word: UInt64 = 0
      for index in 0..<8 {
        let byte = bytes[start + 2 * index] << 4 | bytes[start + 2 * index + 1]
        word |= UInt64(byte) << UInt64(8 * index)
      }
      words.append(word)
    }
    low = words[0]
    high = words[1]
  }

  /// The 16 bytes, newly allocated.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(low)
    bytes.appendLittleEndian(high)
    return bytes
  }

  /// The 32 lowercase hexadecimal digits.
  public var hex: String { Hexadecimal.text(bytes) }
}

extension StoreID: CustomStringConvertible {
  /// The identity in hexadecimal.
  public var description: String { hex }
}
