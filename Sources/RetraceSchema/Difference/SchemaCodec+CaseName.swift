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

extension SchemaCodec {
  /// Returns whether a value of the schema can have a case name, or one that continues it.
  ///
  /// `timeline` is such a name if ``caseName(of:)`` can return `timeline.started`.
  ///
  /// - Complexity: O(cases of the enums that the name leads through).
  package func hasCase(named name: String) -> Bool {
    if case .enumeration(_, _, let symbols, _) = definition(of: schema) {
      return symbols.contains(name)
    }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return hasCase(path[...], of: schema)
  }

  private func hasCase(_ path: ArraySlice<String>, of type: Schema) -> Bool {
    guard let label = path.first else { return true }
    return cases(of: type).contains { item in
      item.label == label
        && (path.count == 1
          || item.lastPayload.map { hasCase(path.dropFirst(), of: $0) } ?? false)
    }
  }

  /// The names that ``caseName(of:)`` returns for values of the schema, in the order of the cases.
  ///
  /// A name ends where a case contains its own enum.
  ///
  /// - Complexity: O(names).
  package var caseNames: [String] {
    if case .enumeration(_, _, let symbols, _) = definition(of: schema) { return symbols }
    return caseNames(of: schema, within: [])
  }

  private func caseNames(of type: Schema, within outer: [String]) -> [String] {
    guard case .record(let record, _, _) = definition(of: type), !outer.contains(record),
      outer.count < AvroLimits.depth
    else { return [] }
    return cases(of: type).flatMap { item -> [String] in
      let inner = item.lastPayload.map { caseNames(of: $0, within: outer + [record]) } ?? []
      return inner.isEmpty ? [item.label] : inner.map { "\(item.label).\($0)" }
    }
  }

  /// Returns the cases of an enum with payloads, each with the type of its last payload; none for
  /// another type.
  private func cases(of type: Schema) -> [(label: String, lastPayload: Schema?)] {
    guard case .record(let record, _, let fields) = definition(of: type), fields.count == 1,
      fields[0].name == "case", case .union(let branches) = definition(of: fields[0].type)
    else { return [] }
    return branches.compactMap { branch in
      guard case .record(_, _, let payloads) = definition(of: branch) else { return nil }
      return (branch.caseLabel(of: record), payloads.last?.type)
    }
  }
}

extension Schema {
  /// Returns the name of a case whose payloads have this type, in an enum with a name.
  package func caseLabel(of name: String) -> String {
    let label = branchName
    let prefix = "\(name)_"
    return label.hasPrefix(prefix) ? String(label.dropFirst(prefix.count)) : label
  }
}
