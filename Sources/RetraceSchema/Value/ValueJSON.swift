public import RetraceAvro

extension SchemaCodec {
  /// Returns the value as readable JSON; together with the schema, the JSON identifies the value.
  ///
  /// | Avro | JSON |
  /// | --- | --- |
  /// | int, long | an exact number |
  /// | float, double | a number; NaN and the infinities as strings |
  /// | bytes, fixed | hexadecimal digits |
  /// | enum | its symbol |
  /// | map | an object |
  /// | union of null and one type | the plain value or `null` |
  /// | another union | an object with one member, named after the branch |
  /// | record of one field `case` of union type: a Swift enum | `{"caseName": {payloads}}` |
  /// | record of one field `value` of type long: an id | the number |
  /// | another record | an object |
  ///
  /// - Complexity: O(size of the value).
  public func json(_ value: AvroValue) -> JSONValue {
    json(value, as: schema, LogicalTypeFormat())
  }

  /// Returns the value as JSON, with values of logical types formatted by the caller.
  ///
  /// - Parameters:
  ///   - value: The value, of this codec's schema.
  ///   - logical: Called with the name of a logical type, or with that of a record of one field of
  ///     type long, such as an id, and a value, a `.long` for such a record; returns its JSON, or
  ///     `nil` for the format of ``json(_:)``.
  /// - Complexity: O(size of the value).
  public func json(
    _ value: AvroValue, logical: (String, AvroValue) -> JSONValue?
  ) -> JSONValue {
    withoutActuallyEscaping(logical) { logical in
      json(value, as: schema, LogicalTypeFormat(json: logical))
    }
  }

  func json(_ value: AvroValue, as type: Schema, _ logical: LogicalTypeFormat) -> JSONValue {
    if case .ruled(_, let base) = type { return json(value, as: base, logical) }
    if case .logical(let name, _) = type, let json = logical.json?(name, value) { return json }
    switch (definition(of: type), value) {
    case (_, .null): return .null
    case (_, .boolean(let value)): return .bool(value)
    case (_, .int(let value)): return .integer(Int64(value))
    case (_, .long(let value)): return .integer(value)
    // The shortest digits that identify the float, not its conversion to a double.
    case (_, .float(let value)): return .double(Double(value.description) ?? Double(value))
    case (_, .double(let value)): return .double(value)
    case (_, .bytes(let value)), (_, .fixed(let value)): return .string(Hexadecimal.text(value))
    case (_, .string(let value)): return .string(value)
    case (_, .enumeration(_, let symbol)): return .string(symbol)
    case (.array(let items), .array(let values)):
      return .array(values.map { json($0, as: items, logical) })
    case (.map(let type), .map(let entries)):
      return .object(entries.map { JSONValue.Member($0.name, json($0.value, as: type, logical)) })
    case (.record(let name, _, let fields), .record(_, let values)):
      return json(record: name, fields, values, logical)
    case (.union(let branches), .union(let branch, let value)):
      guard branches.indices.contains(branch) else { return .null }
      let plain = json(value, as: branches[branch], logical)
      if branches.count == 2 && branches.contains(.null) || branches[branch] == .null {
        return plain
      }
      return .object([JSONValue.Member(branches[branch].branchName, plain)])
    default:
      return .null
    }
  }

  private func json(
    record name: String, _ fields: [Schema.Field], _ values: [AvroValue.Entry],
    _ logical: LogicalTypeFormat
  ) -> JSONValue {
    if fields.count == 1, values.count == 1 {
      if fields[0].type == .long {
        if let json = logical.json?(name, values[0].value) { return json }
        if fields[0].name == "value" { return json(values[0].value, as: .long, logical) }
      }
      if fields[0].name == "case", case .union(let branches) = fields[0].type,
        case .union(let branch, let payloads) = values[0].value, branches.indices.contains(branch)
      {
        var label = branches[branch].branchName
        let prefix = "\(name)_"
        if label.hasPrefix(prefix) { label.removeFirst(prefix.count) }
        return .object([JSONValue.Member(label, json(payloads, as: branches[branch], logical))])
      }
    }
    return .object(
      zip(fields, values).map { JSONValue.Member($0.name, json($1.value, as: $0.type, logical)) })
  }
}

/// The caller's format of values of logical types and of records of one long, if any; where it
/// returns `nil`, values have the format of their base type.
struct LogicalTypeFormat {
  var json: ((String, AvroValue) -> JSONValue?)?
}
