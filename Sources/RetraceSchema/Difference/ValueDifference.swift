public import RetraceAvro

/// One part in which two values of one schema differ.
///
/// ```swift
/// let codec = try SchemaCodec(NotesAction.schema)
/// let (old, new) = (NotesAction.added(title: "a").encoded(), NotesAction.closed.encoded())
/// let differences: [ValueDifference] = codec.differences(
///   from: try codec.decode(old.span), to: try codec.decode(new.span))
/// print(differences.map(\.path))
/// ```
public struct ValueDifference: Hashable, Sendable {
  /// The path of the part: field names joined by dots, indices and keys in brackets, as in
  /// `scenes[0].draft.text`.
  public var path: String
  /// The value before, as JSON; `nil` if there was none.
  public var before: JSONValue?
  /// The value after, as JSON, if any.
  public var after: JSONValue?

  /// Creates a difference.
  public init(path: String, before: JSONValue?, after: JSONValue?) {
    self.path = path
    self.before = before
    self.after = after
  }
}

extension SchemaCodec {
  /// Returns the parts in which two values of the schema differ, in the order of the schema.
  ///
  /// Values are compared bit by bit: `-0.0` differs from `0.0`, and strings are compared by their
  /// bytes. Entries of maps, and rows `{key, value}` and `{id, value}`, are matched by their keys.
  /// Other arrays are compared item by item, after removing their common prefix and suffix.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - depth: The number of nested records whose fields are compared one by one. With 1, each
  ///     changed field of the outermost record is one difference.
  ///   - limit: The maximum number of differences.
  ///   - logical: Formats values of logical types; see ``json(_:logical:)``.
  /// - Returns: At most `limit` differences.
  /// - Complexity: O(size of both values).
  public func differences(
    from old: AvroValue, to new: AvroValue, depth: Int = .max, limit: Int = .max,
    logical: (String, AvroValue) -> JSONValue? = { _, _ in nil }
  ) -> [ValueDifference] {
    withoutActuallyEscaping(logical) { logical in
      var differ = ValueDiffer(codec: self, limit: limit, logical: LogicalTypeFormat(json: logical))
      differ.compare(old, new, as: schema, at: "", depth: depth)
      return differ.found
    }
  }
}

/// A simultaneous walk over two values.
private struct ValueDiffer {
  let codec: SchemaCodec
  let limit: Int
  let logical: LogicalTypeFormat
  private(set) var found: [ValueDifference] = []

  mutating func compare(
    _ old: AvroValue, _ new: AvroValue, as type: Schema, at path: String, depth: Int
  ) {
    guard found.count < limit else { return }
    switch (codec.definition(of: type), old, new) {
    case (.record(let name, _, let fields), .record(_, let before), .record(_, let after))
    where depth > 0:
      compareRecords(name, fields, before, after, as: type, at: path, depth: depth)
    case (.union(let branches), .union(let left, let before), .union(let right, let after))
    where left == right && branches.indices.contains(left):
      compare(before, after, as: branches[left], at: path, depth: depth)
    case (.array(let items), .array(let before), .array(let after)) where depth > 0:
      if let rows = keyedRows(items) {
        compareKeyed(entries(before), entries(after), as: rows, at: path, depth: depth)
      } else {
        compareLists(before, after, as: items, at: path, depth: depth)
      }
    case (.map(let values), .map(let before), .map(let after)) where depth > 0:
      compareKeyed(
        before.map { (.string($0.name), $0.value) }, after.map { (.string($0.name), $0.value) },
        as: Rows(key: .string, value: values), at: path, depth: depth)
    default:
      if !old.isIdentical(to: new) { note(path, old, new, as: type) }
    }
  }

  private mutating func compareRecords(
    _ name: String, _ fields: [Schema.Field], _ before: [AvroValue.Entry],
    _ after: [AvroValue.Entry], as type: Schema, at path: String, depth: Int
  ) {
    guard fields.count == before.count, fields.count == after.count else { return }
    if fields.count == 1, fields[0].type == .long,
      fields[0].name == "value" || logical.json?(name, before[0].value) != nil
    {
      if !before[0].value.isIdentical(to: after[0].value) {
        noteRecords(name, before, after, as: type, at: path)
      }
      return
    }
    if fields.count == 1, fields[0].name == "case", case .union(let branches) = fields[0].type {
      guard case .union(let left, let old) = before[0].value,
        case .union(let right, let new) = after[0].value
      else { return }
      if left == right, branches.indices.contains(left) {
        let label = branches[left].caseLabel(of: name)
        compare(old, new, as: branches[left], at: joined(path, label), depth: depth)
      } else {
        noteRecords(name, before, after, as: type, at: path)
      }
      return
    }
    for (index, field) in fields.enumerated() {
      compare(
        before[index].value, after[index].value, as: field.type, at: joined(path, field.name),
        depth: depth - 1)
    }
  }

