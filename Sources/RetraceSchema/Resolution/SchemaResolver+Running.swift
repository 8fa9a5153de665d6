import RetraceAvro

extension SchemaResolver {
  struct RunState {
    let limit: Int
    /// The number of further levels that may be nested; see ``AvroLimits/depth``.
    var remainingDepth = AvroLimits.depth
    /// The cases around the part that cannot be resolved, innermost first.
    var cases: [UnresolvedCase] = []
    /// The number of ``cases``, from the innermost outwards, that are next to content other than
    /// ids.
    var siblingCaseCount = 0
    var unresolved: Int?
    /// Whether a value that may not be valid for its type counts as unresolvable.
    let rejectsUnchecked: Bool
  }
}

extension SchemaResolver.Storage {
  typealias RunState = SchemaResolver.RunState

  @_lifetime(input: copy input)
  func resolve(
    _ node: Int, _ input: inout AvroReader, _ output: inout AvroWriter, _ state: inout RunState
  ) throws(AvroError) {
    let step = program.steps[node]
    if step.isCopy {
      let start = input.offset
      try skipValidating(node, &input, &state)
      output.raw(input.bytes.extracting(start..<input.offset))
      return
    }
    let levels = Int(step.levels)
    guard state.remainingDepth >= levels else { throw Self.tooDeep(at: input.offset) }
    state.remainingDepth -= levels
    switch step.code {
    case .intToFloat: output.float(Float(try input.int()))
    case .intToDouble: output.double(Double(try input.int()))
    case .longToFloat: output.float(Float(try input.long()))
    case .longToDouble: output.double(Double(try input.long()))
    case .floatToDouble: output.double(Double(try input.float()))
    case .enumeration:
      let start = input.offset
      let symbol = Int(step.first) + 4 * (try input.branch(count: Int(step.second)))
      let position = program.table[symbol]
      if position < 0 {
        let index = Int(program.table[symbol + 1])
        state.cases.append(.init(name: cases[index], index: index, offset: start))
        throw unresolvable(Int(-1 - position), at: start, &state)
      }
      output.branch(Int(position))
      let (first, end) = (Int(program.table[symbol + 2]), Int(program.table[symbol + 3]))
      let defaults = program.defaults
      if first < end { output.raw(defaults.span.extracting(first..<end)) }
    case .needsChecking, .byteNeedsChecking, .textNeedsChecking:
      if state.rejectsUnchecked { try rejectIfInvalid(step, input, &state) }
      try self.resolve(Int(step.second), &input, &output, &state)
    case .unresolved: throw unresolvable(Int(step.first), at: input.offset, &state)
    default:
      guard output.count <= state.limit else { throw Self.tooLong(at: input.offset) }
      do throws(AvroError) {
        try nested(step, &input, &output, &state)
      } catch {
        if step.hasSiblings { state.siblingCaseCount = state.cases.count }
        throw error
      }
    }
    state.remainingDepth += levels
  }

  @_lifetime(input: copy input)
  private func nested(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ state: inout RunState
  ) throws(AvroError) {
    switch step.code {
    case .array, .map: try collection(step, &input, &output, &state)
    case .union: try union(step, &input, &output, &state)
    case .record: try record(step, &input, &output, &state)
    case .reordered: try reordered(step, &input, &output, &state)
    default:
      output.branch(Int(step.first))
      try self.resolve(Int(step.second), &input, &output, &state)
    }
  }

  /// Throws if a value is not valid for its type, or only the type itself can decide.
  private func rejectIfInvalid(
    _ step: ResolutionProgram.Step, _ input: borrowing AvroReader, _ state: inout RunState
  ) throws(AvroError) {
    guard step.first >= 0 else { return }
    var copy = AvroReader(input.bytes)
    copy.position = input.position
    switch step.code {
    case .byteNeedsChecking: if UInt8(exactly: try copy.long()) != nil { return }
    case .textNeedsChecking: if (try? copy.string()) != nil { return }
    default: break
    }
    throw unresolvable(Int(step.first), at: input.offset, &state)
  }

  private static func tooDeep(at offset: Int) -> AvroError {
    AvroError(.tooLarge, at: offset, "nested too deeply")
  }

  private func unresolvable(
    _ difference: Int, at offset: Int, _ state: inout RunState
  ) -> AvroError {
    guard unresolvedDifferences.indices.contains(difference) else {
      return AvroError(.schema, at: offset, "a type that was not compiled")
    }
    state.unresolved = difference
    return AvroError(.schema, at: offset)
  }

  private static func tooLong(at offset: Int) -> AvroError {
    AvroError(.tooLarge, at: offset, "the resolved value is too large")
  }

  @_lifetime(input: copy input)
  private func union(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ state: inout RunState
  ) throws(AvroError) {
    let branch = Int(step.first) + 3 * (try input.branch(count: Int(step.second)))
    let wanted = program.table[branch + 2]
    if wanted >= 0 { output.branch(Int(wanted)) }
    let start = input.offset
    do throws(AvroError) {
      try self.resolve(Int(program.table[branch]), &input, &output, &state)
    } catch {
      let index = Int(program.table[branch + 1])
      if state.unresolved != nil && index >= 0 {
        state.cases.append(.init(name: cases[index], index: index, offset: start))
      }
      throw error
    }
  }

