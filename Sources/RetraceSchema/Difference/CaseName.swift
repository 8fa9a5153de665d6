public import RetraceAvro

extension SchemaCodec {
  /// The names of the cases that an action is made of, the outermost first, as in
  /// `timeline.started`; `nil` for a value that is no Swift enum.
  ///
  /// A case that carries another enum last, as a feature's case carries its action, is followed.
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
  /// The name of a branch without the name of the enum that it is a case of.
  func caseLabel(of name: String) -> String {
    let label = branchName
    let prefix = "\(name)_"
    return label.hasPrefix(prefix) ? String(label.dropFirst(prefix.count)) : label
  }
}