  private mutating func noteRecords(
    _ name: String, _ before: [AvroValue.Entry], _ after: [AvroValue.Entry], as type: Schema,
    at path: String
  ) {
    note(path, .record(name: name, fields: before), .record(name: name, fields: after), as: type)
  }

  private struct Rows {
    var key: Schema
    var value: Schema
  }

  private func keyedRows(_ items: Schema) -> Rows? {
    guard case .record(_, _, let fields) = codec.definition(of: items), fields.count == 2,
      fields[0].name == "key" || fields[0].name == "id", fields[1].name == "value"
    else { return nil }
    return Rows(key: fields[0].type, value: fields[1].type)
  }

  private func entries(_ rows: [AvroValue]) -> [(key: AvroValue, value: AvroValue)] {
    rows.compactMap { row in
      guard case .record(_, let fields) = row, fields.count == 2 else { return nil }
      return (fields[0].value, fields[1].value)
    }
  }

  private mutating func compareKeyed(
    _ before: [(key: AvroValue, value: AvroValue)], _ after: [(key: AvroValue, value: AvroValue)],
    as rows: Rows, at path: String, depth: Int
  ) {
    let olds = before.map { (keyedPath: keyedPath($0.key, rows, path), value: $0.value) }
    // By the bytes of the path, because Swift compares strings by canonical equivalence.
    var remaining: [[UInt8]: AvroValue] = [:]
    for (keyedPath, value) in olds { remaining[Array(keyedPath.utf8)] = value }
    for (key, value) in after where found.count < limit {
      let keyedPath = keyedPath(key, rows, path)
      if let old = remaining.removeValue(forKey: Array(keyedPath.utf8)) {
        compare(old, value, as: rows.value, at: keyedPath, depth: depth)
      } else {
        note(keyedPath, nil, value, as: rows.value)
      }
    }
    for (keyedPath, value) in olds where remaining[Array(keyedPath.utf8)] != nil {
      note(keyedPath, value, nil, as: rows.value)
    }
  }

  private func keyedPath(_ key: AvroValue, _ rows: Rows, _ path: String) -> String {
    "\(path)[\(json(key, rows.key).text())]"
  }

  private mutating func compareLists(
    _ before: [AvroValue], _ after: [AvroValue], as items: Schema, at path: String, depth: Int
  ) {
    let shorter = min(before.count, after.count)
    var start = 0
    while start < shorter, before[start].isIdentical(to: after[start]) { start += 1 }
    var suffix = 0
    while suffix < shorter - start,
      before[before.count - 1 - suffix].isIdentical(to: after[after.count - 1 - suffix])
    { suffix += 1 }
    let pairedEnd = shorter - suffix
    for index in start..<max(start, pairedEnd) {
      compare(before[index], after[index], as: items, at: "\(path)[\(index)]", depth: depth)
    }
    for index in max(start, pairedEnd)..<max(start, pairedEnd, before.count - suffix) {
      note("\(path)[\(index)]", before[index], nil, as: items)
    }
    for index in max(start, pairedEnd)..<max(start, pairedEnd, after.count - suffix) {
      note("\(path)[\(index)]", nil, after[index], as: items)
    }
  }

  private mutating func note(
    _ path: String, _ old: AvroValue?, _ new: AvroValue?, as type: Schema
  ) {
    guard found.count < limit else { return }
    found.append(
      ValueDifference(
        path: path, before: old.map { json($0, type) }, after: new.map { json($0, type) }))
  }

  private func json(_ value: AvroValue, _ type: Schema) -> JSONValue {
    codec.json(value, as: type, logical)
  }

  private func joined(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}

extension AvroValue {
  /// Returns whether two values have the same bits: numbers by bit pattern, strings by bytes.
  func isIdentical(to other: AvroValue) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let left), .map(let right)), (.record(_, let left), .record(_, let right)):
      left.count == right.count
        && zip(left, right).allSatisfy {
          $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.isIdentical(to: $1.value)
        }
    case (.union(let left, let before), .union(let right, let after)):
      left == right && before.isIdentical(to: after)
    default: self == other
    }
  }
}
