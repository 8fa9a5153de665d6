import Retrace

/// A command or an action whose values can be replaced one by one.
struct EditableValue {
  /// A value without parts.
  struct Leaf {
    /// The indices of the parts that lead to it.
    var path: [Int]
    /// The names of these parts, as in `entry.note`.
    var name: String
    var value: JSONValue
  }

  private let codec: SchemaCodec
  private var value: AvroValue
  private let moments: MomentFormat

  /// Reads an encoded value of a type.
  init<Value: Recordable>(_ value: Value, moments: MomentFormat) throws(PageFailure) {
    self.moments = moments
    let bytes = value.encoded()
    do throws(AvroError) {
      let codec = try SchemaCodec(Value.schema)
      self.codec = codec
      self.value = try codec.decode(bytes.span)
    } catch {
      throw PageFailure("the values cannot be shown: \(error.description)")
    }
  }

  /// The values that can be replaced, in order.
  var leaves: [Leaf] {
    var leaves: [Leaf] = []
    visit(value, codec.schema, [], "", into: &leaves)
    return leaves
  }

  private func visit(
    _ value: AvroValue, _ type: Schema, _ path: [Int], _ name: String, into leaves: inout [Leaf]
  ) {
    func named(_ part: String) -> String { name.utf8.isEmpty ? part : "\(name).\(part)" }
    switch (codec.definition(of: type), value) {
    case (.record(let typeName, _, let fields), .record(_, let entries))
    where fields.count == entries.count:
      for (index, entry) in entries.enumerated() {
        let part = Self.part(entry, of: typeName, isOnly: entries.count == 1)
        visit(
          entry.value, fields[index].type, path + [index],
          part.utf8.isEmpty ? name : named(part), into: &leaves)
      }
    case (.union(let branches), .union(let branch, let inner)) where branch < branches.count:
      visit(inner, branches[branch], path + [0], name, into: &leaves)
    case (.array(let items), .array(let values)):
      for (index, item) in values.enumerated() {
        visit(item, items, path + [index], "\(name)[\(index)]", into: &leaves)
      }
    case (.map(let type), .map(let entries)):
      for (index, entry) in entries.enumerated() {
        visit(entry.value, type, path + [index], "\(name)[\(entry.name)]", into: &leaves)
      }
    case (_, .null), (_, .bytes), (_, .fixed): break
    default:
      var json = codec.plainJSON(value)
      if case .logical(let logical, _) = type, let text = moments.json(logical, value) {
        json = text
      }
      leaves.append(Leaf(path: path, name: name.utf8.isEmpty ? "value" : name, value: json))
    }
  }

  /// Returns the name of a field for people: of a case in place of its enum, and none for the
  /// number of an id and for a payload without a label.
  private static func part(_ entry: AvroValue.Entry, of type: String, isOnly: Bool) -> String {
    let isNumbered = entry.name.utf8.first == UInt8(ascii: "_")
    if isNumbered || isOnly && same(entry.name, "value") { return "" }
    guard isOnly, same(entry.name, "case"), case .union(_, .record(let label, _)) = entry.value
    else { return entry.name }
    let prefix = "\(type)_"
    return label.hasPrefix(prefix) ? String(label.dropFirst(prefix.count)) : label
  }

  private static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  // MARK: - Replacing

  /// Replaces a value by another one of its type.
  ///
  /// - Throws: A failure if there is no such value, or if it cannot be the new one.
  mutating func replace(_ path: [Int], with text: String) throws(PageFailure) {
    value = try replaced(value, codec.schema, path[...], text)
  }

  /// Returns the value with its replaced parts.
  func value<Value: Recordable>(as type: Value.Type) throws(PageFailure) -> Value {
    var writer = AvroWriter()
    do throws(AvroError) {
      try codec.encode(value, into: &writer)
      return try Value(encoded: writer.span)
    } catch {
      throw PageFailure("this is not a valid value: \(error.description)")
    }
  }

  private func replaced(
    _ value: AvroValue, _ type: Schema, _ path: ArraySlice<Int>, _ text: String
  ) throws(PageFailure) -> AvroValue {
    guard let index = path.first else { return try scalar(text, like: value, type) }
    let rest = path.dropFirst()
    switch (codec.definition(of: type), value) {
    case (.record(_, _, let fields), .record(let name, var entries))
    where entries.indices.contains(index) && fields.count == entries.count:
      entries[index].value = try replaced(entries[index].value, fields[index].type, rest, text)
      return .record(name: name, fields: entries)
    case (.union(let branches), .union(let branch, let inner)) where branch < branches.count:
      return .union(branch: branch, try replaced(inner, branches[branch], rest, text))
    case (.array(let items), .array(var values)) where values.indices.contains(index):
      values[index] = try replaced(values[index], items, rest, text)
      return .array(values)
    case (.map(let type), .map(var entries)) where entries.indices.contains(index):
      entries[index].value = try replaced(entries[index].value, type, rest, text)
      return .map(entries)
    default: throw PageFailure("there is no such value")
    }
  }

  private func scalar(
    _ text: String, like value: AvroValue, _ type: Schema
  ) throws(PageFailure) -> AvroValue {
    if case .logical("timestamp-micros", _) = type { return .long(try moment(text).microseconds) }
    switch (codec.definition(of: type), value) {
    case (_, .string): return .string(text)
    case (_, .boolean):
      if Self.same(text, "true") { return .boolean(true) }
      if Self.same(text, "false") { return .boolean(false) }
    case (_, .int): if let number = Int32(text) { return .int(number) }
    case (_, .long): if let number = Int64(text) { return .long(number) }
    case (_, .float): if let number = Double(text) { return .float(Float(number)) }
    case (_, .double): if let number = Double(text) { return .double(number) }
    case (.enumeration(_, _, let symbols, _), .enumeration):
      if let index = symbols.firstIndex(where: { Self.same($0, text) }) {
        return .enumeration(index: index, symbol: symbols[index])
      }
      throw PageFailure("the value is one of \(symbols.joined(separator: ", "))")
    default: break
    }
    throw PageFailure("“\(text)” is not a value of this type")
  }

  private func moment(_ text: String) throws(PageFailure) -> Moment {
    if let moment = Moment(timestamp: text) { return moment }
    throw PageFailure("“\(text)” is not a time such as 2026-03-04T15:00:00Z")
  }
}

extension SchemaCodec {
  /// Returns a value without parts as JSON.
  fileprivate func plainJSON(_ value: AvroValue) -> JSONValue {
    switch value {
    case .boolean(let value): .bool(value)
    case .int(let value): .integer(Int64(value))
    case .long(let value): .integer(value)
    case .float(let value): .double(Double(value))
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .enumeration(_, let symbol): .string(symbol)
    default: .null
    }
  }
}
