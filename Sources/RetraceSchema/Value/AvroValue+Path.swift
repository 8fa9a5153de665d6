public import RetraceAvro

extension AvroValue {
  /// Returns the value at a path of field names; unions on the way are unwrapped.
  ///
  /// - Throws: `AvroError` of the kind `schema` if a field of the path does not exist.
  public func value(at path: String...) throws(AvroError) -> AvroValue { try value(along: path) }

  /// Returns the `int` or `long` at a path of field names.
  ///
  /// - Throws: `AvroError` of the kind `schema` if it does not exist.
  public func integer(at path: String...) throws(AvroError) -> Int64 {
    switch try value(along: path) {
    case .int(let number): return Int64(number)
    case .long(let number): return number
    default: throw Self.missing("integer", at: path)
    }
  }

  /// Returns the `float` or `double` at a path of field names.
  ///
  /// - Throws: `AvroError` of the kind `schema` if it does not exist.
  public func number(at path: String...) throws(AvroError) -> Double {
    switch try value(along: path) {
    case .float(let number): return Double(number)
    case .double(let number): return number
    default: throw Self.missing("number", at: path)
    }
  }

  /// Returns the `string` at a path of field names.
  ///
  /// - Throws: `AvroError` of the kind `schema` if it does not exist.
  public func text(at path: String...) throws(AvroError) -> String {
    guard case .string(let text) = try value(along: path) else {
      throw Self.missing("string", at: path)
    }
    return text
  }

  /// Returns the `boolean` at a path of field names.
  ///
  /// - Throws: `AvroError` of the kind `schema` if it does not exist.
  public func boolean(at path: String...) throws(AvroError) -> Bool {
    guard case .boolean(let value) = try value(along: path) else {
      throw Self.missing("boolean", at: path)
    }
    return value
  }

  private func value(along path: [String]) throws(AvroError) -> AvroValue {
    var value = self
    if case .union(_, let inner) = value { value = inner }
    for name in path {
      guard let field = value[name] else { throw Self.missing("field", at: path) }
      value = field
      if case .union(_, let inner) = value { value = inner }
    }
    return value
  }

  private static func missing(_ what: String, at path: [String]) -> AvroError {
    AvroError(.schema, at: 0, "no \(what) `\(path.joined(separator: "."))`")
  }
}
