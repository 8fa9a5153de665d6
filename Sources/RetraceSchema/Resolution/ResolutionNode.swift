/// One step of a compiled resolution; steps refer to each other by position.
enum ResolutionNode: Sendable {
  /// A type that is being compiled; nothing runs it.
  case pending
  /// Values that are written as they are read.
  case null, boolean, int, long, float, double, string, bytes
  /// A `string` that is read as `bytes`, or the other way round.
  case text
  /// So many bytes.
  case fixed(Int)
  /// Numbers that become wider.
  case intToFloat, intToDouble, longToFloat, longToDouble, floatToDouble
  /// An array or a map with the step of its items or values.
  case array(Int), map(Int)
  /// The symbols of an enum.
  case enumeration([Symbol])
  /// The fields of a record.
  case record(Record)
  /// A union as it was recorded.
  case union([Branch])
  /// A value that becomes a branch of a union.
  case wrap(branch: Int, Int)
  /// A value for which there is no rule; the position of the difference.
  case hole(Int)
  /// A value that may be none of the type it is read by: its step, and the position of the
  /// difference.
  case doubt(Int, hole: Int, Doubt)

  /// What is doubtful about a value.
  enum Doubt: Sendable {
    /// An array becomes a set, which it always can: it loses order and repetition.
    case set
    /// An `int` may be no byte.
    case byte
    /// Bytes may be no UTF-8.
    case text
    /// Only the type itself knows.
    case other
  }

  /// What becomes of a symbol.
  enum Symbol: Sendable {
    /// It is the symbol at a position.
    case position(Int)
    /// It is the case at a position of an enum with payloads, which have defaults.
    case branch(Int, [UInt8])
    /// It is unknown; the positions of the difference and of the case.
    case hole(Int, case: Int)
  }

  /// What becomes of a branch of a recorded union.
  struct Branch: Sendable {
    /// The step of the branch.
    var node: Int
    /// The position of the case that the branch is, if the union is that of an enum.
    var caseIndex: Int?
  }

  /// What becomes of a record.
  struct Record: Sendable {
    /// What is done field by field, in the order in which they were recorded, when that is also
    /// the order in which they are wanted.
    var stream: [Step]?
    /// How each recorded field is passed over.
    var skips: [Int]
    /// How each wanted field comes about, in the order in which they are wanted.
    var targets: [Target]
    /// Whether more than one of the recorded fields says anything but which entity is meant.
    var holdsMore = false
    /// Whether it stands for a record of the value, and not for part of one.
    var isLevel = true
  }

  /// A part of a record whose fields keep their order.
  enum Step: Sendable {
    /// The next recorded field becomes the next wanted one.
    case resolve(Int)
    /// The next recorded field is passed over.
    case skip(Int)
    /// The next wanted field has its default.
    case bytes([UInt8])
  }

  /// How a wanted field comes about.
  enum Target: Sendable {
    /// From the recorded field at a position.
    case field(Int, node: Int)
    /// By its default, encoded.
    case bytes([UInt8])
  }
}
