extension AvroReader {
  /// Reads the length of a string or of bytes: at most what is left.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func length() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard UInt64(bitPattern: value) <= UInt64(bitPattern: Int64(remaining)) else {
      throw AvroReader.noLength(value, at: start)
    }
    return Int(value)
  }

  /// Why a length cannot be one.
  @usableFromInline
  @inline(never)
  static func noLength(_ value: Int64, at start: Int) -> AvroError {
    AvroError(value < 0 ? .outOfRange : .truncated, at: start, "length")
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
    let start = position
    let count = try length()
    if count == 0 { return "" }
    let first = position
    position = first &+ count
    do {
      return String(copying: try UTF8Span(validating: bytes.extracting(first..<first &+ count)))
    } catch {
      throw AvroReader.noText(at: start)
    }
  }

  /// Why there is no text.
  @usableFromInline
  @inline(never)
  static func noText(at start: Int) -> AvroError { AvroError(.notUTF8, at: start) }

  /// Passes over a `string`; anything but UTF-8 is refused.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skipString() throws(AvroError) {
    let start = offset
    try skipText(try length(), from: start)
  }

  /// Passes over a text of so many bytes, whose length began at `start`.
  @inlinable
  @_lifetime(self: copy self)
  mutating func skipText(_ count: Int, from start: Int) throws(AvroError) {
    let end = position + count
    let span = bytes.extracting(position..<end)
    position = end
    do {
      _ = try UTF8Span(validating: span)
    } catch {
      throw AvroError(.notUTF8, at: start)
    }
  }

  /// Reads the index of a union's branch or of an enum's symbol.
  ///
  /// - Parameter count: The number of branches or symbols.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func branch(count: Int) throws(AvroError) -> Int {
    if hasNext {
      let first = bytes[position]
      // The index, beyond all others where it is negative or takes more bytes than one.
      let index = Int(first &>> 1 | first &<< 7)
      if index < Swift.min(count, 64) {
        position &+= 1
        return index
      }
    }
    return try longBranch(count: count)
  }

  /// Reads an index that takes more bytes than one, or refuses it.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func longBranch(count: Int) throws(AvroError) -> Int {
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
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func beginBlock() throws(AvroError) -> Int {
    if hasNext {
      let first = bytes[position]
      if first & 0x81 == 0 {
        position &+= 1
        return Int(first &>> 1)
      }
    }
    return try longBlock()
  }

  /// Passes over an empty array, map or `bytes`, which is one byte; answers whether there is one.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func passEmptyList() -> Bool {
    guard hasNext && bytes[position] == 0 else { return false }
    position &+= 1
    return true
  }

  /// Reads a count that takes more bytes than one, or refuses it.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func longBlock() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 else { throw AvroError(.notCanonical, at: start, "block") }
    guard let count = Int(exactly: value) else { throw AvroError(.tooLarge, at: start, "block") }
    return count
  }

  /// Reads the end of an array or map; a second block is refused.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func endBlocks() throws(AvroError) {
    guard hasNext && bytes[position] == 0 else { throw noEnd() }
    position &+= 1
  }

  /// Why there is no end of an array or map here.
  @usableFromInline
  @inline(never)
  func noEnd() -> AvroError {
    isAtEnd ? AvroError(.truncated, at: offset) : AvroError(.notCanonical, at: offset, "block end")
  }

  /// Reads a value of a type that the context names.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func read<Value: Recordable>(
    _ type: Value.Type = Value.self
  ) throws(AvroError) -> Value {
    try Value(decoding: &self)
  }

  /// Passes over a value of a type.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip<Value: Recordable>(_ type: Value.Type) throws(AvroError) {
    try Value.skip(in: &self)
  }

  /// Enters a collection or a value of a recursive type; ``leave()`` is due afterwards.
  ///
  /// - Throws: `tooLarge` beyond ``AvroLimits/depth``, before the stack can overflow.
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
  package mutating func passEmptyItem() throws(AvroError) {
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
  package init(copying span: Span<UInt8>) {
    self = []
    append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
