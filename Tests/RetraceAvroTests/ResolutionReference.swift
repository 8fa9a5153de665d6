import RetraceAvro

/// Avro's schema resolution over values, written as the specification tells it: what the compiled
/// resolver is compared with.
struct ResolutionReference {
  private let writers: [String: Schema]
  private let readers: [String: Schema]
  private let writer: Schema
  private let reader: Schema

  /// There is no rule for a value.
  struct Unresolved: Error {}

  init(writer: Schema, reader: Schema) {
    self.writer = writer
    self.reader = reader
    writers = Self.definitions(writer)
    readers = Self.definitions(reader)
  }

  func resolve(_ value: AvroValue) throws -> AvroValue { try resolve(value, writer, reader) }

  private static func definitions(_ schema: Schema) -> [String: Schema] {
    var found: [String: Schema] = [:]
    func visit(_ schema: Schema) {
      switch schema {
      case .array(let inner), .map(let inner), .logical(_, let inner), .ruled(_, let inner):
        visit(inner)
      case .union(let branches): branches.forEach(visit)
      case .record(let name, _, let fields):
        found[name] = schema
        fields.forEach { visit($0.type) }
      case .enumeration(let name, _, _, _), .fixed(let name, _, _): found[name] = schema
      default: break
      }
    }
    visit(schema)
    return found
  }

  private func plain(_ schema: Schema, _ names: [String: Schema]) -> Schema {
    switch schema {
    case .reference(let name): names[name] ?? schema
    case .logical(_, let base), .ruled(_, let base): plain(base, names)
    default: schema
    }
  }

  private func resolve(
    _ value: AvroValue, _ recorded: Schema, _ wanted: Schema
  ) throws -> AvroValue {
    let from = plain(recorded, writers)
    let to = plain(wanted, readers)
    if case .union(let branches) = from, case .union(let branch, let inner) = value {
      return try resolve(inner, branches[branch], wanted)
    }
    if case .union(let branches) = to {
      guard let branch = branches.firstIndex(where: { matches(from, plain($0, readers)) }) else {
        throw Unresolved()
      }
      return .union(branch: branch, try resolve(value, from, branches[branch]))
    }
    switch (from, to, value) {
    case (.array(let items), .array(let wanted), .array(let values)):
      guard holds(items, wanted) else { throw Unresolved() }
      return .array(try values.map { try resolve($0, items, wanted) })
    case (.map(let type), .map(let wanted), .map(let entries)):
      guard holds(type, wanted) else { throw Unresolved() }
      return .map(
        try entries.map { .init($0.name, try resolve($0.value, type, wanted)) })
    case (
      .record(let name, _, let fields), .record(let new, _, let targets), .record(_, let values)
    ):
      guard isSame(name, new) else { throw Unresolved() }
      return .record(name: new, fields: try record(fields, targets, values))
    case (
      .enumeration(let name, _, _, _), .enumeration(let new, _, let symbols, let other),
      .enumeration(_, let symbol)
    ):
      guard isSame(name, new) else { throw Unresolved() }
      let known = symbols.contains(symbol) ? symbol : other
      guard let known, let position = symbols.firstIndex(of: known) else { throw Unresolved() }
      return .enumeration(index: position, symbol: known)
    case (.fixed, .fixed, .fixed):
      guard matches(from, to) else { throw Unresolved() }
      return value
    default:
      return try promoted(value, to)
    }
  }

  private func record(
    _ fields: [Schema.Field], _ targets: [Schema.Field], _ values: [AvroValue.Entry]
  ) throws -> [AvroValue.Entry] {
    // The aliases of the wanted fields rename the recorded ones.
    var names = fields.map(\.name)
    for target in targets where !fields.contains(where: { $0.name == target.name }) {
      if let alias = target.aliases.first(where: { names.contains($0) }),
        let position = names.firstIndex(of: alias)
      {
        names[position] = target.name
      }
    }
    return try targets.map { target in
      if let position = names.firstIndex(of: target.name) {
        return .init(
          target.name, try resolve(values[position].value, fields[position].type, target.type))
      }
      guard let json = target.defaultValue else { throw Unresolved() }
      return .init(target.name, try value(of: json, target.type))
    }
  }

