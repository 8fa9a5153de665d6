/// The steps of a compiled resolution as integers, so that running them needs no reference
/// counting.
final class ResolutionProgram: Sendable {
  /// One step; the meaning of `first` and `second` depends on the code.
  struct Step: Sendable {
    var code: Code
    /// Whether the whole value is copied unchanged.
    var isCopy = false
    /// Whether a part that cannot be resolved may have siblings in the value that are not ids.
    var hasSiblings = false
    /// The number of levels of the value in this step; see ``AvroLimits/depth``.
    var levels: UInt16 = 0
    var first: Int32 = 0
    var second: Int32 = 0
  }

  enum Code: UInt8, Sendable {
    case null, boolean, int, long, float, double, text, bytes, fixed
    case intToFloat, intToDouble, longToFloat, longToDouble, floatToDouble
    /// `first`: the step of the items or values.
    case array, map
    /// `first`: the index of the symbols in the table, `second`: their count. A symbol is four
    /// numbers: its new index, or -1 minus the index of the difference; the index of its case; and
    /// a range of the defaults.
    case enumeration
    /// `first`: the index of the parts in the table, `second`: their count. A part is three
    /// numbers: 0 and a step to run, 1 and a step to skip, or 2 and a range of the defaults.
    case record
    /// `first`: the index in the table of the count of fields, a step to skip each field, the count
    /// of targets, and three numbers for each target: 0, the recorded index and a step; or 2 and a
    /// range of the defaults.
    case reordered
    /// `first`: the index of the branches in the table, `second`: their count. A branch is three
    /// numbers: its step, its case or -1, and the branch that it becomes or -1.
    case union
    /// `first`: the branch, `second`: the step.
    case wrap
    /// `first`: the index of the difference.
    case unresolved
    /// `first`: the index of the difference, or -1 if every value is readable; `second`: the step.
    /// The resolver itself can check a byte or a text; only its type can check another value.
    case needsChecking, byteNeedsChecking, textNeedsChecking
  }

  let steps: [Step]
  let table: [Int32]
  let defaults: [UInt8]

  init(_ nodes: [ResolutionNode]) {
    var flattener = Flattener(nodes: nodes)
    flattener.flatten()
    steps = flattener.steps
    table = flattener.table
    defaults = flattener.defaults
  }
}

private struct Flattener {
  let nodes: [ResolutionNode]
  var steps: [ResolutionProgram.Step] = []
  var table: [Int32] = []
  var defaults: [UInt8] = []

  init(nodes: [ResolutionNode]) { self.nodes = nodes }

  mutating func flatten() {
    steps.reserveCapacity(nodes.count)
    for node in nodes { steps.append(step(node)) }
    let plain = steps
    for index in steps.indices { steps[index] = collapsed(index, plain) }
    markCopies()
  }

  /// Returns the step of a node.
  ///
  /// A record of one field with nothing to skip or fill in is replaced by the step of the field.
  /// That step then has the levels of both.
  private func collapsed(_ node: Int, _ plain: [ResolutionProgram.Step]) -> ResolutionProgram.Step {
    var node = node
    var levels: UInt16 = 0
    // Bounded, because a record may contain only itself.
    for _ in 0..<32 {
      guard case .record(let record) = nodes[node], let stepsInOrder = record.stepsInOrder,
        stepsInOrder.count == 1,
        case .resolve(let inner) = stepsInOrder[0]
      else { break }
      node = inner
      levels += 1
    }
    var step = plain[node]
    step.levels += levels
    return step
  }

  private mutating func step(_ node: ResolutionNode) -> ResolutionProgram.Step {
    switch node {
    case .pending: .init(code: .unresolved, first: -1)
    case .null: .init(code: .null)
    case .boolean: .init(code: .boolean)
    case .int: .init(code: .int)
    case .long: .init(code: .long)
    case .float: .init(code: .float)
    case .double: .init(code: .double)
    case .string, .text: .init(code: .text)
    case .bytes: .init(code: .bytes)
    case .fixed(let count): .init(code: .fixed, first: Int32(count))
    case .intToFloat: .init(code: .intToFloat)
    case .intToDouble: .init(code: .intToDouble)
    case .longToFloat: .init(code: .longToFloat)
    case .longToDouble: .init(code: .longToDouble)
    case .floatToDouble: .init(code: .floatToDouble)
    case .array(let items): .init(code: .array, hasSiblings: true, levels: 1, first: Int32(items))
    case .map(let values): .init(code: .map, hasSiblings: true, levels: 1, first: Int32(values))
    case .enumeration(let symbols): enumeration(symbols)
    case .record(let record): self.record(record)
    case .union(let branches): union(branches)
    case .wrap(let branch, let inner):
      .init(code: .wrap, first: Int32(branch), second: Int32(inner))
    case .unresolved(let difference): .init(code: .unresolved, first: Int32(difference))
    // An array that becomes a set is always readable, so it has no difference.
    case .needsChecking(let inner, let difference, let reason):
      .init(
        code: Self.code(of: reason), first: reason == .set ? -1 : Int32(difference),
        second: Int32(inner))
    }
  }

