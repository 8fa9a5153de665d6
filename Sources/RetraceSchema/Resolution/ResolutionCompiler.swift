import RetraceAvro

/// A compiler of the steps that resolve values of one schema to another.
struct ResolutionCompiler {
  let writer: SchemaCodec
  let reader: SchemaCodec
  private(set) var nodes: [ResolutionNode] = []
  private(set) var unresolvedDifferences: [SchemaDifference] = []
  private(set) var changes: [SchemaDifference] = []
  /// The places where less is read than was recorded.
  private(set) var losses: [SchemaDifference] = []
  /// Whether a type is read without the rule that it was recorded with.
  private(set) var dropsRules = false
  private(set) var cases: [CaseName] = []
  /// The schema of each case's payloads; `nil` for a symbol.
  private(set) var payloads: [Schema?] = []
  private var known: [Pair: Int] = [:]
  /// The current names of recorded types that the reader knows by an alias.
  private let renames: [String: String]
  let defaults: DefaultEncoder
  private var depth = 0

  private struct Pair: Hashable {
    var writer: String
    /// The name of the type that it is read as, or `nil` if it is skipped.
    var reader: String?
  }

  struct Place {
    var type: String
    var member: String?
  }

  init(writer: SchemaCodec, reader: SchemaCodec) {
    self.writer = writer
    self.reader = reader
    defaults = DefaultEncoder(reader)
    var renames: [String: String] = [:]
    // If the recorded schema has the current name, the type was not renamed there.
    for (name, definition) in reader.definitions.sorted(by: { $0.key < $1.key })
    where writer.definitions[name] == nil {
      for alias in definition.typeAliases
      where writer.definitions[alias] != nil && renames[alias] == nil {
        renames[alias] = name
      }
    }
    self.renames = renames
  }

  mutating func root() throws(AvroError) -> Int {
    try node(writer.schema, reader.schema, at: Place(type: writer.schema.branchName))
  }

  // Nodes

