/// A position in borrowed bytes from which canonical Avro binary is read.
///
/// Everything that is not canonical is refused: a record has one encoding only.
@frozen
public struct AvroReader: ~Escapable {
  /// The bytes read from.
  @usableFromInline package let bytes: Span<UInt8>
  /// The position of the next byte.
  @usableFromInline package var position: Int
  /// How many more items of no bytes may be read: a bound on work that no byte pays for.
  @usableFromInline package var emptyItems: UInt32
  /// How many more collections and recursive values may be entered at once.
  @usableFromInline var depth: UInt16
  /// Whether the bytes were resolved from another schema: keys and members then have the order of
  /// their old encoding, and members of a set that became equal count once.
  @usableFromInline let isResolved: Bool

  /// The position of the next byte, counted from the start of the bytes.
  @inlinable public var offset: Int { position }

  /// Starts at the first of the bytes.
  ///
  /// - Parameter bytes: The bytes to read.
  @_lifetime(copy bytes)
  @inlinable
  public init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    isResolved = false
    position = 0
    emptyItems = UInt32(truncatingIfNeeded: AvroLimits.emptyItems)
    depth = UInt16(truncatingIfNeeded: AvroLimits.depth)
  }

  /// Starts at the first of the bytes that a ``SchemaResolver`` wrote.
  ///
  /// The members of sets and the keys of dictionaries have the order of their old encoding, and
  /// members that became equal count once. An item may have lost all its bytes, so as many more
  /// items of no bytes are read as there were bytes.
  ///
  /// - Parameters:
  ///   - bytes: What the resolver wrote.
  ///   - count: The number of bytes that it read.
  @_lifetime(copy bytes)
  @inlinable
  public init(resolved bytes: Span<UInt8>, from count: Int) {
    self.bytes = bytes
    isResolved = true
    position = 0
    emptyItems = UInt32(clamping: AvroLimits.emptyItems + count)
    depth = UInt16(truncatingIfNeeded: AvroLimits.depth)
  }

  /// The number of bytes left.
  @inlinable
  public var remaining: Int { bytes.count - offset }

  /// Whether all bytes were read.
  @inlinable
  public var isAtEnd: Bool { offset == bytes.count }

  /// Whether there is a byte at the position; asked as the span asks it, which then asks no more.
  @inlinable
  @inline(__always)
  var hasNext: Bool { UInt(bitPattern: position) < UInt(bitPattern: bytes.count) }

  /// Refuses bytes that are left after the last value.
  @inlinable
  public func finish() throws(AvroError) {
    if !isAtEnd { throw AvroError(.trailingBytes, at: offset) }
  }

  /// Reads one byte.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func byte() throws(AvroError) -> UInt8 {
    guard offset < bytes.count else { throw AvroError(.truncated, at: offset) }
    defer { position += 1 }
    return bytes[offset]
  }

  /// Takes the next `count` bytes, borrowed.
  @inlinable
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func raw(_ count: Int) throws(AvroError) -> Span<UInt8> {
    guard count >= 0 && count <= remaining else { throw AvroError(.truncated, at: offset) }
    let span = bytes.extracting(offset..<offset + count)
    position += count
    return span
  }

  /// Passes over the next `count` bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(AvroError) {
    guard count >= 0 && count <= remaining else { throw AvroError(.truncated, at: offset) }
    position += count
  }

  /// Reads a digest written as `fixed(32)`.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func digest() throws(AvroError) -> Digest {
    let start = offset
    guard let digest = Digest(try raw(Digest.byteCount)) else {
      throw AvroError(.truncated, at: start)
    }
    return digest
  }

  /// Reads an unsigned variable-length integer; only its shortest form is accepted.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func varint() throws(AvroError) -> UInt64 {
    if hasNext {
      let first = bytes[position]
      if first < 0x80 {
        position &+= 1
        return UInt64(first)
      }
    }
    return try longVarint()
  }

  /// Reads a `long`.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func long() throws(AvroError) -> Int64 {
    let raw = try varint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// Reads an `int`: a `long` that fits into 32 bits.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func int() throws(AvroError) -> Int32 {
    let start = offset
    guard let value = Int32(exactly: try long()) else {
      throw AvroError(.outOfRange, at: start, "int")
    }
    return value
  }

  /// Reads a `boolean`.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func boolean() throws(AvroError) -> Bool {
    if hasNext {
      let value = bytes[position]
      if value < 2 {
        position &+= 1
        return value == 1
      }
    }
    throw AvroReader.noBoolean(isAtEnd, at: position)
  }

  /// Why there is no `boolean` here.
  @usableFromInline
  @inline(never)
  static func noBoolean(_ isAtEnd: Bool, at position: Int) -> AvroError {
    isAtEnd
      ? AvroError(.truncated, at: position) : AvroError(.outOfRange, at: position, "boolean")
  }

  /// Reads 32 bits, little end first.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func littleEndian32() throws(AvroError) -> UInt32 {
    var value: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { value |= UInt32(try byte()) << shift }
    return value
  }

  /// Reads 64 bits, little end first.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func littleEndian64() throws(AvroError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(try byte()) << shift }
    return value
  }

  /// Reads a `float`; a NaN other than the canonical one is refused.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func float() throws(AvroError) -> Float {
    let start = offset
    let value = Float(bitPattern: try littleEndian32())
    if value.isNaN && value.bitPattern != 0x7fc0_0000 {
      throw AvroError(.notCanonical, at: start, "float")
    }
    return value
  }

  /// Reads a `double`; a NaN other than the canonical one is refused.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func double() throws(AvroError) -> Double {
    let start = offset
    let value = Double(bitPattern: try littleEndian64())
    if value.isNaN && value.bitPattern != 0x7ff8_0000_0000_0000 {
      throw AvroError(.notCanonical, at: start, "double")
    }
    return value
  }
}
