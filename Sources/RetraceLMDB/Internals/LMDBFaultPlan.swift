import RetraceSystem

/// A plan, for tests, that makes the n-th LMDB call fail, counting the calls of one operation or of
/// all.
///
/// A plan is part of ``LMDBEnvironment/Options`` and sees every call of that environment, from its
/// opening on. Calls that cannot fail (aborting, closing) are only counted.
package final class LMDBFaultPlan: Sendable {
  /// The moment of the fault.
  package enum Timing: Sendable {
    /// The call fails without being made.
    ///
    /// A commit aborts its transaction.
    case before
    /// The call is made and then fails, like a commit whose last write failed.
    ///
    /// Calls that acquire a resource (an environment, a transaction, a cursor) fail without being
    /// made.
    case after
  }

  /// The handling of a call.
  enum Verdict: Equatable {
    case perform
    case failBefore(LMDBError.Code)
    case failAfter(LMDBError.Code)
  }

  private struct Rule {
    var code: LMDBError.Code
    var operation: LMDBError.Operation?
    var callsUntilFault: Int
    var timing: Timing
    var isPersistent: Bool
  }

  private struct State {
    var rules: [Rule] = []
    var interruptions: [Interruption] = []
    var counts: [LMDBError.Operation: Int] = [:]
    var total = 0
  }

  private struct Interruption {
    var operation: LMDBError.Operation
    var timing: Timing
    var body: @Sendable () -> Void
  }

  private let state = Lock(State())

  /// Creates a plan without faults.
  package init() {}

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - code: The error code of the call.
  ///   - call: The number of the call, counted from now; 1 is the next one.
  ///   - operation: The operation whose calls are counted; `nil` for all calls.
  ///   - timing: Whether the call is made before it fails.
  ///   - persistent: Whether all later counted calls fail too.
  package func fail(
    _ code: LMDBError.Code, atCall call: Int, of operation: LMDBError.Operation? = nil,
    timing: Timing = .before, persistent: Bool = false
  ) {
    precondition(call > 0, "LMDBFaultPlan: calls are counted from 1, not \(call)")
    let rule = Rule(
      code: code, operation: operation, callsUntilFault: call, timing: timing,
      isPersistent: persistent)
    state.withLock { $0.rules.append(rule) }
  }

  /// Calls a closure once, right before or after the next call of an operation that does not fail.
  ///
  /// It runs on the thread of the call, so that a test can end the process right there.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - timing: Whether `body` is called before or after it.
  ///   - body: The closure.
  package func interrupt(
    _ operation: LMDBError.Operation, _ timing: Timing, with body: @escaping @Sendable () -> Void
  ) {
    state.withLock {
      $0.interruptions.append(Interruption(operation: operation, timing: timing, body: body))
    }
  }

  /// Removes all faults; the counts stay.
  package func removeAll() {
    state.withLock { $0.rules.removeAll() }
  }

  /// Returns the number of calls so far.
  ///
  /// - Parameter operation: The operation to count; `nil` for all.
  package func callCount(of operation: LMDBError.Operation? = nil) -> Int {
    state.withLock { state in
      operation.map { state.counts[$0, default: 0] } ?? state.total
    }
  }

  /// Calls the closures for an operation, outside the lock.
  func interrupt(_ operation: LMDBError.Operation, _ timing: Timing) {
    let due = state.withLock { state in
      let due = state.interruptions.filter { $0.operation == operation && $0.timing == timing }
      if !due.isEmpty {
        state.interruptions.removeAll { $0.operation == operation && $0.timing == timing }
      }
      return due
    }
    for interruption in due { interruption.body() }
  }

  /// Counts a call, and returns whether it fails.
  func verdict(for operation: LMDBError.Operation) -> Verdict {
    state.withLock { state in
      state.total += 1
      state.counts[operation, default: 0] += 1
      var verdict = Verdict.perform
      for index in state.rules.indices {
        guard (state.rules[index].operation ?? operation) == operation else { continue }
        state.rules[index].callsUntilFault -= 1
        let rule = state.rules[index]
        guard verdict == .perform else { continue }
        guard rule.callsUntilFault == 0 || rule.callsUntilFault < 0 && rule.isPersistent else {
          continue
        }
        verdict = rule.timing == .before ? .failBefore(rule.code) : .failAfter(rule.code)
      }
      return verdict
    }
  }
}
