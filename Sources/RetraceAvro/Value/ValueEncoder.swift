extension SchemaCodec {
  /// Writes a value in canonical form, except that the entries of maps keep their order.
  ///
  /// - Complexity: O(bytes written).
  /// - Throws: ``AvroError`` of the kind `schema` if the value does not fit the schema; the writer
  ///   keeps the bytes written so far.
  public func encode(_ value: AvroValue, into writer: inout AvroWriter) throws(AvroError) {
    try encode(value, as: schema, &writer)
  }

  private func encode(
    _ value: AvroValue, as type: Schema, _ writer: inout AvroWriter
  ) throws(AvroError) {
    switch (definition(of: type), value) {
    case (.null, .null): break
    case (.boolean, .boolean(let value)): writer.boolean(value)
    case (.int, .int(let value)): writer.long(Int64(value))
    case (.long, .long(let value)): writer.long(value)
    case (.float, .float(let value)): writer.float(value)
    case (.double, .double(let value)): writer.double(value)
    case (.bytes, .bytes(let value)): writer.bytes(value)
    case (.string, .string(let value)): writer.string(value)
    case (.fixed(_, _, let size), .fixed(let value)) where value.count == size: writer.raw(value)
    case (.enumeration(_, _, let symbols, _), .enumeration(let position, let symbol))
    where symbols.indices.contains(position) && symbols[position] == symbol:
      writer.branch(position)
    case (.array(let type), .array(let items)):
      writer.beginBlocks(count: items.count)
      for item in items { try encode(item, as: type, &writer) }
      writer.endBlocks()
    case (.map(let type), .map(let entries)):
      writer.beginBlocks(count: entries.count)
      for entry in entries {
        writer.string(entry.name)
        try encode(entry.value, as: type, &writer)
      }
      writer.endBlocks()
    case (.record(let name, _, let fields), .record(let valueName, let values))
    where name == valueName && fields.count == values.count:
      for (field, entry) in zip(fields, values) {
        guard field.name == entry.name else { throw Self.mismatch(field.name, entry.name) }
        try encode(entry.value, as: field.type, &writer)
      }
    case (.union(let branches), .union(let branch, let value))
    where branches.indices.contains(branch):
      writer.branch(branch)
      try encode(value, as: branches[branch], &writer)
    case (let type, _):
      throw AvroError(
        .schema, at: writer.count, "the value is not of the type `\(type.branchName)`")
    }
  }

  private static func mismatch(_ expected: String, _ found: String) -> AvroError {
    AvroError(.schema, at: 0, "expected the field `\(expected)`, found `\(found)`")
  }
}
