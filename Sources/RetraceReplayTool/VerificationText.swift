import Retrace
import RetraceReplay
import RetraceToolSupport

/// What a verification compared and found, in words.
enum VerificationText {
  /// Returns how many state hashes were compared, and how far apart they are; or that none was.
  ///
  /// For a log without records it says so.
  static func coverage(of result: Verification) -> String {
    guard result.records > 0 else { return "It has no records." }
    guard result.compared > 0 else {
      return result.notComparable == 0
        ? "No state was compared: the log has no state hash."
        : "No state was compared: its hashes belong to another state schema."
    }
    let distance = count(result.largestDistance, "record")
    let hashes =
      result.compared == 1
      ? "1 hash, after \(distance)"
      : "\(result.compared) hashes, at most \(distance) apart"
    return "The fold agrees with \(hashes); \(count(result.recordsAfterLastHash, "record")) follow"
      + (result.recordsAfterLastHash == 1 ? "s." : ".")
  }

  /// Returns what the log and the fold say of the effect at a record, without the record.
  static func description(of divergence: Verification.EffectDivergence) -> String {
    switch divergence.kind {
    case .missing: "it had an effect when it was recorded; this fold returns none"
    case .unrecorded(let leaves):
      "it had no effect when it was recorded; this fold returns one"
        + (leaves.isEmpty ? "" : " with \(leaves.joined(separator: ", "))")
    case .endOfUnknownLeaf(let id):
      "it is the end of effect \(id), which this fold does not have in flight"
    case .answerOfUnknownLeaf(let cause):
      "the effect of \(cause) sent it, of which this fold has nothing in flight"
    case .endedEarly(let id, let due):
      "it is the end of effect \(id), which in this fold is due at \(due.localTimestamp)"
    }
  }

  /// Returns a number with a noun in the singular or the plural.
  static func count(_ number: UInt64, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension Verification.Effects {
  /// The results for programs.
  var json: JSONValue {
    [
      "actions": .integer(Int64(actions)), "ends": .integer(Int64(ends)),
      "divergences": .integer(Int64(divergences)),
      "firstDivergence": firstDivergence?.json ?? .null,
    ]
  }
}

extension Verification.EffectDivergence {
  /// The divergence for programs; members that the kind lacks are null.
  var json: JSONValue {
    var (name, cause, ordinal, due): (String, UInt64?, UInt32?, Moment?) = ("", nil, nil, nil)
    var leaves: [String] = []
    switch kind {
    case .missing: name = "missing"
    case .unrecorded(let found): (name, leaves) = ("unrecorded", found)
    case .endOfUnknownLeaf(let id):
      (name, cause, ordinal) = ("endOfUnknownLeaf", id.cause, id.ordinal)
    case .answerOfUnknownLeaf(let record): (name, cause) = ("answerOfUnknownLeaf", record)
    case .endedEarly(let id, let moment):
      (name, cause, ordinal, due) = ("endedEarly", id.cause, id.ordinal, moment)
    }
    return [
      "record": .integer(Int64(clamping: sequence)), "kind": .string(name),
      "leaves": .array(leaves.map { .string($0) }),
      "cause": cause.map { .integer(Int64(clamping: $0)) } ?? .null,
      "ordinal": ordinal.map { .integer(Int64($0)) } ?? .null,
      "due": due.map { .string($0.sortableTimestamp) } ?? .null,
    ]
  }
}