  private func promoted(_ value: AvroValue, _ to: Schema) throws -> AvroValue {
    switch (value, to) {
    case (.null, .null), (.boolean, .boolean), (.int, .int), (.long, .long), (.float, .float),
      (.double, .double), (.string, .string), (.bytes, .bytes):
      return value
    case (.int(let number), .long): return .long(Int64(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.int(let number), .double): return .double(Double(number))
    case (.long(let number), .float): return .float(Float(number))
    case (.long(let number), .double): return .double(Double(number))
    case (.float(let number), .double): return .double(Double(number))
    case (.string(let text), .bytes): return .bytes([UInt8](text.utf8))
    case (.bytes(let bytes), .string):
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Unresolved() }
      return .string(text)
    default: throw Unresolved()
    }
  }

  private func matches(_ from: Schema, _ to: Schema) -> Bool {
    switch (from, to) {
    case (.array(let items), .array(let wanted)), (.map(let items), .map(let wanted)):
      return holds(items, wanted)
    case (.record(let name, _, _), .record(let new, _, _)),
      (.enumeration(let name, _, _, _), .enumeration(let new, _, _, _)):
      return isSame(name, new)
    case (.fixed(let name, _, let size), .fixed(let new, _, let wanted)):
      return size == wanted && isSame(name, new)
    case (.null, .null), (.boolean, .boolean), (.int, .int), (.int, .long), (.int, .float),
      (.int, .double), (.long, .long), (.long, .float), (.long, .double), (.float, .float),
      (.float, .double), (.double, .double), (.string, .string), (.string, .bytes),
      (.bytes, .bytes), (.bytes, .string):
      return true
    default: return false
    }
  }

  private func holds(_ items: Schema, _ wanted: Schema) -> Bool {
    let from = plain(items, writers)
    if case .union = from { return true }
    let to = plain(wanted, readers)
    if case .union(let branches) = to {
      return branches.contains { matches(from, plain($0, readers)) }
    }
    return matches(from, to)
  }

  /// Whether a recorded name is the name of a wanted type, or the first that its aliases find.
  private func isSame(_ recorded: String, _ wanted: String) -> Bool {
    for (name, schema) in readers.sorted(by: { $0.key < $1.key }) where writers[name] == nil {
      if aliases(schema).contains(recorded) { return name == wanted }
    }
    return recorded == wanted
  }

  private func aliases(_ schema: Schema) -> [String] {
    switch schema {
    case .record(_, let aliases, _), .enumeration(_, let aliases, _, _), .fixed(_, let aliases, _):
      aliases
    default: []
    }
  }

  /// The value of a default.
  private func value(of json: JSONValue, _ type: Schema) throws -> AvroValue {
    switch (plain(type, readers), json) {
    case (.null, .null): return .null
    case (.boolean, .bool(let value)): return .boolean(value)
    case (.int, .integer(let value)): return .int(Int32(truncatingIfNeeded: value))
    case (.long, .integer(let value)): return .long(value)
    case (.float, .double(let value)): return .float(Float(value))
    case (.double, .double(let value)): return .double(value)
    case (.string, .string(let text)): return .string(text)
    case (.bytes, .string(let text)): return .bytes(text.unicodeScalars.map { UInt8($0.value) })
    case (.array(let type), .array(let items)):
      return .array(try items.map { try value(of: $0, type) })
    case (.map(let type), .object(let members)):
      return .map(try members.map { .init($0.name, try value(of: $0.value, type)) })
    case (.enumeration(_, _, let symbols, _), .string(let symbol)):
      return .enumeration(index: symbols.firstIndex(of: symbol) ?? 0, symbol: symbol)
    case (.union(let branches), _):
      return .union(branch: 0, try value(of: json, branches[0]))
    default: throw Unresolved()
    }
  }
}
