/// The moment of a fault that a test plans.
package enum FaultTiming: Sendable {
  /// The call fails without being made.
  ///
  /// A commit aborts its transaction.
  case before
  /// The call is made and then fails, like a commit whose last write failed.
  ///
  /// Calls that acquire a resource, such as opening a file or beginning a transaction, and calls
  /// that fail with `EINTR` are not made.
  case after
}

package enum FaultVerdict<Code: Equatable & Sendable>: Equatable, Sendable {
  case perform
  /// The call fails without being made.
  case failBefore(Code)
  /// The call is made and then fails.
  case failAfter(Code)
}

/// The calls that a plan makes fail, and the calls that it has counted.
package struct FaultRules<Operation: Hashable & Sendable, Code: Equatable & Sendable>: Sendable {
  private struct Rule {
    var code: Code
    var operation: Operation?
    var suffix: String
    var callsUntilFault: Int
    var timing: FaultTiming
    var isPersistent: Bool
  }

  private var rules: [Rule] = []
  private var counts: [Operation: Int] = [:]
  private var total = 0

  package init() {}

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - code: The error code of the call.
  ///   - call: The number of the call, counted from now; 1 is the next one.
  ///   - operation: The operation whose calls are counted; `nil` for all calls.
  ///   - suffix: The suffix of the paths whose calls are counted.
  ///   - timing: Whether the call is made before it fails.
  ///   - persistent: Whether all later counted calls fail too.
  package mutating func fail(
    _ code: Code, atCall call: Int, of operation: Operation?, onPathsEndingIn suffix: String = "",
    timing: FaultTiming, persistent: Bool
  ) {
    precondition(call > 0, "FaultRules: calls are counted from 1, not \(call)")
    rules.append(
      Rule(
        code: code, operation: operation, suffix: suffix, callsUntilFault: call, timing: timing,
        isPersistent: persistent))
  }

  /// Removes all faults; the counts stay.
  package mutating func removeAll() { rules.removeAll() }

  /// Returns the number of calls of an operation so far; of all operations for `nil`.
  package func callCount(of operation: Operation?) -> Int {
    operation.map { counts[$0, default: 0] } ?? total
  }

  /// Counts a call, and returns whether it fails.
  package mutating func verdict(
    for operation: Operation, _ path: String = ""
  ) -> FaultVerdict<Code> {
    total += 1
    counts[operation, default: 0] += 1
    var verdict = FaultVerdict<Code>.perform
    for index in rules.indices
    where (rules[index].operation ?? operation) == operation && path.hasSuffix(rules[index].suffix)
    {
      rules[index].callsUntilFault -= 1
      let rule = rules[index]
      guard verdict == .perform,
        rule.callsUntilFault == 0 || rule.callsUntilFault < 0 && rule.isPersistent
      else { continue }
      verdict = rule.timing == .before ? .failBefore(rule.code) : .failAfter(rule.code)
    }
    return verdict
  }
}
