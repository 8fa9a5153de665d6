/// A growing buffer for values in canonical Avro binary.
///
/// Canonical means: integers have their shortest form, and an array or map that is not empty is one
/// block with a positive count. Emptying the writer keeps its memory, so one writer can be used for
/// many records.
///
/// Values are first staged inside the writer, where writing a byte costs one check and one store;
/// an array would check for each byte whether it is uniquely referenced. Properties that return the
/// bytes are `mutating` because they first append the staged bytes to the array.
@frozen
public struct AvroWriter: ~Copyable, Sendable {
  @usableFromInline var storage: [UInt8]
  /// The bytes after those in ``storage``.
  @usableFromInline var staging: InlineArray<128, UInt8>
  @usableFromInline var staged: Int

  /// The maximum number of staged bytes.
  @inlinable static var stagingSize: Int { 128 }

  /// The bytes written so far, without a copy.
  @inlinable public var bytes: [UInt8] {
    mutating _read {
      flush()
      yield storage
    }
  }

  /// The bytes written so far, borrowed.
  @inlinable public var span: Span<UInt8> {
    @_lifetime(&self)
    mutating get {
      flush()
      return storage.span
    }
  }

  /// Creates an empty writer.
  ///
  /// - Parameter capacity: The number of bytes to reserve.
  @inlinable
  public init(capacity: Int = 256) {
    storage = []
    storage.reserveCapacity(capacity)
    staging = InlineArray(repeating: 0)
    staged = 0
  }

  /// The number of bytes written so far.
  @inlinable
  public var count: Int { storage.count &+ staged }

  /// Removes all bytes and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    staged = 0
  }

  /// Removes all but the first `count` bytes.
  ///
  /// - Precondition: `count` is at most the number of bytes written.
  @inlinable
  public mutating func truncate(to count: Int) {
    if count >= storage.count {
      precondition(
        count <= self.count, "AvroWriter: cannot truncate \(self.count) bytes to \(count)")
      staged = count - storage.count
    } else {
      storage.removeLast(storage.count - count)
      staged = 0
    }
  }

  /// Appends the staged bytes to the array.
  @inlinable
  mutating func flush() {
    if staged > 0 { moveStaged() }
  }

  @usableFromInline
  mutating func moveStaged() {
    let count = staged
    staged = 0
    guard storage.capacity &- storage.count >= AvroWriter.stagingSize else {
      return moveStagedExactly(count)
    }
    // Copies the whole staging area, as a few wide stores, and removes the surplus.
    storage.append(addingCapacity: AvroWriter.stagingSize) { output in
      let start = output.count
      output.append(repeating: 0, count: AvroWriter.stagingSize)
      var all = output.mutableSpan
      precondition(all.count &- start >= AvroWriter.stagingSize)
      for index in 0..<AvroWriter.stagingSize { all[start &+ index] = staging[index] }
      output.removeLast(AvroWriter.stagingSize &- count)
    }
  }

  /// Appends exactly `count` staged bytes, so that a small array does not grow by a whole staging
  /// area.
  private mutating func moveStagedExactly(_ count: Int) {
    storage.append(addingCapacity: count) { output in
      for index in 0..<count { output.append(staging[index]) }
    }
  }

  /// Makes room for staging `count` bytes; `count` is at most ``stagingSize``.
  @inlinable
  @inline(__always)
  mutating func makeRoom(_ count: Int) {
    if staged > AvroWriter.stagingSize &- count { moveStaged() }
  }

  /// Stages one byte.
  ///
  /// - Precondition: There is room for it.
  @inlinable
  @inline(__always)
  mutating func stage(_ value: UInt8) {
    staging[staged] = value
    staged &+= 1
  }

  /// Stages the first `count` bytes of a little-endian 64-bit integer.
  ///
  /// - Precondition: There is room for eight bytes.
  @inlinable
  @inline(__always)
  mutating func stage(_ value: UInt64, count: Int) {
    stageWord(value)
    staged &+= count
  }

  /// Stores eight bytes after the staged ones.
  ///
  /// Out of line, so that LLVM emits one store.
  @inline(never)
  @usableFromInline
  mutating func stageWord(_ value: UInt64) {
    var bytes = staging.mutableSpan
    bytes.store(value, at: staged)
  }

  /// Writes one byte.
  @inlinable
  @inline(__always)
  public mutating func byte(_ value: UInt8) {
    makeRoom(1)
    stage(value)
  }

  /// Writes bytes without a length, as in a `fixed`.
  ///
  /// - Complexity: O(`span.count`).
  public mutating func raw(_ span: Span<UInt8>) {
    let count = span.count
    if count > AvroWriter.stagingSize &- staged {
      flush()
      if count > AvroWriter.stagingSize { return storage.append(copying: span) }
    }
    var bytes = staging.mutableSpan
    bytes.store(copying: span, at: staged)
    staged &+= count
  }

  /// Writes bytes without a length, as in a `fixed`.
  ///
  /// - Complexity: O(`array.count`).
  @inlinable
  public mutating func raw(_ array: [UInt8]) {
    raw(array.span)
  }

  /// Writes a digest as `fixed(32)`.
  @inlinable
  public mutating func digest(_ digest: Digest) {
    littleEndian(digest.word0)
    littleEndian(digest.word1)
    littleEndian(digest.word2)
    littleEndian(digest.word3)
  }

  /// Appends `count` zero bytes and calls `body` to fill them in.
  ///
  /// For many numbers at once this is much faster than one call for each.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - body: Called once with the bytes.
  /// - Complexity: O(`count`).
  @inlinable
  public mutating func fill(_ count: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    flush()
    storage.append(addingCapacity: count) { output in
      output.append(repeating: 0, count: count)
      var span = output.mutableSpan
      body(&span)
    }
  }

  /// Writes an unsigned variable-length integer: seven bits a byte, low bits first.
  @inlinable
  @inline(__always)
  public mutating func varint(_ value: UInt64) {
    if value < 0x80 {
      byte(UInt8(truncatingIfNeeded: value))
    } else {
      multiByteVarint(value)
    }
  }

  @usableFromInline
  mutating func multiByteVarint(_ value: UInt64) {
    makeRoom(10)
    if value < 0x4000 { return stage(value & 0x7f | 0x80 | (value >> 7) << 8, count: 2) }
    var rest = value
    if value >> 56 == 0 {
      // Spreads the bits over bytes, seven to each, in three steps, and sets the continuation bits.
      let count = (70 &- value.leadingZeroBitCount) / 7
      rest = rest & 0x0fff_ffff | (rest & 0x00ff_ffff_f000_0000) << 4
      rest = rest & 0x0000_3fff_0000_3fff | (rest & 0x0fff_c000_0fff_c000) << 2
      rest = rest & 0x007f_007f_007f_007f | (rest & 0x3f80_3f80_3f80_3f80) << 1
      rest |= 0x0080_8080_8080_8080 &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      return stage(rest, count: count)
    }
    while rest >= 0x80 {
      stage(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    stage(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a `long` or an `int`: zigzag, then variable length.
  @inlinable
  @inline(__always)
  public mutating func long(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }
}
