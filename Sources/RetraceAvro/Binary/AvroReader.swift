/// A position in borrowed bytes from which canonical Avro binary is read.
///
/// Everything that is not canonical is refused: a record has one encoding only.
@frozen
public struct AvroReader: ~Escapable {
  /// The bytes read from.
  @usableFromInline let bytes: Span<UInt8>
  /// The position of the next byte.
  @usableFromInline var position: Int
  /// How many more items of no bytes may be read: a bound on work that no byte pays for.
  @usableFromInline var emptyItems: Int
  /// How many more collections and recursive values may be entered at once.
  @usableFromInline var depth: Int

  /// How deeply collections and recursive values may be nested.
  @inlinable public static var depthLimit: Int { 256 }

  /// The position of the next byte, counted from the start of the bytes.
  @inlinable public var offset: Int { position }

  /// Starts at the first of the bytes.
  @_lifetime(copy bytes)
  @inlinable
  public init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    position = 0
    emptyItems = 65_536
    depth = AvroReader.depthLimit
  }

  /// The number of bytes left.
  @inlinable
  public var remaining: Int { bytes.count - offset }

  /// Whether all bytes were read.
  @inlinable
  public var isAtEnd: Bool { offset == bytes.count }

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
  @_lifetime(self: copy self)
  public mutating func varint() throws(AvroError) -> UInt64 {
    let start = offset
    if start < bytes.count && bytes[start] < 0x80 {
      position += 1
      return UInt64(bytes[start])
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      if shift == 63 && next > 1 { throw AvroError(.outOfRange, at: start, "integer") }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 {
        if next == 0 && shift > 0 { throw AvroError(.notCanonical, at: start, "integer") }
        return value
      }
      shift += 7
    }
  }

  /// Reads a `long`.
  @inlinable
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
  @_lifetime(self: copy self)
  public mutating func boolean() throws(AvroError) -> Bool {
    let start = offset
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw AvroError(.outOfRange, at: start, "boolean")
    }
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

  /// Reads the length of a string or of bytes: at most what is left.
  @inlinable
  @_lifetime(self: copy self)
  mutating func length() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 else { throw AvroError(.outOfRange, at: start, "length") }
    guard value <= Int64(remaining) else { throw AvroError(.truncated, at: start, "length") }
    return Int(value)
  }

  /// Reads `bytes`.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func byteArray() throws(AvroError) -> [UInt8] {
    let span = try raw(try length())
    return [UInt8](copying: span)
  }

  /// Reads a `string`; anything but UTF-8 is refused, nothing is normalised.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func string() throws(AvroError) -> String {
    let start = offset
    let span = try raw(try length())
    do {
      return String(copying: try UTF8Span(validating: span))
    } catch {
      throw AvroError(.notUTF8, at: start)
    }
  }

  /// Reads the index of a union's branch or of an enum's symbol.
  ///
  /// - Parameter count: The number of branches or symbols.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func branch(count: Int) throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 && value < Int64(count) else {
      throw AvroError(.outOfRange, at: start, "branch")
    }
    return Int(value)
  }

  /// Reads the head of the only block of an array or map: its count, or 0 for an empty one.
  ///
  /// For a count above 0, ``endBlocks()`` is due after the items; for 0 it is already read.
  /// The count is not to be trusted with an allocation: see ``reservation(for:)``.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func beginBlock() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 else { throw AvroError(.notCanonical, at: start, "block") }
    guard let count = Int(exactly: value) else { throw AvroError(.tooLarge, at: start, "block") }
    return count
  }

  /// Reads the end of an array or map; a second block is refused.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func endBlocks() throws(AvroError) {
    let start = offset
    if try byte() != 0 { throw AvroError(.notCanonical, at: start, "block end") }
  }

  /// Reads a value of a type that the context names.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func read<Value: Recordable>(
    _ type: Value.Type = Value.self
  ) throws(AvroError) -> Value {
    try Value(decoding: &self)
  }

  /// Enters a collection or a value of a recursive type; ``leave()`` is due afterwards.
  ///
  /// - Throws: `tooLarge` beyond ``depthLimit``, before the stack can overflow.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func enter() throws(AvroError) {
    if depth == 0 { throw AvroError(.tooLarge, at: offset, "depth") }
    depth -= 1
  }

  /// Leaves what ``enter()`` entered.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func leave() { depth += 1 }

  /// Counts an item that took no byte, so that a few bytes cannot ask for endless work.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func passEmptyItem() throws(AvroError) {
    if emptyItems == 0 { throw AvroError(.tooLarge, at: offset, "items of no bytes") }
    emptyItems -= 1
  }

  /// How many items to reserve memory for: never more than there are bytes left.
  @inlinable
  public func reservation(for count: Int) -> Int { min(count, remaining) }
}

extension [UInt8] {
  /// Copies borrowed bytes.
  @inlinable
  init(copying span: Span<UInt8>) {
    self = []
    append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