  private static func code(of reason: ResolutionNode.CheckReason) -> ResolutionProgram.Code {
    switch reason {
    case .byte: .byteNeedsChecking
    case .text: .textNeedsChecking
    case .set, .other: .needsChecking
    }
  }

  private mutating func enumeration(
    _ symbols: [ResolutionNode.Symbol]
  ) -> ResolutionProgram.Step {
    let start = table.count
    for symbol in symbols {
      switch symbol {
      case .position(let position): table += [Int32(position), -1, 0, 0]
      case .branch(let position, let bytes):
        table += [Int32(position), -1] + range(of: bytes).dropFirst()
      case .unresolved(let difference, let index):
        table += [-1 - Int32(difference), Int32(index), 0, 0]
      }
    }
    return .init(code: .enumeration, first: Int32(start), second: Int32(symbols.count))
  }

  private mutating func range(of bytes: [UInt8]) -> [Int32] {
    let start = defaults.count
    defaults += bytes
    return [2, Int32(start), Int32(defaults.count)]
  }

  private mutating func record(_ record: ResolutionNode.Record) -> ResolutionProgram.Step {
    var parts: [Int32] = []
    if let stepsInOrder = record.stepsInOrder {
      for part in stepsInOrder {
        switch part {
        case .resolve(let node): parts += [0, Int32(node), 0]
        case .skip(let node): parts += [1, Int32(node), 0]
        case .bytes(let bytes): parts += range(of: bytes)
        }
      }
    } else {
      parts.append(Int32(record.skips.count))
      parts += record.skips.map { Int32($0) }
      parts.append(Int32(record.targets.count))
      for part in record.targets {
        switch part {
        case .field(let position, let node): parts += [0, Int32(position), Int32(node)]
        case .bytes(let bytes): parts += range(of: bytes)
        }
      }
    }
    defer { table += parts }
    return .init(
      code: record.stepsInOrder == nil ? .reordered : .record, hasSiblings: record.hasSiblings,
      levels: record.isLevel ? 1 : 0, first: Int32(table.count),
      second: Int32(record.stepsInOrder?.count ?? 0))
  }

  private mutating func union(_ branches: [ResolutionNode.Branch]) -> ResolutionProgram.Step {
    var parts: [Int32] = []
    for branch in branches {
      if case .wrap(let wanted, let inner) = nodes[branch.node] {
        parts += [Int32(inner), Int32(branch.caseIndex ?? -1), Int32(wanted)]
      } else {
        parts += [Int32(branch.node), Int32(branch.caseIndex ?? -1), -1]
      }
    }
    defer { table += parts }
    return .init(code: .union, levels: 1, first: Int32(table.count), second: Int32(branches.count))
  }

  /// Marks the steps that copy values: starts with all steps and unmarks until nothing changes.
  private mutating func markCopies() {
    for index in steps.indices { steps[index].isCopy = true }
    var changes = true
    while changes {
      changes = false
      for index in steps.indices where steps[index].isCopy && !copies(steps[index]) {
        steps[index].isCopy = false
        changes = true
      }
    }
  }

  private func copies(_ step: ResolutionProgram.Step) -> Bool {
    let start = Int(step.first)
    let count = Int(step.second)
    switch step.code {
    case .null, .boolean, .int, .long, .float, .double, .text, .bytes, .fixed: return true
    case .intToFloat, .intToDouble, .longToFloat, .longToDouble, .floatToDouble: return false
    case .reordered, .wrap, .unresolved, .needsChecking, .byteNeedsChecking, .textNeedsChecking:
      return false
    case .array, .map: return steps[start].isCopy
    case .enumeration:
      return (0..<count).allSatisfy {
        let symbol = start + 4 * $0
        return table[symbol] == Int32($0) && table[symbol + 2] == table[symbol + 3]
      }
    case .record:
      return (0..<count).allSatisfy {
        table[start + 3 * $0] == 0 && steps[Int(table[start + 3 * $0 + 1])].isCopy
      }
    case .union:
      return (0..<count).allSatisfy {
        table[start + 3 * $0 + 2] == Int32($0) && steps[Int(table[start + 3 * $0])].isCopy
      }
    }
  }
}
