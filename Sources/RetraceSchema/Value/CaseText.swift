public import RetraceAvro

extension SchemaCodec {
  /// Returns an action as text for people, such as
  /// `scene(3).startEdit.edited.insert(text: "a")`.
  ///
  /// The text consists of the names that ``caseName(of:)`` returns, with payloads as in a call.
  /// Values that are not cases are written as JSON, escaped for terminals, without the members of
  /// records that are null. The text does not show the types of unlabelled arguments and nested
  /// cases, so programs should read ``json(_:)`` instead.
  ///
  /// - Parameters:
  ///   - value: The value, of this codec's schema.
  ///   - logical: Formats values of logical types; see ``json(_:logical:)``.
  /// - Complexity: O(size of the value).
  /// - Returns: The text; `nil` if the value is not an enum.
  public func caseText(
    of value: AvroValue, logical: (String, AvroValue) -> JSONValue? = { _, _ in nil }
  ) -> String? {
    if case .enumeration(_, let symbol) = value { return symbol }
    return NamedCase(value, json(value, logical: logical))?.text
  }
}

/// A case of a Swift enum with payloads, as a value and its JSON have it.
package struct NamedCase {
  /// The name of the case.
  package let label: String
  /// The payloads in order; one without a label has the name `_0`, `_1` and so on.
  package let payloads: [(name: String, value: AvroValue, json: JSONValue)]

  /// Creates a case from a value of an enum with payloads; `nil` for another value.
  package init?(_ value: AvroValue, _ json: JSONValue) {
    var value = value
    if case .union(_, let some) = value { value = some }
    guard case .record(_, let fields) = value, fields.count == 1, fields[0].name == "case",
      case .union(_, .record(let name, let payloads)) = fields[0].value,
      case .object(let members) = json, members.count == 1, name.hasSuffix(members[0].name),
      case .object(let items) = members[0].value, items.count == payloads.count
    else { return nil }
    label = members[0].name
    self.payloads = zip(payloads, items).map { ($0.name, $0.value, $1.value) }
  }

  fileprivate var text: String {
    guard let last = payloads.last else { return label }
    if let inner = NamedCase(last.value, last.json) {
      return label + arguments(payloads.dropLast()) + "." + inner.text
    }
    return label + arguments(payloads[...])
  }

  private func arguments(
    _ items: ArraySlice<(name: String, value: AvroValue, json: JSONValue)>
  ) -> String {
    guard !items.isEmpty else { return "" }
    let texts = items.enumerated().map { position, item in
      let text =
        NamedCase(item.value, item.json).map { ".\($0.text)" } ?? item.json.withoutNulls.text()
      return item.name == "_\(position)" ? text : "\(item.name): \(text)"
    }
    return "(\(texts.joined(separator: ", ")))"
  }
}

extension JSONValue {
  /// The value without members of objects that are null.
  fileprivate var withoutNulls: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.filter { $0.value != .null }
          .map { Member($0.name, $0.value.withoutNulls) })
    case .array(let items): .array(items.map { $0.withoutNulls })
    default: self
    }
  }
}
