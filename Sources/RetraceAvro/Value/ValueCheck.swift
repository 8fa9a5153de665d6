extension SchemaCodec {
  /// Checks that bytes are a value of the schema.
  ///
  /// Accepts the bytes that ``decode(_:)`` accepts, and throws the same errors, but is much faster.
  ///
  /// - Parameter bytes: The bytes of one value, without anything else.
  /// - Complexity: O(`bytes.count`); only the keys of maps are kept in memory.
  /// - Throws: ``AvroError``, as ``decode(_:)`` does.
  public func check(_ bytes: Span<UInt8>) throws(AvroError) {
    var reader = AvroReader(bytes)
    try check(schema, &reader)
    try reader.finish()
  }

  @_lifetime(reader: copy reader)
  private func check(_ schema: Schema, _ reader: inout AvroReader) throws(AvroError) {
    switch schema {
    case .null: break
    case .boolean: _ = try reader.boolean()
    case .int: _ = try reader.lenientInt()
    case .long: _ = try reader.lenientLong()
    case .float: _ = try reader.littleEndian32()
    case .double: _ = try reader.littleEndian64()
    case .bytes: _ = try reader.raw(try reader.lenientLength())
    case .string: try reader.checkString()
    case .fixed(_, _, let size): _ = try reader.raw(size)
    case .enumeration(_, _, let symbols, _): _ = try reader.lenientBranch(count: symbols.count)
    case .logical(_, let base), .ruled(_, let base): try check(base, &reader)
    case .reference(let name):
      guard let definition = definitions[name] else {
        throw AvroError(.schema, at: reader.offset, "the type `\(name)` is not defined")
      }
      try check(definition, &reader)
    case .array(let items):
      try reader.enter()
      try checkItems(items, &reader)
      reader.leave()
    case .map(let values):
      try reader.enter()
      try checkEntries(values, &reader)
      reader.leave()
    case .record(_, _, let fields):
      try reader.enter()
      for field in fields { try check(field.type, &reader) }
      reader.leave()
    case .union(let branches):
      try reader.enter()
      try check(branches[try reader.lenientBranch(count: branches.count)], &reader)
      reader.leave()
    }
  }

  @_lifetime(reader: copy reader)
  private func checkItems(_ type: Schema, _ reader: inout AvroReader) throws(AvroError) {
    while let count = try reader.lenientBlockCount() {
      for _ in 0..<count {
        let start = reader.offset
        try check(type, &reader)
        if reader.offset == start { try reader.countEmptyItem() }
      }
    }
  }

  @_lifetime(reader: copy reader)
  private func checkEntries(_ type: Schema, _ reader: inout AvroReader) throws(AvroError) {
    var keys: Set<String> = []
    while let count = try reader.lenientBlockCount() {
      for _ in 0..<count {
        let start = reader.offset
        let key = try reader.lenientString()
        guard keys.insert(key).inserted else { throw AvroError(.duplicateKey, at: start) }
        try check(type, &reader)
      }
    }
  }
}

extension AvroReader {
  /// Skips a text, with the checks of `lenientString`.
  @_lifetime(self: copy self)
  fileprivate mutating func checkString() throws(AvroError) {
    let start = offset
    try skipText(try lenientLength(), from: start)
  }
}
