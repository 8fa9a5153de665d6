/// A growing buffer that takes values in canonical Avro binary.
///
/// Canonical: shortest variable-length integers, one block with a positive count per array or map.
/// Emptying the writer keeps its memory, so that one writer can serve many records.
public struct AvroWriter: ~Copyable, Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8]

  /// Makes an empty writer.
  ///
  /// - Parameter capacity: The number of bytes to reserve.
  public init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// The number of bytes written so far.
  public var count: Int { bytes.count }

  /// Forgets what was written and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Forgets what was written after the first `count` bytes.
  ///
  /// - Precondition: `count` is at most the number of bytes written.
  public mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
  }

  /// Writes one byte as it is.
  public mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Writes bytes as they are, as a `fixed` is written.
  public mutating func raw(_ span: Span<UInt8>) {
    bytes.append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }

  /// Writes bytes as they are, as a `fixed` is written.
  public mutating func raw(_ array: [UInt8]) {
    bytes.append(contentsOf: array)
  }

  /// Writes a digest as `fixed(32)`.
  public mutating func digest(_ digest: Digest) {
    for index in 0..<Digest.byteCount { bytes.append(digest[index]) }
  }

  /// Writes an unsigned variable-length integer: seven bits a byte, low bits first.
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a `long`, or an `int` of the same value: zigzag, then variable length.
  public mutating func long(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes a `boolean`.
  public mutating func boolean(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  /// Writes 32 bits, little end first.
  public mutating func littleEndian(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Writes 64 bits, little end first.
  public mutating func littleEndian(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Writes a `float`; every NaN becomes the one canonical NaN, -0.0 is kept.
  public mutating func float(_ value: Float) {
    littleEndian(value.isNaN ? 0x7fc0_0000 : value.bitPattern)
  }

  /// Writes a `double`; every NaN becomes the one canonical NaN, -0.0 is kept.
  public mutating func double(_ value: Double) {
    littleEndian(value.isNaN ? 0x7ff8_0000_0000_0000 : value.bitPattern)
  }

  /// Writes `bytes`: the count, then the bytes.
  public mutating func bytes(_ value: [UInt8]) {
    long(Int64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes a `string`: the count of its UTF-8 bytes, then the bytes, never normalised.
  public mutating func string(_ value: String) {
    let utf8 = value.utf8
    long(Int64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// Writes the index of the branch of a union that follows, or of the symbol of an enum.
  public mutating func branch(_ index: Int) {
    long(Int64(index))
  }

  /// Writes the head of the only block of an array or map of `count` items; nothing for none.
  ///
  /// After the items, ``endBlocks()`` is due in every case.
  public mutating func beginBlock(count: Int) {
    if count > 0 { long(Int64(count)) }
  }

  /// Writes the end of an array or map.
  public mutating func endBlocks() {
    bytes.append(0)
  }
}
