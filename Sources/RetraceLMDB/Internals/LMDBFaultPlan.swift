package import RetraceSystem

/// A plan, for tests, that makes the n-th LMDB call fail, counting the calls of one operation or of
/// all.
///
/// A plan is part of ``LMDBEnvironment/Options`` and sees every call of that environment, from its
/// opening on. Calls that cannot fail (aborting, closing) are only counted.
package final class LMDBFaultPlan: Sendable {
  package typealias Timing = FaultTiming
  typealias Verdict = FaultVerdict<LMDBError.Code>

  private struct Interruption {
    var operation: LMDBError.Operation
    var timing: Timing
    var body: @Sendable () -> Void
  }

  private let rules = Lock(FaultRules<LMDBError.Operation, LMDBError.Code>())
  private let interruptions = Lock<[Interruption]>([])

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
    rules.withLock {
      $0.fail(code, atCall: call, of: operation, timing: timing, persistent: persistent)
    }
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
    interruptions.withLock {
      $0.append(Interruption(operation: operation, timing: timing, body: body))
    }
  }

  /// Removes all faults; the counts stay.
  package func removeAll() { rules.withLock { $0.removeAll() } }

  /// Returns the number of calls so far.
  ///
  /// - Parameter operation: The operation to count; `nil` for all.
  package func callCount(of operation: LMDBError.Operation? = nil) -> Int {
    rules.withLock { $0.callCount(of: operation) }
  }

  /// Calls the closures for an operation, outside the lock.
  func interrupt(_ operation: LMDBError.Operation, _ timing: Timing) {
    let due = interruptions.withLock { waiting in
      let due = waiting.filter { $0.operation == operation && $0.timing == timing }
      waiting.removeAll { $0.operation == operation && $0.timing == timing }
      return due
    }
    for interruption in due { interruption.body() }
  }

  /// Counts a call, and returns whether it fails.
  func verdict(for operation: LMDBError.Operation) -> Verdict {
    rules.withLock { $0.verdict(for: operation) }
  }
}
