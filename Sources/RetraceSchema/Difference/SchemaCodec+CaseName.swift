public import RetraceAvro

extension SchemaCodec {
  /// Returns the names of the cases of an action, outermost first, as in `timeline.started`; `nil`
  /// for a value that is not a Swift enum.
  ///
  /// If the last payload of a case is an enum with payloads, as in a feature's case, the name of
  /// that enum's case is appended.
  ///
  /// - Complexity: O(nesting of the cases).
  public func caseName(of value: AvroValue) -> String? {
    var names: [String] = []
    var next: AvroValue? = value
    while let value = next, names.count < AvroLimits.depth,
      case .record(let name, let fields) = value, fields.count == 1, fields[0].name == "case",
      case .union(_, .record(let label, let payloads)) = fields[0].value
    {
      let prefix = "\(name)_"
      names.append(label.hasPrefix(prefix) ? String(label.dropFirst(prefix.count)) : label)
      next = payloads.last?.value
    }
    if names.isEmpty, case .enumeration(_, let symbol) = value { return symbol }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}

extension Schema {
  /// Returns the name of a branch without the name of its enum.
  func caseLabel(of name: String) -> String {
    let label = branchName
    let prefix = "\(name)_"
    return label.hasPrefix(prefix) ? String(label.dropFirst(prefix.count)) : label
  }
}
