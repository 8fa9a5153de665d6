import RetraceAvro

// The rules of types.
extension ResolutionCompiler {
  /// Returns the step for a value whose type may have another rule than the recorded type.
  ///
  /// - Parameter node: The step that ignores rules.
  mutating func checkingRule(
    _ node: Int, _ recorded: Schema, _ wanted: Schema, _ place: Place
  ) throws(AvroError) -> Int {
    let (old, new) = (recorded.rule, wanted.rule)
    guard let new else {
      if let old {
        noteDroppedRule(
          place, "`\(old)` was recorded, a plain \(writer.definition(of: recorded).inWords)")
      }
      return node
    }
    // A dictionary that was recorded before rules existed is identified by the name of its entries.
    if old == nil && new == SchemaRule.dictionary { return try checkingKeys(node, place) }
    if old == new { return new == SchemaRule.dictionary ? try checkingKeys(node, place) : node }
    let words = old.map { "`\($0)`" } ?? writer.definition(of: recorded).inWords
    if new == SchemaRule.set {
      let detail = "\(words) was recorded, a set is read: order and repetition are lost"
      noteLoss(place, detail)
      return try add(.needsChecking(node, difference: noteUnresolved(place, detail), .set))
    }
    let detail = "\(words) was recorded, `\(new)` is read: some values may be invalid"
    return try add(
      .needsChecking(
        node, difference: noteUnresolved(place, detail), new == SchemaRule.byte ? .byte : .other))
  }

  /// Returns the step for a dictionary; the step needs checking if keys may become equal.
  private mutating func checkingKeys(_ node: Int, _ place: Place) throws(AvroError) -> Int {
    guard case .array(let entry) = nodes[node], case .record(let record) = nodes[entry],
      case .field(_, let key)? = record.targets.first, !isInjective(key)
    else { return node }
    let detail = "two keys of a dictionary may become equal"
    return try add(.needsChecking(node, difference: noteUnresolved(place, detail), .other))
  }

  /// Returns whether different values stay different in a step.
  func isInjective(_ node: Int) -> Bool {
    var visited: Set<Int> = []
    return isInjective(node, &visited)
  }

  private func isInjective(_ node: Int, _ visited: inout Set<Int>) -> Bool {
    // A recursive reference makes no values equal; the other parts of the type decide.
    guard visited.insert(node).inserted else { return true }
    switch nodes[node] {
    case .null, .boolean, .int, .long, .float, .double, .string, .bytes, .text, .fixed,
      .intToDouble, .floatToDouble, .unresolved:
      return true
    case .intToFloat, .longToFloat, .longToDouble, .pending: return false
    case .array(let inner), .map(let inner), .wrap(_, let inner):
      return isInjective(inner, &visited)
    case .needsChecking(_, _, .set): return false
    case .needsChecking(let inner, _, _): return isInjective(inner, &visited)
    case .enumeration(let symbols):
      var seen: Set<Int> = []
      for symbol in symbols {
        switch symbol {
        case .position(let position), .branch(let position, _):
          if !seen.insert(position).inserted { return false }
        case .unresolved: break
        }
      }
      return true
    case .record(let record):
      var read = 0
      for case .field(_, let inner) in record.targets {
        guard isInjective(inner, &visited) else { return false }
        read += 1
      }
      return read == record.skips.count
    case .union(let branches):
      var seen: Set<Int> = []
      for branch in branches {
        switch nodes[branch.node] {
        case .unresolved: break
        case .wrap(let position, let inner):
          guard seen.insert(position).inserted, isInjective(inner, &visited) else { return false }
        default: return branches.count == 1 && isInjective(branch.node, &visited)
        }
      }
      return true
    }
  }
}

// An enum that gains its first payload, or loses its last one.
extension ResolutionCompiler {
  /// Returns the step for an enum that had no payloads and now has some.
  mutating func gainingPayloads(
    _ from: Schema, becoming to: Schema
  ) throws(AvroError) -> Int {
    guard case .enumeration(let name, _, let symbols, _) = from,
      case .record(let wanted, _, _) = to, let branches = reader.cases(of: to)
    else { return try add(.pending) }
    note(Place(type: name), "has cases with payloads now")
    noteRename(name, to: wanted)
    var compiled: [ResolutionNode.Symbol] = []
    for symbol in symbols {
      let place = Place(type: name, member: symbol)
      let detail: String
      if let (position, fields) = find(symbol, of: from, or: wanted, in: branches) {
        if let bytes = payload(fields, at: place) {
          compiled.append(.branch(position, bytes))
          continue
        }
        detail = "has payloads now, which were not recorded and have no default"
      } else {
        detail = "this version has no such case"
      }
      let index = addCase(CaseName(name, symbol), nil)
      compiled.append(.unresolved(noteUnresolved(place, detail), case: index))
    }
    return try add(.enumeration(compiled))
  }

