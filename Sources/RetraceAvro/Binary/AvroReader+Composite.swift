extension AvroReader {
  /// Reads the length of a string or of bytes; throws if fewer bytes are left.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  package mutating func length() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard UInt64(bitPattern: value) <= UInt64(bitPattern: Int64(remaining)) else {
      throw AvroReader.invalidLength(value, at: start)
    }
    return Int(value)
  }

  @usableFromInline
  @inline(never)
  static func invalidLength(_ value: Int64, at start: Int) -> AvroError {
    AvroError(value < 0 ? .outOfRange : .truncated, at: start, "length")
  }

  /// Reads `bytes`.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func byteArray() throws(AvroError) -> [UInt8] {
    let span = try raw(try length())
    return [UInt8](copying: span)
  }

  /// Reads a `string`; throws if it is not UTF-8.
  ///
  /// Nothing is normalized.
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
      throw AvroReader.invalidText(at: start)
    }
  }

  @usableFromInline
  @inline(never)
  static func invalidText(at start: Int) -> AvroError { AvroError(.notUTF8, at: start) }

  /// Skips a `string`; throws if it is not UTF-8.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skipString() throws(AvroError) {
    let start = offset
    try skipText(try length(), from: start)
  }

  /// Skips a text of `count` bytes; an error has the offset of the text's length, `start`.
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
      // The decoded index. A negative index or one of several bytes becomes at least 64.
      let index = Int(first &>> 1 | first &<< 7)
      if index < Swift.min(count, 64) {
        position &+= 1
        return index
      }
    }
    return try multiByteBranch(count: count)
  }

  @usableFromInline
  @_lifetime(self: copy self)
  mutating func multiByteBranch(count: Int) throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 && value < Int64(count) else {
      throw AvroError(.outOfRange, at: start, "branch")
    }
    return Int(value)
  }

  /// Reads the count of the only block of an array or map; 0 if it is empty.
  ///
  /// If the count is above 0, call ``endBlocks()`` after the items; if it is 0, the end is already
  /// read. Do not allocate memory by the count alone: see ``reservation(for:)``.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func beginBlocks() throws(AvroError) -> Int {
    if hasNext {
      let first = bytes[position]
      if first & 0x81 == 0 {
        position &+= 1
        return Int(first &>> 1)
      }
    }
    return try multiByteCount()
  }

  /// Skips an empty array, map or `bytes`, which is one byte; returns `false` if it is not empty.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func skipIfEmpty() -> Bool {
    guard hasNext && bytes[position] == 0 else { return false }
    position &+= 1
    return true
  }

  @usableFromInline
  @_lifetime(self: copy self)
  mutating func multiByteCount() throws(AvroError) -> Int {
    let start = offset
    let value = try long()
    guard value >= 0 else { throw AvroError(.notCanonical, at: start, "block") }
    guard let count = Int(exactly: value) else { throw AvroError(.tooLarge, at: start, "block") }
    return count
  }

  /// Reads the end of an array or map; throws if there is a second block.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func endBlocks() throws(AvroError) {
    guard hasNext && bytes[position] == 0 else { throw missingEnd() }
    position &+= 1
  }

  @usableFromInline
  @inline(never)
  func missingEnd() -> AvroError {
    isAtEnd ? AvroError(.truncated, at: offset) : AvroError(.notCanonical, at: offset, "block end")
  }

  /// Reads a value of a type, by default the type that the context requires.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func read<Value: Recordable>(
    _ type: Value.Type = Value.self
  ) throws(AvroError) -> Value {
    try Value(decoding: &self)
  }

  /// Reads a `boolean`.
  ///
  /// Unlike the initializer that the generic function calls, this is inlined.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func read(_ type: Bool.Type = Bool.self) throws(AvroError) -> Bool {
    try boolean()
  }

  /// Skips a value of a type.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip<Value: Recordable>(_ type: Value.Type) throws(AvroError) {
    try Value.skip(in: &self)
  }

  /// Enters a collection or a value of a recursive type; call ``leave()`` afterwards.
  ///
  /// - Throws: `tooLarge` beyond ``AvroLimits/depth``, before the stack can overflow.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func enter() throws(AvroError) {
    if remainingDepth == 0 { throw AvroError(.tooLarge, at: offset, "nested too deeply") }
    remainingDepth -= 1
  }

  /// Leaves the collection or value that ``enter()`` entered last.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func leave() { remainingDepth += 1 }

  /// Counts an item of zero bytes, so that a few bytes cannot cause unbounded work.
  @usableFromInline
  @_lifetime(self: copy self)
  package mutating func countEmptyItem() throws(AvroError) {
    if remainingEmptyItems == 0 {
      throw AvroError(.tooLarge, at: offset, "too many zero-byte items")
    }
    remainingEmptyItems -= 1
  }

  /// Returns the number of items to reserve memory for: `count`, but at most the bytes left.
  @inlinable
  public func reservation(for count: Int) -> Int { min(count, remaining) }
}

extension [UInt8] {
  @inlinable
  package init(copying span: Span<UInt8>) {
    self = []
    append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