  @_lifetime(input: copy input)
  private func collection(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ state: inout RunState
  ) throws(AvroError) {
    let count = try input.beginBlocks()
    output.beginBlocks(count: count)
    if count > 0 {
      var key = 0..<0
      for index in 0..<count {
        let start = input.offset
        if step.code == .map {
          try skipKey(&input, after: &key, isFirst: index == 0)
          output.raw(input.bytes.extracting(start..<input.offset))
        }
        try self.resolve(Int(step.first), &input, &output, &state)
        if input.offset == start { try input.countEmptyItem() }
        guard output.count <= state.limit else { throw Self.tooLong(at: start) }
      }
      try input.endBlocks()
    }
    output.endBlocks()
  }

  @_lifetime(input: copy input)
  private func record(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ state: inout RunState
  ) throws(AvroError) {
    var at = Int(step.first)
    for _ in 0..<step.second {
      let first = Int(program.table[at + 1])
      switch program.table[at] {
      case 0: try self.resolve(first, &input, &output, &state)
      case 1: try skipValidating(first, &input, &state)
      default:
        let end = Int(program.table[at + 2])
        let defaults = program.defaults
        output.raw(defaults.span.extracting(first..<end))
      }
      at += 3
    }
  }

  /// Reads fields in another order: one pass finds their offsets, the next reads them.
  @_lifetime(input: copy input)
  private func reordered(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ output: inout AvroWriter,
    _ state: inout RunState
  ) throws(AvroError) {
    var at = Int(step.first)
    let fields = Int(program.table[at])
    var offsets: [Int] = []
    offsets.reserveCapacity(fields)
    for index in 0..<fields {
      offsets.append(input.offset)
      try skipValidating(Int(program.table[at + 1 + index]), &input, &state)
    }
    let after = input.offset
    at += 1 + fields
    let targets = program.table[at]
    at += 1
    for _ in 0..<targets {
      let first = Int(program.table[at + 1])
      let second = Int(program.table[at + 2])
      if program.table[at] == 0 {
        input.position = offsets[first]
        try self.resolve(second, &input, &output, &state)
      } else {
        let defaults = program.defaults
        output.raw(defaults.span.extracting(first..<second))
      }
      at += 3
    }
    input.position = after
  }

  // Skipping

  /// Skips a value whose step changes nothing; throws if the value is not valid.
  @_lifetime(input: copy input)
  private func skipValidating(
    _ node: Int, _ input: inout AvroReader, _ state: inout RunState
  ) throws(AvroError) {
    let step = program.steps[node]
    let levels = Int(step.levels)
    guard state.remainingDepth >= levels else { throw Self.tooDeep(at: input.offset) }
    switch step.code {
    case .null: break
    case .boolean: _ = try input.boolean()
    case .int: _ = try input.int()
    case .long: _ = try input.varint()
    case .float: _ = try input.float()
    case .double: _ = try input.double()
    case .text: try input.skipString()
    case .bytes: try input.skip(try input.length())
    case .fixed: try input.skip(Int(step.first))
    case .enumeration: _ = try input.branch(count: Int(step.second))
    default:
      state.remainingDepth -= levels
      try skipNested(step, &input, &state)
      state.remainingDepth += levels
    }
  }

  @_lifetime(input: copy input)
  private func skipNested(
    _ step: ResolutionProgram.Step, _ input: inout AvroReader, _ state: inout RunState
  ) throws(AvroError) {
    switch step.code {
    case .array, .map:
      let count = try input.beginBlocks()
      guard count > 0 else { return }
      var key = 0..<0
      for index in 0..<count {
        let start = input.offset
        if step.code == .map { try skipKey(&input, after: &key, isFirst: index == 0) }
        try skipValidating(Int(step.first), &input, &state)
        if input.offset == start { try input.countEmptyItem() }
      }
      try input.endBlocks()
    case .union:
      let branch = try input.branch(count: Int(step.second))
      try skipValidating(Int(program.table[Int(step.first) + 3 * branch]), &input, &state)
    case .record:
      var at = Int(step.first) + 1
      for _ in 0..<step.second {
        try skipValidating(Int(program.table[at]), &input, &state)
        at += 3
      }
    default: throw AvroError(.schema, at: input.offset, "a step that cannot be skipped")
    }
  }

  /// Skips a key of a map; throws if it is not above the previous key.
  @_lifetime(input: copy input)
  private func skipKey(
    _ input: inout AvroReader, after key: inout Range<Int>, isFirst: Bool
  ) throws(AvroError) {
    let start = input.offset
    try input.skipString()
    if !isFirst { try input.requireOrder(key, start..<input.offset) }
    key = start..<input.offset
  }
}
