/// A growing buffer that takes values in canonical Avro binary.
///
/// Canonical: shortest variable-length integers, one block with a positive count per array or map.
/// Emptying the writer keeps its memory, so that one writer can serve many records.
@frozen
public struct AvroWriter: ~Copyable, Sendable {
  @usableFromInline var storage: [UInt8]

  /// The bytes written so far, lent without a copy.
  @inlinable public var bytes: [UInt8] { _read { yield storage } }

  /// The bytes written so far, borrowed.
  @inlinable public var span: Span<UInt8> { @_lifetime(borrow self) get { storage.span } }

  /// Makes an empty writer.
  ///
  /// - Parameter capacity: The number of bytes to reserve.
  @inlinable
  public init(capacity: Int = 256) {
    storage = []
    storage.reserveCapacity(capacity)
  }

  /// The number of bytes written so far.
  @inlinable
  public var count: Int { storage.count }

  /// Forgets what was written and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
  }

  /// Forgets what was written after the first `count` storage.
  ///
  /// - Precondition: `count` is at most the number of bytes written.
  @inlinable
  public mutating func truncate(to count: Int) {
    storage.removeLast(storage.count - count)
  }

  /// Writes one byte as it is.
  @inlinable
  public mutating func byte(_ value: UInt8) {
    storage.append(value)
  }

  /// Writes bytes as they are, as a `fixed` is written.
  @inlinable
  public mutating func raw(_ span: Span<UInt8>) {
    storage.append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }

  /// Writes bytes as they are, as a `fixed` is written.
  @inlinable
  public mutating func raw(_ array: [UInt8]) {
    storage.append(contentsOf: array)
  }

  /// Writes a digest as `fixed(32)`.
  @inlinable
  public mutating func digest(_ digest: Digest) {
    littleEndian(digest.word0)
    littleEndian(digest.word1)
    littleEndian(digest.word2)
    littleEndian(digest.word3)
  }

  /// Writes an unsigned variable-length integer: seven bits a byte, low bits first.
  @inlinable
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    storage.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a `long`, or an `int` of the same value: zigzag, then variable length.
  @inlinable
  public mutating func long(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes a `boolean`.
  @inlinable
  public mutating func boolean(_ value: Bool) {
    storage.append(value ? 1 : 0)
  }

  /// Writes 32 bits, little end first.
  @inlinable
  public mutating func littleEndian(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      storage.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Writes 64 bits, little end first.
  @inlinable
  public mutating func littleEndian(_ value: UInt64) {
    storage.append(addingCapacity: 8) { output in
      for index in UInt64(0)..<8 {
        output.append(UInt8(truncatingIfNeeded: value >> (index &* 8)))
      }
    }
  }

  /// Writes a `float`; every NaN becomes the one canonical NaN, -0.0 is kept.
  @inlinable
  public mutating func float(_ value: Float) {
    littleEndian(value.isNaN ? 0x7fc0_0000 : value.bitPattern)
  }

  /// Writes a `double`; every NaN becomes the one canonical NaN, -0.0 is kept.
  @inlinable
  public mutating func double(_ value: Double) {
    littleEndian(value.isNaN ? 0x7ff8_0000_0000_0000 : value.bitPattern)
  }

  /// Writes `bytes`: the count, then the storage.
  @inlinable
  public mutating func bytes(_ value: [UInt8]) {
    long(Int64(value.count))
    storage.append(contentsOf: value)
  }

  /// Writes a `string`: the count of its UTF-8 bytes, then the bytes, never normalised.
  @inlinable
  public mutating func string(_ value: String) {
    let utf8 = value.utf8
    long(Int64(utf8.count))
    storage.append(contentsOf: utf8)
  }

  /// Writes the index of the branch of a union that follows, or of the symbol of an enum.
  @inlinable
  public mutating func branch(_ index: Int) {
    long(Int64(index))
  }

  /// Writes the head of the only block of an array or map of `count` items; nothing for none.
  ///
  /// After the items, ``endBlocks()`` is due in every case.
  @inlinable
  public mutating func beginBlock(count: Int) {
    if count > 0 { long(Int64(count)) }
  }

  /// Writes the end of an array or map.
  @inlinable
  public mutating func endBlocks() {
    storage.append(0)
  }
}
