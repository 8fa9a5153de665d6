import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceState

/// The texts of recorded values, as `replay show` writes them, and their differences by path.
enum ValueText {
  /// The most parts of one difference that are listed.
  static var differencesMax: Int { 20 }

  /// Returns a value as `replay show` writes it, such as `fact.renamed(0, to: "tea")`.
  static func text<Value: Recordable>(of value: Value) -> String {
    guard let codec = try? SchemaCodec(Value.schema),
      let recorded = try? codec.decode(value.encoded().span)
    else { return "\(value)" }
    return codec.caseText(of: recorded, logical: instant)
      ?? codec.json(recorded, logical: instant).text()
  }

  /// Returns values one below the other, or `none`.
  static func list<Value: Recordable>(of values: [Value]) -> String {
    switch values.count {
    case 0: "none"
    case 1: text(of: values[0])
    default: values.map { "\n  \(text(of: $0))" }.joined()
    }
  }

  /// Returns the names of the cases of a value, outermost first, as in `timeline.started`.
  static func caseName<Value: Recordable>(of value: Value) -> String? {
    guard let codec = try? SchemaCodec(Value.schema) else { return nil }
    return (try? codec.decode(value.encoded().span)).flatMap { codec.caseName(of: $0) }
  }

  /// Returns the lines that tell how values differ from the expected ones; none if they are equal.
  ///
  /// - Parameter name: Returns what the value at an index is called, such as `fact 2`.
  static func differences<Value: Recordable & Equatable>(
    of values: [Value], from expected: [Value], naming name: (Int) -> String
  ) -> [String] {
    var lines: [String] = []
    for index in 0..<max(values.count, expected.count) {
      let found = values.indices.contains(index) ? values[index] : nil
      let wanted = expected.indices.contains(index) ? expected[index] : nil
      switch (found, wanted) {
      case (let found?, let wanted?) where found != wanted:
        lines += difference(of: found, from: wanted, name(index))
      case (let found?, nil): lines.append("\(name(index)) is not expected: \(text(of: found))")
      case (nil, let wanted?): lines.append("\(name(index)) is missing: \(text(of: wanted))")
      default: break
      }
    }
    return lines
  }

  /// Returns how one value differs from another: by path if both are of one case.
  private static func difference<Value: Recordable>(
    of found: Value, from wanted: Value, _ name: String
  ) -> [String] {
    let whole = "\(name) is \(text(of: found)), but \(text(of: wanted)) was expected"
    guard let codec = try? SchemaCodec(Value.schema),
      let old = try? codec.decode(wanted.encoded().span),
      let new = try? codec.decode(found.encoded().span),
      let label = codec.caseName(of: new), label == codec.caseName(of: old)
    else { return [whole] }
    let parts = codec.differences(
      from: old, to: new, limit: differencesMax + 1, logical: instant)
    guard !parts.isEmpty else { return [whole] }
    return ["\(name), \(label), is not as expected:"] + lines(of: parts)
  }

  /// Returns a line for each part that differs, with what it is and what was expected.
  static func lines(of parts: [ValueDifference]) -> [String] {
    let lines = parts.prefix(differencesMax).map { part in
      let (found, wanted) = (part.after?.text() ?? "absent", part.before?.text() ?? "absent")
      return "  \(part.path)  is \(found), but \(wanted) was expected"
    }
    return parts.count > differencesMax ? lines + ["  and other parts"] : lines
  }

  static func instant(_ logical: String, _ value: AvroValue) -> JSONValue? {
    MomentFormat.readable.json(logical, value)
  }
}

/// The differences of states, by path.
enum StateText {
  /// Returns what differs, such as `accounts[0].balance  is 2, but 3 was expected`.
  static func mismatch<State: RecordedState>(
    of state: State, from expected: State, after what: String
  ) -> String {
    let parts = differences(from: expected, to: state)
    // A part that is not recorded, or the next id of a table.
    let lines = parts.isEmpty ? dumped(from: expected, to: state) : ValueText.lines(of: parts)
    return (["after \(what) the state is not as expected:"] + lines).joined(separator: "\n")
  }

  /// Returns the parts of states that differ, with their encodings as the log has them.
  static func differences<State: RecordedState>(
    from expected: State, to state: State
  ) -> [ValueDifference] {
    var composer = SchemaComposer()
    guard let codec = try? SchemaCodec(State.stateSchema(in: &composer)),
      let before = value(of: expected, codec), let after = value(of: state, codec)
    else { return [] }
    return codec.differences(
      from: before, to: after, limit: ValueText.differencesMax + 1, logical: ValueText.instant)
  }

  private static func value<State: RecordedState>(
    of state: State, _ codec: SchemaCodec
  ) -> AvroValue? {
    var writer = AvroWriter()
    state.encodeWhole(into: &writer)
    return try? codec.decode(writer.span)
  }

  /// Returns the lines of the dumps that differ.
  private static func dumped(from expected: Any, to state: Any) -> [String] {
    lines(of: state).difference(from: lines(of: expected)).prefix(ValueText.differencesMax).map {
      switch $0 {
      case .insert(_, let line, _): "  is        \(line)"
      case .remove(_, let line, _): "  expected  \(line)"
      }
    }
  }

  private static func lines(of value: Any) -> [String] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
      .map(String.init)
  }
}
