import RetraceAvro
import RetraceTesting

/// Random schemas, random values of them, and what a year of work may make of a schema.
struct SchemaEvolution {
  var random: SeededGenerator
  private var names = 0
  /// Whether changes are made that no rule bridges.
  let breaks: Bool

  init(_ random: SeededGenerator, breaks: Bool) {
    self.random = random
    self.breaks = breaks
  }

  private mutating func name(_ prefix: String) -> String {
    names += 1
    return "\(prefix)\(names)"
  }

  private static let primitives: [Schema] = [
    .null, .boolean, .int, .long, .float, .double, .bytes, .string,
  ]

  // Schemas

  /// A record of random fields.
  mutating func schema() -> Schema { record(3) }

  private mutating func record(_ depth: Int) -> Schema {
    let name = name("R")
    var fields: [Schema.Field] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      fields.append(.init(self.name("f"), type(depth - 1)))
    }
    // A record that holds itself.
    if random.chance(5) { fields.append(.init(self.name("f"), .union([.null, .reference(name)]))) }
    return .record(name: name, fields: fields)
  }

  private mutating func type(_ depth: Int) -> Schema {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &random) {
    case 0...4: return Self.primitives.randomElement(using: &random) ?? .null
    case 5:
      let symbols = (0..<Int.random(in: 1...4, using: &random)).map { _ in name("S") }
      return .enumeration(name: name("E"), symbols: symbols)
    case 6: return .fixed(name: name("F"), size: Int.random(in: 0...5, using: &random))
    case 7: return .array(type(depth - 1))
    case 8: return .map(type(depth - 1))
    case 9, 10: return record(depth)
    default:
      var branches: [Schema] = [.null]
      branches.append([Schema.int, .long, .string, .double].randomElement(using: &random) ?? .int)
      if random.chance(2) { branches.append(record(depth - 1)) }
      if random.chance(2) { branches.append(record(depth - 1)) }
      return .union(branches.shuffled(using: &random))
    }
  }

  // Evolution

  /// What becomes of a schema.
  mutating func evolved(_ schema: Schema) -> Schema {
    switch schema {
    case .record(let name, _, let fields): return record(name, fields)
    case .enumeration(let name, _, var symbols, _):
      if random.chance(3) { symbols.append(self.name("S")) }
      if random.chance(4) { symbols.shuffle(using: &random) }
      if symbols.count > 1 && random.chance(4) { symbols.removeLast() }
      let other = random.chance(2) ? symbols.first : nil
      return .enumeration(name: name, symbols: symbols, default: other)
    case .array(let items): return .array(evolved(items))
    case .map(let values): return .map(evolved(values))
    case .union(let branches):
      var evolved = branches.map { self.evolved($0) }
      if breaks && evolved.count > 1 && random.chance(8) { evolved.removeLast() }
      if random.chance(4) { evolved.shuffle(using: &random) }
      return .union(distinct(evolved))
    case .int where random.chance(3):
      return [Schema.long, .float, .double].randomElement(using: &random) ?? .long
    case .long where random.chance(4): return random.chance(2) ? .float : .double
    case .float where random.chance(3): return .double
    case .string where random.chance(6): return .bytes
    case .bytes where breaks && random.chance(6): return .string
    case .null, .boolean, .int, .long, .float, .double, .bytes, .string:
      if breaks && random.chance(25) { return .boolean }
      if schema != .null && random.chance(8) { return .union([.null, schema]) }
      return schema
    default: return schema
    }
  }

  /// Without branches of one kind twice, as numbers that became wider may be.
  private func distinct(_ branches: [Schema]) -> [Schema] {
    var seen: Set<String> = []
    return branches.filter { branch in
      switch branch {
      case .record(let name, _, _): seen.insert(name).inserted
      case .union: false
      default: seen.insert(branch.canonicalForm).inserted
      }
    }
  }

  private mutating func record(_ name: String, _ old: [Schema.Field]) -> Schema {
    var fields: [Schema.Field] = []
    for field in old {
      if random.chance(8) { continue }
      if case .union(let branches) = field.type, branches.contains(.reference(name)) {
        fields.append(field)
        continue
      }
      var evolved = Schema.Field(field.name, self.evolved(field.type))
      if random.chance(5) {
        evolved.name = self.name("f")
        if !breaks || random.chance(3) { evolved.aliases = [self.name("f"), field.name] }
      }
      fields.append(evolved)
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let (type, value) = addition()
      let hasDefault = !breaks || !random.chance(6)
      fields.append(.init(self.name("f"), type, default: hasDefault ? value : nil))
    }
    if random.chance(2) { fields.shuffle(using: &random) }
    return .record(name: name, fields: fields)
  }

  private mutating func addition() -> (Schema, JSONValue) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: (.int, .integer(-7))
    case 1: (.long, .integer(1 << 40))
    case 2: (.string, "ü")
    case 3: (.bytes, "\u{ff}\u{0}")
    case 4: (.array(.int), [1, 2])
    case 5: (.union([.null, .int]), nil)
    case 6: (.enumeration(name: name("E"), symbols: ["x", "y"]), "y")
    case 7: (.double, .double(0.5))
    case 8: (.map(.long), ["b": 1])
    default: (.boolean, true)
    }
  }

  // Values

  /// A random value of a schema.
  mutating func value(_ schema: Schema, in root: Schema, _ depth: Int = 0) -> AvroValue {
    switch schema {
    case .null: return .null
    case .boolean: return .boolean(.random(using: &random))
    case .int: return .int(.randomEdge(using: &random))
    // Exact as a double and then as a float, whichever way it goes.
    case .long: return .long(.randomEdge(using: &random) >> 11)
    case .float: return .float(Float(Int16.random(in: .min ... .max, using: &random)) / 8)
    case .double: return .double(Double(Int32.random(in: .min ... .max, using: &random)) / 16)
    case .bytes:
      let bytes = (0..<random.count(depth)).map { _ in
        UInt8.random(in: 0...(random.chance(4) ? 255 : 127), using: &random)
      }
      return .bytes(bytes)
    case .string: return .string(.random(using: &random, depth))
    case .fixed(_, _, let size):
      return .fixed((0..<size).map { _ in .random(in: 0...255, using: &random) })
    case .enumeration(_, _, let symbols, _):
      let position = Int.random(in: 0..<symbols.count, using: &random)
      return .enumeration(index: position, symbol: symbols[position])
    case .array(let items):
      return .array((0..<random.count(depth)).map { _ in value(items, in: root, depth + 1) })
    case .map(let type):
      let keys = (0..<random.count(depth)).map { "k\($0)" }
      return .map(keys.map { .init($0, value(type, in: root, depth + 1)) })
    case .union(let branches):
      var branch = Int.random(in: 0..<branches.count, using: &random)
      if depth > 5, let null = branches.firstIndex(of: .null) { branch = null }
      return .union(branch: branch, value(branches[branch], in: root, depth + 1))
    case .record(let name, _, let fields):
      return .record(
        name: name,
        fields: fields.map { .init($0.name, value($0.type, in: root, depth + 1)) })
    case .reference(let name): return value(definition(name, in: root), in: root, depth + 1)
    case .logical(_, let base), .ruled(_, let base): return value(base, in: root, depth)
    }
  }

  private func definition(_ name: String, in schema: Schema) -> Schema {
    switch schema {
    case .record(name, _, _): return schema
    case .record(_, _, let fields):
      for field in fields {
        let found = definition(name, in: field.type)
        if found != .null { return found }
      }
    case .array(let inner), .map(let inner): return definition(name, in: inner)
    case .union(let branches):
      for branch in branches {
        let found = definition(name, in: branch)
        if found != .null { return found }
      }
    default: break
    }
    return .null
  }
}
