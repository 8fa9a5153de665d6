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

  /// Forgets what was written after the first `count` bytes.
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
    fill(Digest.byteCount) { span in span.store(digest, at: 0) }
  }

  /// Appends bytes that the body fills in; they are zero at first.
  ///
  /// Many numbers at once cost a fraction of as many calls.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - body: Fills them in.
  /// - Complexity: O(`count`).
  @inlinable
  public mutating func fill(_ count: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    storage.append(addingCapacity: count) { output in
      output.append(repeating: 0, count: count)
      var span = output.mutableSpan
      body(&span)
    }
  }

  /// Writes an unsigned variable-length integer: seven bits a byte, low bits first.
  @inlinable
  public mutating func varint(_ value: UInt64) {
    if value < 0x80 {
      storage.append(UInt8(truncatingIfNeeded: value))
    } else {
      longVarint(value)
    }
  }

  /// Writes an integer that takes more bytes than one.
  @usableFromInline
  mutating func longVarint(_ value: UInt64) {
    storage.append(addingCapacity: 10) { output in
      var rest = value
      while rest >= 0x80 {
        output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      output.append(UInt8(truncatingIfNeeded: rest))
    }
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
    fill(4) { span in span.store(value, at: 0) }
  }

  /// Writes 64 bits, little end first.
  @inlinable
  public mutating func littleEndian(_ value: UInt64) {
    fill(8) { span in span.store(value, at: 0) }
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

// One check of the bounds and stores of constant distances, which become one instruction.
extension MutableSpan<UInt8> {
  /// Stores 64 bits, little end first.
  ///
  /// - Precondition: Eight bytes begin at the offset.
  @inlinable
  @inline(__always)
  public mutating func store(_ value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 8, "MutableSpan: 8 bytes at \(offset)")
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
    self[offset &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
    self[offset &+ 3] = UInt8(truncatingIfNeeded: value >> 24)
    self[offset &+ 4] = UInt8(truncatingIfNeeded: value >> 32)
    self[offset &+ 5] = UInt8(truncatingIfNeeded: value >> 40)
    self[offset &+ 6] = UInt8(truncatingIfNeeded: value >> 48)
    self[offset &+ 7] = UInt8(truncatingIfNeeded: value >> 56)
  }

  /// Stores 32 bits, little end first.
  ///
  /// - Precondition: Four bytes begin at the offset.
  @inlinable
  @inline(__always)
  public mutating func store(_ value: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 4, "MutableSpan: 4 bytes at \(offset)")
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
    self[offset &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
    self[offset &+ 3] = UInt8(truncatingIfNeeded: value >> 24)
  }

  /// Stores the 32 bytes of a digest.
  ///
  /// - Precondition: 32 bytes begin at the offset.
  @inlinable
  @inline(__always)
  public mutating func store(_ digest: Digest, at offset: Int) {
    store(digest.word0, at: offset)
    store(digest.word1, at: offset &+ 8)
    store(digest.word2, at: offset &+ 16)
    store(digest.word3, at: offset &+ 24)
  }
}
