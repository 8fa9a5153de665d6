/// An encoder of the defaults of a schema's fields in canonical binary.
package struct DefaultEncoder {
  private let codec: SchemaCodec

  package init(_ codec: SchemaCodec) { self.codec = codec }

  /// Returns the canonical encoding of a default, or `nil` if it is not a value of the type.
  package func bytes(of json: JSONValue, as type: Schema) -> [UInt8]? {
    var writer = AvroWriter()
    guard encode(json, as: type, into: &writer, AvroLimits.fieldDefaultDepth) else { return nil }
    return writer.bytes
  }

  /// Returns the encoded default of a field, or `nil` if the field has none.
  package func bytes(of field: Schema.Field) -> [UInt8]? {
    field.encodedDefault ?? field.defaultValue.flatMap { bytes(of: $0, as: field.type) }
  }

  /// Writes a default; if it does not fit, returns `false` and leaves partial output.
  private func encode(
    _ json: JSONValue, as type: Schema, into writer: inout AvroWriter, _ depth: Int
  ) -> Bool {
    guard depth > 0, writer.count <= AvroLimits.fieldDefaultBytes else { return false }
    switch (codec.definition(of: type), json) {
    case (.null, .null): return true
    case (.boolean, .bool(let value)): writer.boolean(value)
    case (.int, .integer(let value)):
      guard Int32(exactly: value) != nil else { return false }
      writer.long(value)
    case (.long, .integer(let value)): writer.long(value)
    case (.float, _):
      guard let value = number(json) else { return false }
      writer.float(Float(value))
    case (.double, _):
      guard let value = number(json) else { return false }
      writer.double(value)
    case (.string, .string(let text)): writer.string(text)
    case (.bytes, .string(let text)):
      guard let bytes = self.bytes(fromScalars: text) else { return false }
      writer.bytes(bytes)
    case (.fixed(_, _, let size), .string(let text)):
      guard let bytes = self.bytes(fromScalars: text), bytes.count == size else { return false }
      writer.raw(bytes)
    case (.enumeration(_, _, let symbols, _), .string(let text)):
      guard let position = symbols.firstIndex(of: text) else { return false }
      writer.branch(position)
    default: return encodeNested(json, as: type, into: &writer, depth)
    }
    return true
  }

  private func encodeNested(
    _ json: JSONValue, as type: Schema, into writer: inout AvroWriter, _ depth: Int
  ) -> Bool {
    switch (codec.definition(of: type), json) {
    case (.array(let type), .array(let items)):
      writer.beginBlocks(count: items.count)
      for item in items where !encode(item, as: type, into: &writer, depth - 1) { return false }
      writer.endBlocks()
    case (.map(let type), .object(let members)):
      return encode(map: members, of: type, into: &writer, depth)
    case (.record(_, _, let fields), .object):
      for field in fields {
        guard let value = json[field.name] ?? field.defaultValue,
          encode(value, as: field.type, into: &writer, depth - 1)
        else { return false }
      }
    case (.union(let branches), _):
      let start = writer.count
      for (position, branch) in branches.enumerated() where mayFit(json, branch) {
        writer.branch(position)
        if encode(json, as: branch, into: &writer, depth - 1) { return true }
        writer.truncate(to: start)
      }
      return false
    default: return false
    }
    return true
  }

  /// Returns whether a default may be a value of a branch.
  ///
  /// An object with a member that is not a field of a record is not a value of the record.
  private func mayFit(_ json: JSONValue, _ branch: Schema) -> Bool {
    guard case .record(_, _, let fields) = codec.definition(of: branch),
      case .object(let members) = json
    else { return true }
    return members.allSatisfy { member in fields.contains { $0.name == member.name } }
  }

  private func encode(
    map members: [JSONValue.Member], of type: Schema, into writer: inout AvroWriter, _ depth: Int
  ) -> Bool {
    guard Set(members.map({ $0.name })).count == members.count else { return false }
    let sorted = members.sorted { left, right in
      left.name.encoded().lexicographicallyPrecedes(right.name.encoded())
    }
    writer.beginBlocks(count: sorted.count)
    for member in sorted {
      writer.string(member.name)
      guard encode(member.value, as: type, into: &writer, depth - 1) else { return false }
    }
    writer.endBlocks()
    return true
  }

  private func number(_ json: JSONValue) -> Double? {
    switch json {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    default: nil
    }
  }

  /// Returns the bytes of a `bytes` or `fixed` default; `nil` if a scalar is above U+00FF.
  ///
  /// In JSON each byte is written as the Unicode scalar of the same value.
  private func bytes(fromScalars text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
