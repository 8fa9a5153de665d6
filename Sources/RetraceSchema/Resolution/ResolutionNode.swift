/// One step of a compiled resolution; steps refer to each other by index.
enum ResolutionNode: Sendable {
  /// A type that is still being compiled; never run.
  case pending
  /// Values that are copied unchanged.
  case null, boolean, int, long, float, double, string, bytes
  /// A `string` read as `bytes`, or the reverse.
  case text
  case fixed(Int)
  /// Numbers that are widened.
  case intToFloat, intToDouble, longToFloat, longToDouble, floatToDouble
  /// An array or a map, with the step of its items or values.
  case array(Int), map(Int)
  case enumeration([Symbol])
  case record(Record)
  case union([Branch])
  /// A value that becomes a branch of a union.
  case wrap(branch: Int, Int)
  /// A value that cannot be resolved, with the index of the difference.
  case unresolved(Int)
  /// A value that may not be valid for the type it is read as: its step, and the index of the
  /// difference.
  case needsChecking(Int, difference: Int, CheckReason)

  /// The reason why a value may not be valid.
  enum CheckReason: Sendable {
    /// An array becomes a set, which is always possible but loses order and repetition.
    case set
    /// An `int` may not fit into a byte.
    case byte
    /// Bytes may not be UTF-8.
    case text
    /// Only the type itself can decide.
    case other
  }

  /// The result of resolving a recorded symbol.
  enum Symbol: Sendable {
    case position(Int)
    /// The case at an index of an enum with payloads, with the encoded defaults of its payloads.
    case branch(Int, [UInt8])
    /// An unknown symbol, with the indices of the difference and of the case.
    case unresolved(Int, case: Int)
  }

  struct Branch: Sendable {
    var node: Int
    /// The index of the case, if the union represents an enum.
    var caseIndex: Int?
  }

  struct Record: Sendable {
    /// The steps field by field, if the recorded order of the fields is also the wanted order.
    var stepsInOrder: [FieldStep]?
    /// The steps that skip each recorded field.
    var skips: [Int]
    /// The sources of the wanted fields, in the wanted order.
    var targets: [Target]
    /// Whether at least two recorded fields are not ids: skipping the record because of one of them
    /// would lose the others.
    var hasSiblings = false
    /// Whether the step counts as a level of depth; `false` for a step that only skips payloads.
    var isLevel = true
  }

  /// A step of a record whose fields keep their order.
  enum FieldStep: Sendable {
    /// The next recorded field is read as the next wanted field.
    case resolve(Int)
    /// The next recorded field is skipped.
    case skip(Int)
    /// The next wanted field gets its default.
    case bytes([UInt8])
  }

  /// The source of a wanted field.
  enum Target: Sendable {
    /// The recorded field at an index, with its step.
    case field(Int, node: Int)
    /// The field's default, encoded.
    case bytes([UInt8])
  }
}