  /// Returns the branch that a symbol has become, with its payloads.
  ///
  /// An alias applies only if the recorded enum does not have the new name. If an alias applies,
  /// the branch that has the symbol's name is a different case.
  private func find(
    _ symbol: String, of recorded: Schema, or wanted: String, in branches: [Schema]
  ) -> (position: Int, fields: [Schema.Field])? {
    guard case .enumeration(let name, _, let symbols, _) = recorded else { return nil }
    var namesake: (position: Int, fields: [Schema.Field])?
    for (position, branch) in branches.enumerated() {
      guard case .record(let label, let aliases, let fields) = reader.definition(of: branch) else {
        continue
      }
      if label == "\(wanted)_\(symbol)" {
        namesake = (position, fields)
      } else if aliases.contains("\(name)_\(symbol)"),
        !symbols.contains(where: { label == "\(wanted)_\($0)" })
      {
        return (position, fields)
      }
    }
    return namesake
  }

  /// Returns the encoding of payloads that all have defaults, else `nil`.
  private mutating func payload(_ fields: [Schema.Field], at place: Place) -> [UInt8]? {
    var bytes: [UInt8] = []
    for field in fields {
      guard let value = defaults.bytes(of: field) else { return nil }
      bytes += value
    }
    for field in fields {
      note(place, "`\(field.name)` was not recorded and gets its default")
    }
    return bytes
  }

  /// Returns the step for an enum that had payloads and now has none.
  mutating func losingPayloads(_ to: Schema, from: Schema) throws(AvroError) -> Int {
    guard case .enumeration(let wanted, _, let known, let other) = to,
      case .record(let name, _, let fields) = from, let branches = writer.cases(of: from)
    else { return try add(.pending) }
    note(Place(type: name), "has no cases with payloads now")
    noteRename(name, to: wanted)
    var compiled: [ResolutionNode.Branch] = []
    for branch in branches {
      let label = branch.caseLabel(of: name)
      let place = Place(type: name, member: label)
      let index = addCase(CaseName(name, label), branch)
      guard let position = known.firstIndex(of: label) ?? other.flatMap(known.firstIndex(of:))
      else {
        compiled.append(
          .init(
            node: try addUnresolved(at: place, "this version has no such case"), caseIndex: index))
        continue
      }
      if known[position] != label { note(place, "is read as the default `\(known[position])`") }
      var inner = try skip(branch)
      if case .record(_, _, let payloads) = writer.definition(of: branch), !payloads.isEmpty {
        note(place, "its payloads were recorded and are no longer read")
        inner = try add(
          .record(.init(stepsInOrder: [.skip(inner)], skips: [inner], targets: [], isLevel: false)))
      }
      compiled.append(
        .init(node: try add(.wrap(branch: position, inner)), caseIndex: index))
    }
    let union = try add(.union(compiled))
    return try add(
      .record(
        .init(
          stepsInOrder: [.resolve(union)], skips: [try skip(fields[0].type)],
          targets: [.field(0, node: union)])))
  }
}

extension Schema {
  var rule: String? {
    switch self {
    case .ruled(let rule, _): rule
    case .logical(_, let base): base.rule
    default: nil
    }
  }
}

extension SchemaCodec {
  /// Returns the cases of an enum with payloads, or `nil` for another type.
  func cases(of schema: Schema) -> [Schema]? {
    guard case .record(_, _, let fields) = definition(of: schema), fields.count == 1,
      fields[0].name == "case", case .union(let branches) = fields[0].type
    else { return nil }
    return branches
  }

  /// Returns whether a type is an id: a record whose only field, `value`, is a long.
  func isID(_ schema: Schema) -> Bool {
    guard case .record(_, _, let fields) = definition(of: schema), fields.count == 1 else {
      return false
    }
    return fields[0].name == "value" && fields[0].type == .long
  }
}
