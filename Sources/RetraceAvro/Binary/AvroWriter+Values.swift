extension AvroWriter {
  /// Writes a `boolean`.
  @inlinable
  public mutating func boolean(_ value: Bool) {
    byte(value ? 1 : 0)
  }

  /// Writes a little-endian 32-bit integer.
  @inlinable
  public mutating func littleEndian(_ value: UInt32) {
    makeRoom(8)
    stage(UInt64(value), count: 4)
  }

  /// Writes a little-endian 64-bit integer.
  @inlinable
  public mutating func littleEndian(_ value: UInt64) {
    makeRoom(8)
    stage(value, count: 8)
  }

  /// Writes a `float`; every NaN becomes the canonical one, -0.0 is kept.
  @inlinable
  public mutating func float(_ value: Float) {
    littleEndian(value.isNaN ? 0x7fc0_0000 : value.bitPattern)
  }

  /// Writes a `double`; every NaN becomes the canonical one, -0.0 is kept.
  @inlinable
  public mutating func double(_ value: Double) {
    littleEndian(value.isNaN ? 0x7ff8_0000_0000_0000 : value.bitPattern)
  }

  /// Writes `bytes`: the count, then the bytes.
  @inlinable
  public mutating func bytes(_ value: [UInt8]) {
    long(Int64(value.count))
    raw(value.span)
  }

  /// Writes a `string`: the number of its UTF-8 bytes, then the bytes, without normalization.
  ///
  /// - Complexity: O(bytes of the text).
  public mutating func string(_ value: borrowing String) {
    let utf8 = value.utf8.span
    long(Int64(utf8.count))
    raw(utf8)
  }

  /// Writes the index of a union's branch or of an enum's symbol.
  @inlinable
  @inline(__always)
  public mutating func branch(_ index: Int) {
    long(Int64(index))
  }

  /// Writes the count of the only block of an array or map; writes nothing if `count` is 0.
  ///
  /// Call ``endBlocks()`` after the items, even without items.
  @inlinable
  @inline(__always)
  public mutating func beginBlocks(count: Int) {
    if count > 0 { long(Int64(count)) }
  }

  /// Writes the end of an array or map.
  @inlinable
  @inline(__always)
  public mutating func endBlocks() {
    byte(0)
  }
}