  mutating func add(_ node: ResolutionNode) throws(AvroError) -> Int {
    guard nodes.count < AvroLimits.resolutionSteps else {
      throw AvroError(
        .tooLarge, at: 0,
        "the schemas need more than \(AvroLimits.resolutionSteps) resolution steps")
    }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Increases the depth of nested types, which a recorded schema can make arbitrarily high.
  private mutating func enter() throws(AvroError) {
    guard depth < AvroLimits.resolutionDepth else {
      throw AvroError(.tooLarge, at: 0, "the types are nested too deeply")
    }
    depth += 1
  }

  mutating func addUnresolved(
    at place: Place, _ detail: String
  ) throws(AvroError) -> Int {
    try add(.unresolved(noteUnresolved(place, detail)))
  }

  mutating func noteUnresolved(_ place: Place, _ detail: String) -> Int {
    unresolvedDifferences.append(
      SchemaDifference(type: place.type, member: place.member, detail: detail))
    return unresolvedDifferences.count - 1
  }

  mutating func note(_ place: Place, _ detail: String) {
    changes.append(SchemaDifference(type: place.type, member: place.member, detail: detail))
  }

  /// Records that a rule is no longer required, which loses nothing.
  mutating func noteDroppedRule(_ place: Place, _ detail: String) {
    note(place, "\(detail) is read")
    dropsRules = true
  }

  /// Records that less is read than was recorded.
  mutating func noteLoss(_ place: Place, _ detail: String) {
    losses.append(SchemaDifference(type: place.type, member: place.member, detail: detail))
  }

  /// Adds a case and returns its index.
  mutating func addCase(_ name: CaseName, _ payload: Schema?) -> Int {
    cases.append(name)
    payloads.append(payload)
    return cases.count - 1
  }

  private mutating func node(
    _ recorded: Schema, _ wanted: Schema, at place: Place
  ) throws(AvroError) -> Int {
    try enter()
    defer { depth -= 1 }
    let from = writer.definition(of: recorded)
    let to = reader.definition(of: wanted)
    if case .union(let branches) = from { return try union(branches, wanted, at: place) }
    if case .union(let branches) = to {
      for (position, branch) in branches.enumerated() where matches(from, branch) {
        return try add(.wrap(branch: position, try node(recorded, branch, at: place)))
      }
      return try addUnresolved(
        at: place, "\(from.inWords) was recorded, no branch of the union reads it")
    }
    guard matches(from, to) else {
      return try addUnresolved(at: place, "\(from.inWords) was recorded, \(to.inWords) is read")
    }
    let logical = (recorded.logicalName(in: writer), wanted.logicalName(in: reader))
    if let left = logical.0, let right = logical.1, left != right {
      return try addUnresolved(at: place, "\(left) was recorded, \(right) is read")
    }
    return try checkingRule(
      try plainNode(from, to, wanted: wanted, at: place), recorded, wanted, place)
  }

  /// Compiles the resolution of one type to another that matches it, ignoring their rules.
  private mutating func plainNode(
    _ from: Schema, _ to: Schema, wanted type: Schema, at place: Place
  ) throws(AvroError) -> Int {
    switch (from, to) {
    case (.array(let items), .array(let wanted)):
      let node = try node(items, wanted, at: place)
      if type.rule == SchemaRule.set && !isInjective(node) {
        note(place, "members that become equal count once")
      }
      return try add(.array(node))
    case (.map(let values), .map(let wanted)):
      return try add(.map(try node(values, wanted, at: place)))
    case (.record, .record): return try record(from, to)
    case (.enumeration, .record): return try gainingPayloads(from, becoming: to)
    case (.record, .enumeration): return try losingPayloads(to, from: from)
    case (
      .enumeration(let name, _, let symbols, _),
      .enumeration(let wanted, _, let known, let other)
    ):
      noteRename(name, to: wanted)
      return try enumeration(name, symbols, known, default: other)
    case (.fixed(let name, _, let size), .fixed(let wanted, _, _)):
      noteRename(name, to: wanted)
      return try add(.fixed(size))
    default:
      let detail = "\(from.inWords) was recorded, \(to.inWords) is read"
      let node = try add(.primitive(from, to))
      if case (.bytes, .string) = (from, to) {
        return try add(
          .needsChecking(
            node,
            difference: noteUnresolved(
              place, detail + ": bytes that are not UTF-8 cannot be read"), .text))
      }
      if from != to { note(place, detail) }
      return node
    }
  }

  mutating func noteRename(_ name: String, to wanted: String) {
    if name != wanted { note(Place(type: name), "is `\(wanted)` now") }
  }

  private mutating func union(
    _ branches: [Schema], _ wanted: Schema, at place: Place
  ) throws(AvroError) -> Int {
    let prefix = place.member == "case" ? "\(place.type)_" : nil
    let isEnum = prefix.map { prefix in branches.allSatisfy { $0.branchName.hasPrefix(prefix) } }
    var compiled: [ResolutionNode.Branch] = []
    for branch in branches {
      guard isEnum == true, let prefix else {
        compiled.append(.init(node: try node(branch, wanted, at: place)))
        continue
      }
      let name = CaseName(place.type, String(branch.branchName.dropFirst(prefix.count)))
      let index = addCase(name, branch)
      let isKnown: Bool =
        if case .union(let wanted) = reader.definition(of: wanted) {
          wanted.contains { matches(writer.definition(of: branch), $0) }
        } else { false }
      let node =
        isKnown
        ? try node(branch, wanted, at: place)
        : try addUnresolved(
          at: Place(type: place.type, member: name.name), "this version has no such case")
      compiled.append(.init(node: node, caseIndex: index))
    }
    return try add(.union(compiled))
  }

  private mutating func enumeration(
    _ name: String, _ symbols: [String], _ known: [String], default other: String?
  ) throws(AvroError) -> Int {
    var compiled: [ResolutionNode.Symbol] = []
    for symbol in symbols {
      let place = Place(type: name, member: symbol)
      if let position = known.firstIndex(of: symbol) {
        compiled.append(.position(position))
      } else if let other, let position = known.firstIndex(of: other) {
        note(place, "is read as the default `\(other)`")
        compiled.append(.position(position))
      } else {
        let index = addCase(CaseName(name, symbol), nil)
        compiled.append(
          .unresolved(noteUnresolved(place, "this version has no such case"), case: index))
      }
    }
    return try add(.enumeration(compiled))
  }

  // Records

  private mutating func record(_ from: Schema, _ to: Schema) throws(AvroError) -> Int {
    guard case .record(let name, _, let recorded) = from,
      case .record(let wantedName, _, let wanted) = to
    else { return try add(.pending) }
    let pair = Pair(writer: name, reader: wantedName)
    if let known = known[pair] { return known }
    let index = try add(.pending)
    known[pair] = index
    noteRename(name, to: wantedName)

    let sources = sources(of: wanted, among: recorded, in: name)
    var targets: [ResolutionNode.Target] = []
    for (field, source) in zip(wanted, sources) {
      if let source {
        let place = Place(type: name, member: recorded[source].name)
        let node = try node(recorded[source].type, field.type, at: place)
        targets.append(.field(source, node: node))
      } else if let bytes = defaults.bytes(of: field) {
        note(Place(type: name, member: field.name), "was not recorded and gets its default")
        targets.append(.bytes(bytes))
      } else {
        let place = Place(type: name, member: field.name)
        nodes[index] = .unresolved(noteUnresolved(place, "was not recorded and has no default"))
        return index
      }
    }
    var skips: [Int] = []
    for (position, field) in recorded.enumerated() {
      if !sources.contains(position) {
        note(Place(type: name, member: field.name), "was recorded and is no longer read")
      }
      skips.append(try skip(field.type))
    }
    nodes[index] = .record(
      .init(
        stepsInOrder: stepsInOrder(targets, skips), skips: skips, targets: targets,
        hasSiblings: recorded.count { !writer.isID($0.type) } > 1))
    return index
  }

  /// Returns the recorded field for each wanted field, found by its name or else by its aliases.
  ///
  /// If the recorded type has a field of the new name, the field was recorded under that name, so
  /// its aliases are ignored. If an alias is used, a wanted field that has the old name is a
  /// different field and does not get the recorded value.
  private mutating func sources(
    of wanted: [Schema.Field], among recorded: [Schema.Field], in name: String
  ) -> [Int?] {
    var positions: [String: Int] = [:]
    for (position, field) in recorded.enumerated() { positions[field.name] = position }
    var taken: Set<Int> = []
    var sources: [Int?] = Array(repeating: nil, count: wanted.count)
    for (index, field) in wanted.enumerated() where positions[field.name] == nil {
      for alias in field.aliases {
        guard let position = positions[alias], taken.insert(position).inserted else { continue }
        sources[index] = position
        note(Place(type: name, member: alias), "is `\(field.name)` now")
        break
      }
    }
    for (index, field) in wanted.enumerated() where sources[index] == nil {
      if let position = positions[field.name], taken.insert(position).inserted {
        sources[index] = position
      }
    }
    return sources
  }

  /// Returns the steps of a record whose wanted fields are in the recorded order, else `nil`.
  private func stepsInOrder(
    _ targets: [ResolutionNode.Target], _ skips: [Int]
  ) -> [ResolutionNode.FieldStep]? {
    var steps: [ResolutionNode.FieldStep] = []
    var next = 0
    for target in targets {
      switch target {
      case .bytes(let bytes): steps.append(.bytes(bytes))
      case .field(let position, let node):
        guard position >= next else { return nil }
        for passed in next..<position { steps.append(.skip(skips[passed])) }
        steps.append(.resolve(node))
        next = position + 1
      }
    }
    for passed in skips[next...] { steps.append(.skip(passed)) }
    return steps
  }

  /// Compiles the step that skips a recorded value by reading it as its recorded type.
  mutating func skip(_ recorded: Schema) throws(AvroError) -> Int {
    try enter()
    defer { depth -= 1 }
    let type = writer.definition(of: recorded)
    switch type {
    case .array(let items): return try add(.array(try skip(items)))
    case .map(let values): return try add(.map(try skip(values)))
    case .fixed(_, _, let size): return try add(.fixed(size))
    case .enumeration(_, _, let symbols, _):
      return try add(.enumeration(symbols.indices.map { .position($0) }))
    case .union(let branches):
      var compiled: [ResolutionNode.Branch] = []
      for (position, branch) in branches.enumerated() {
        compiled.append(.init(node: try add(.wrap(branch: position, try skip(branch)))))
      }
      return try add(.union(compiled))
    case .record(let name, _, let fields):
      let pair = Pair(writer: name, reader: nil)
      if let known = known[pair] { return known }
      let index = try add(.pending)
      known[pair] = index
      var steps: [ResolutionNode.FieldStep] = []
      for field in fields { steps.append(.resolve(try skip(field.type))) }
      nodes[index] = .record(.init(stepsInOrder: steps, skips: [], targets: []))
      return index
    default: return try add(.primitive(type, type))
    }
  }

  // Matching

  /// Returns whether a recorded type may be read as another at all, ignoring the fields of records.
  private func matches(_ from: Schema, _ wanted: Schema) -> Bool {
    let to = reader.definition(of: wanted)
    switch (from, to) {
    case (.array(let items), .array(let wanted)):
      return itemsMatch(writer.definition(of: items), wanted)
    case (.map(let values), .map(let wanted)):
      return itemsMatch(writer.definition(of: values), wanted)
    case (.record(let name, _, _), .record(let wanted, _, _)),
      (.enumeration(let name, _, _, _), .enumeration(let wanted, _, _, _)):
      return isKnown(name, as: wanted)
    case (.enumeration(let name, _, _, _), .record(let wanted, _, _)):
      return reader.cases(of: to) != nil && isKnown(name, as: wanted)
    case (.record(let name, _, _), .enumeration(let wanted, _, _, _)):
      return writer.cases(of: from) != nil && isKnown(name, as: wanted)
    case (.fixed(let name, _, let size), .fixed(let wanted, _, let wantedSize)):
      return size == wantedSize && isKnown(name, as: wanted)
    case (.record, _), (.enumeration, _), (.fixed, _), (.array, _), (.map, _), (.union, _):
      return false
    default:
      if case .pending = ResolutionNode.primitive(from, to) { return false }
      return true
    }
  }

  /// Returns whether the items of an array or the values of a map match.
  private func itemsMatch(_ from: Schema, _ wanted: Schema) -> Bool {
    let to = reader.definition(of: wanted)
    if case .union = from { return true }
    if case .union(let branches) = to { return branches.contains { matches(from, $0) } }
    return matches(from, to)
  }

  private func isKnown(_ name: String, as wanted: String) -> Bool {
    if let renamed = renames[name] { return renamed == wanted }
    return Schema.unqualified(name) == Schema.unqualified(wanted)
  }
}

extension ResolutionNode {
  /// Returns the step that reads one primitive type as another; ``pending`` if Avro has none.
  static func primitive(_ from: Schema, _ to: Schema) -> ResolutionNode {
    switch (from, to) {
    case (.null, .null): .null
    case (.boolean, .boolean): .boolean
    case (.int, .int), (.int, .long): .int
    case (.long, .long): .long
    case (.float, .float): .float
    case (.double, .double): .double
    case (.string, .string): .string
    case (.bytes, .bytes): .bytes
    case (.string, .bytes), (.bytes, .string): .text
    case (.int, .float): .intToFloat
    case (.int, .double): .intToDouble
    case (.long, .float): .longToFloat
    case (.long, .double): .longToDouble
    case (.float, .double): .floatToDouble
    default: .pending
    }
  }
}

extension Schema {
  var typeAliases: [String] {
    switch self {
    case .record(_, let aliases, _), .enumeration(_, let aliases, _, _),
      .fixed(_, let aliases, _):
      aliases
    case .logical(_, let base), .ruled(_, let base): base.typeAliases
    default: []
    }
  }

  /// Returns the part of a full name after its last dot.
  static func unqualified(_ name: String) -> Substring {
    name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] } ?? name[...]
  }

  /// The type for a person: its name, or its kind if it has no name.
  var inWords: String {
    switch self {
    case .record(let name, _, _), .enumeration(let name, _, _, _): "`\(name)`"
    case .fixed(let name, _, let size): "`\(name)` of \(size) bytes"
    case .union: "a union"
    case .array(let items): "array of \(items.branchName)"
    case .map(let values): "map of \(values.branchName)"
    default: branchName
    }
  }

  /// Returns the name of the logical type, if any.
  ///
  /// The names of nested logical types are joined by `on`, outermost first.
  func logicalName(in codec: SchemaCodec) -> String? {
    switch self {
    case .logical(let name, let base):
      base.logicalName(in: codec).map { "\(name) on \($0)" } ?? name
    case .ruled(_, let base): base.logicalName(in: codec)
    case .reference(let name): codec.definitions[name]?.logicalName(in: codec)
    default: nil
    }
  }
}
