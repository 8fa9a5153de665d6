extension SchemaCodec {
  /// Reads a value from any valid Avro binary: any number of blocks, with counts of either sign;
  /// integers of up to ten bytes; any NaN.
  ///
  /// - Complexity: O(bytes read).
  /// - Throws: ``AvroError`` if the bytes are not a value of the schema, if a map has a key twice,
  ///   or if the value exceeds ``AvroLimits``.
  @_lifetime(reader: copy reader)
  public func decode(from reader: inout AvroReader) throws(AvroError) -> AvroValue {
    try decode(schema, &reader)
  }

  /// Reads a value from bytes that contain nothing else.
  public func decode(_ bytes: Span<UInt8>) throws(AvroError) -> AvroValue {
    var reader = AvroReader(bytes)
    let value = try decode(schema, &reader)
    try reader.finish()
    return value
  }

  @_lifetime(reader: copy reader)
  package func decode(
    _ schema: Schema, _ reader: inout AvroReader
  ) throws(AvroError) -> AvroValue {
    switch schema {
    case .null: return .null
    case .boolean: return .boolean(try reader.boolean())
    case .int: return .int(try reader.lenientInt())
    case .long: return .long(try reader.lenientLong())
    case .float: return .float(Float(bitPattern: try reader.littleEndian32()))
    case .double: return .double(Double(bitPattern: try reader.littleEndian64()))
    case .bytes: return .bytes([UInt8](copying: try reader.raw(try reader.lenientLength())))
    case .string: return .string(try reader.lenientString())
    case .fixed(_, _, let size): return .fixed([UInt8](copying: try reader.raw(size)))
    case .enumeration(_, _, let symbols, _):
      let index = try reader.lenientBranch(count: symbols.count)
      return .enumeration(index: index, symbol: symbols[index])
    case .logical(_, let base), .ruled(_, let base): return try decode(base, &reader)
    case .reference(let name):
      guard let definition = definitions[name] else {
        throw AvroError(.schema, at: reader.offset, "the type `\(name)` is not defined")
      }
      return try decode(definition, &reader)
    case .array, .map, .record, .union:
      try reader.enter()
      let value = try decodeNested(schema, &reader)
      reader.leave()
      return value
    }
  }

  @_lifetime(reader: copy reader)
  private func decodeNested(
    _ schema: Schema, _ reader: inout AvroReader
  ) throws(AvroError) -> AvroValue {
    switch schema {
    case .array(let items):
      var values: [AvroValue] = []
      while let count = try reader.lenientBlockCount() {
        for _ in 0..<count {
          let start = reader.offset
          values.append(try decode(items, &reader))
          if reader.offset == start { try reader.countEmptyItem() }
        }
      }
      return .array(values)
    case .map(let type):
      var entries: [AvroValue.Entry] = []
      var keys: Set<String> = []
      while let count = try reader.lenientBlockCount() {
        for _ in 0..<count {
          let start = reader.offset
          let key = try reader.lenientString()
          guard keys.insert(key).inserted else { throw AvroError(.duplicateKey, at: start) }
          entries.append(AvroValue.Entry(key, try decode(type, &reader)))
        }
      }
      return .map(entries)
    case .record(let name, _, let fields):
      var values: [AvroValue.Entry] = []
      values.reserveCapacity(fields.count)
      for field in fields {
        values.append(AvroValue.Entry(field.name, try decode(field.type, &reader)))
      }
      return .record(name: name, fields: values)
    case .union(let branches):
      let branch = try reader.lenientBranch(count: branches.count)
      return .union(branch: branch, try decode(branches[branch], &reader))
    default:
      return try decode(schema, &reader)
    }
  }
}

extension AvroReader {
  /// Reads an integer of up to ten bytes, which need not have its shortest form.
  @_lifetime(self: copy self)
  package mutating func lenientLong() throws(AvroError) -> Int64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      if shift == 63 && next > 1 { throw AvroError(.outOfRange, at: start, "integer") }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
  }

  @_lifetime(self: copy self)
  mutating func lenientInt() throws(AvroError) -> Int32 {
    let start = offset
    guard let value = Int32(exactly: try lenientLong()) else {
      throw AvroError(.outOfRange, at: start, "int")
    }
    return value
  }

  @_lifetime(self: copy self)
  package mutating func lenientLength() throws(AvroError) -> Int {
    let start = offset
    let value = try lenientLong()
    guard value >= 0 else { throw AvroError(.outOfRange, at: start, "length") }
    guard value <= Int64(remaining) else { throw AvroError(.truncated, at: start, "length") }
    return Int(value)
  }

  @_lifetime(self: copy self)
  package mutating func lenientString() throws(AvroError) -> String {
    let start = offset
    let span = try raw(try lenientLength())
    do {
      return String(copying: try UTF8Span(validating: span))
    } catch { throw AvroError(.notUTF8, at: start) }
  }

  @_lifetime(self: copy self)
  package mutating func lenientBranch(count: Int) throws(AvroError) -> Int {
    let start = offset
    let value = try lenientLong()
    guard value >= 0 && value < Int64(count) else {
      throw AvroError(.outOfRange, at: start, "branch")
    }
    return Int(value)
  }

  /// Reads the count of the next block of an array or map; returns `nil` at the end.
  ///
  /// A negative count is followed by the size of the block in bytes, which is ignored.
  @_lifetime(self: copy self)
  package mutating func lenientBlockCount() throws(AvroError) -> Int? {
    let start = offset
    let count = try lenientLong()
    if count == 0 { return nil }
    if count < 0 { _ = try lenientLength() }
    guard let magnitude = Int(exactly: count.magnitude) else {
      throw AvroError(.tooLarge, at: start, "block")
    }
    return magnitude
  }
}
