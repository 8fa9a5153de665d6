extension Schema {
  /// The parsing canonical form of the Avro specification, with logical types kept.
  ///
  /// If two schemas have equal forms and equal rules, every value has the same encoding in both.
  /// Logical types, which the specification drops, are last in their object.
  public var canonicalForm: String { canonicalForm(keepingLogicalTypes: true) }

  /// Returns the parsing canonical form.
  ///
  /// - Parameter keepingLogicalTypes: Whether to keep logical types, which the specification drops.
  /// - Complexity: O(bytes of the form).
  public func canonicalForm(keepingLogicalTypes: Bool) -> String {
    var text = ""
    appendCanonical(to: &text, logical: nil, keepingLogicalTypes)
    return text
  }

  private func appendCanonical(to text: inout String, logical: String?, _ keepingLogicalTypes: Bool)
  {
    let suffix = logical.map { ",\"logicalType\":\(JSONValue.string($0).text())}" } ?? "}"
    switch self {
    case .null, .boolean, .int, .long, .float, .double, .bytes, .string:
      let name = "\"\(primitiveName ?? "")\""
      text += logical == nil ? name : "{\"type\":\(name)\(suffix)"
    case .reference(let name):
      text += logical == nil ? "\"\(name)\"" : "{\"type\":\"\(name)\"\(suffix)"
    case .array(let items):
      text += "{\"type\":\"array\",\"items\":"
      items.appendCanonical(to: &text, logical: nil, keepingLogicalTypes)
      text += suffix
    case .map(let values):
      text += "{\"type\":\"map\",\"values\":"
      values.appendCanonical(to: &text, logical: nil, keepingLogicalTypes)
      text += suffix
    case .union(let branches):
      text += logical == nil ? "[" : "{\"type\":["
      for (position, branch) in branches.enumerated() {
        if position > 0 { text += "," }
        branch.appendCanonical(to: &text, logical: nil, keepingLogicalTypes)
      }
      text += logical == nil ? "]" : "]\(suffix)"
    case .record(let name, _, let fields):
      text += "{\"name\":\"\(name)\",\"type\":\"record\",\"fields\":["
      for (position, field) in fields.enumerated() {
        if position > 0 { text += "," }
        text += "{\"name\":\"\(field.name)\",\"type\":"
        field.type.appendCanonical(to: &text, logical: nil, keepingLogicalTypes)
        text += "}"
      }
      text += "]\(suffix)"
    case .enumeration(let name, _, let symbols, _):
      let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
      text += "{\"name\":\"\(name)\",\"type\":\"enum\",\"symbols\":[\(list)]\(suffix)"
    case .fixed(let name, _, let size):
      text += "{\"name\":\"\(name)\",\"type\":\"fixed\",\"size\":\(size)\(suffix)"
    case .logical(let name, let base):
      // An object has one logical type, so the outer of two is in an object around the inner one.
      if logical != nil { text += "{\"type\":" }
      base.appendCanonical(
        to: &text, logical: keepingLogicalTypes ? name : nil, keepingLogicalTypes)
      if logical != nil { text += suffix }
    case .ruled(_, let base):
      base.appendCanonical(to: &text, logical: logical, keepingLogicalTypes)
    }
  }

  /// Returns the SHA-256 of ``canonicalForm``, by which the log identifies a schema.
  public func fingerprint<Hasher: ByteHasher>(with hasher: Hasher.Type) -> Digest {
    let bytes = [UInt8](canonicalForm.utf8)
    return Hasher.digest(of: bytes.span)
  }

  /// The CRC-64-AVRO fingerprint of the specification's canonical form, without logical types.
  ///
  /// For other programs; the log does not use it.
  public var rabinFingerprint: UInt64 {
    let empty: UInt64 = 0xc15d_213a_a4d7_a795
    var fingerprint = empty
    for byte in canonicalForm(keepingLogicalTypes: false).utf8 {
      var step = (fingerprint ^ UInt64(byte)) & 0xff
      for _ in 0..<8 { step = (step >> 1) ^ (empty & (0 &- (step & 1))) }
      fingerprint = (fingerprint >> 8) ^ step
    }
    return fingerprint
  }
}
