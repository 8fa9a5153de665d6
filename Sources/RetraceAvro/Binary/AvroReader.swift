/// A reader of canonical Avro binary from borrowed bytes.
///
/// Non-canonical bytes are rejected: a value has exactly one encoding.
@frozen
public struct AvroReader: ~Escapable {
  @usableFromInline package let bytes: Span<UInt8>
  @usableFromInline package var position: Int
  /// The number of zero-byte items that may still be read; bounds work that consumes no bytes.
  @usableFromInline package var remainingEmptyItems: UInt32
  /// The number of further levels of collections and recursive values that may be entered.
  @usableFromInline var remainingDepth: UInt16
  /// Whether the bytes were resolved from another schema.
  ///
  /// If so, keys of dictionaries and members of sets may be in the order of their old encoding, and
  /// members of a set that became equal count once.
  @usableFromInline let isResolved: Bool

  /// The offset of the next byte.
  @inlinable public var offset: Int { position }

  /// Creates a reader at the first byte.
  ///
  /// - Parameter bytes: The bytes to read.
  @_lifetime(copy bytes)
  @inlinable
  public init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    isResolved = false
    position = 0
    remainingEmptyItems = UInt32(truncatingIfNeeded: AvroLimits.emptyItems)
    remainingDepth = UInt16(truncatingIfNeeded: AvroLimits.depth)
  }

  /// Creates a reader at the start of the bytes that a `SchemaResolver` wrote.
  ///
  /// Members of sets and keys of dictionaries are in the order of their old encoding, and members
  /// that became equal count once. Resolution may have shortened items to zero bytes, so the limit
  /// of zero-byte items is higher by `inputByteCount`.
  ///
  /// - Parameters:
  ///   - bytes: The output of the resolver.
  ///   - inputByteCount: The number of bytes of its input.
  @_lifetime(copy bytes)
  @inlinable
  public init(resolved bytes: Span<UInt8>, inputByteCount: Int) {
    self.bytes = bytes
    isResolved = true
    position = 0
    remainingEmptyItems = UInt32(clamping: AvroLimits.emptyItems + inputByteCount)
    remainingDepth = UInt16(truncatingIfNeeded: AvroLimits.depth)
  }

  /// The number of bytes left.
  @inlinable
  public var remaining: Int { bytes.count - offset }

  /// Whether all bytes were read.
  @inlinable
  public var isAtEnd: Bool { offset == bytes.count }

  /// Whether a byte is left.
  ///
  /// This has the form of the span's bounds check, so that LLVM removes that check.
  @inlinable
  @inline(__always)
  var hasNext: Bool { UInt(bitPattern: position) < UInt(bitPattern: bytes.count) }

  /// Throws if bytes are left.
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

  /// Returns the next `count` bytes, borrowed.
  @inlinable
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func raw(_ count: Int) throws(AvroError) -> Span<UInt8> {
    guard count >= 0 && count <= remaining else { throw AvroError(.truncated, at: offset) }
    let span = bytes.extracting(offset..<offset + count)
    position += count
    return span
  }

  /// Skips the next `count` bytes.
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

  /// Reads an unsigned variable-length integer in its shortest form.
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
    return try multiByteVarint()
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
    throw AvroReader.invalidBoolean(isAtEnd, at: position)
  }

  @usableFromInline
  @inline(never)
  static func invalidBoolean(_ isAtEnd: Bool, at position: Int) -> AvroError {
    isAtEnd
      ? AvroError(.truncated, at: position) : AvroError(.outOfRange, at: position, "boolean")
  }

  /// Reads a little-endian 32-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func littleEndian32() throws(AvroError) -> UInt32 {
    var value: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { value |= UInt32(try byte()) << shift }
    return value
  }

  /// Reads a little-endian 64-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func littleEndian64() throws(AvroError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(try byte()) << shift }
    return value
  }

  /// Reads a `float`; throws for a NaN other than the canonical one.
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

  /// Reads a `double`; throws for a NaN other than the canonical one.
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
